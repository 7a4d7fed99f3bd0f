"""Salts: the throws depend on what players say after the server has committed itself."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from typing import Any

import pytest
from attrs import define

from tests.server.pure import JSON, Referee, play_out
from tests.server.pure import Pair as Duel

TERMS = {"group": 99, "size": 9}
SALTS = {"zp": bytes(range(16)), "jpleal": bytes(range(100, 164))}
NICKS = tuple(SALTS)


def hash_of(salt: bytes) -> str:
    return hashlib.sha256(b"tabnet-salt-1" + salt).hexdigest()


def throw(secret: bytes, salts: list[bytes | None], seat: int, number: int) -> list[bool]:
    """The sticks of one throw, written again from the protocol's text alone."""
    text = b"tabnet-dice-1"
    for salt in salts:
        text += bytes(32) if salt is None else hashlib.sha256(b"tabnet-mix-1" + salt).digest()
    text += seat.to_bytes(4, "big") + number.to_bytes(4, "big") + bytes(4)
    byte = hmac.new(secret, text, hashlib.sha256).digest()[0]
    return [bool(byte >> stick & 1) for stick in range(4)]


@define
class Salted(Duel):
    """A game of zp and jpleal in which some have promised a salt."""

    promise: JSON
    """The first update."""

    def reveal(self, nick: str) -> JSON:
        """Send the right salt; gives back the update."""
        return self.done(nick, "salt", salt=SALTS[nick].hex())


def salted(referee: Referee, *who: str, **terms: Any) -> Salted:
    """Begin a game in which these have promised a salt."""
    sessions, joined = [referee.login(nick) for nick in NICKS], []
    for nick, session in zip(NICKS, sessions, strict=True):
        promised = {"salt_hash": hash_of(SALTS[nick])} if nick in who else {}
        joined.append(referee.say(session, "join", **TERMS, **terms, **promised))
    promise = referee.updates(sessions[0])[0]
    referee.received(sessions[1])
    tokens = [reply["token"] for reply in joined]
    return Salted(referee, joined[0]["game"], *sessions, tokens, promise)


@pytest.fixture
def referee() -> Referee:
    return Referee()


WHO = [("zp",), ("jpleal",), NICKS]


@pytest.mark.parametrize("who", [(), *WHO])
def test_the_first_update_lists_all_salt_hashes(referee: Referee, who: tuple[str]) -> None:
    promise = salted(referee, *who).promise
    hashes = {nick: hash_of(SALTS[nick]) if nick in who else None for nick in NICKS}
    assert promise["dice_salt_hashes"] == hashes
    assert promise["expects"] == {(): "roll", ("jpleal",): None}.get(who, "salt")
    assert promise["turn"] == "zp"


@pytest.mark.parametrize("who", WHO)
def test_moves_are_refused_until_all_salts_have_arrived(
    referee: Referee, who: tuple[str, ...]
) -> None:
    duel = salted(referee, *who)
    owing = list(who)
    for nick in who[::-1]:
        text = f"{' and '.join(owing)} must send the salt first"
        for player in NICKS:
            for cmd, fields in (("roll", {}), ("pass", {}), ("notify", {"cell": 8})):
                assert duel.refused(player, cmd, **fields) == ("salts_due", text)
                check = duel.say(player, "check", command=cmd, **fields)
                assert check == {"ok": False, "reason": text, "reason_code": "salts_due"}
        assert duel.say("zp", "moves") == {"moves": [], "actions": []}
        owing.remove(nick)
        duel.reveal(nick)
    assert duel.say("zp", "moves") == {"moves": [], "actions": ["roll"]}
    assert duel.done("zp", "roll")["event"] == {"type": "roll", "player": "zp"}


@pytest.mark.parametrize(
    ("who", "expects"),
    [
        (["zp"], ["roll"]),
        (["jpleal"], ["roll"]),
        (["zp", "jpleal"], [None, "roll"]),
        (["jpleal", "zp"], ["salt", "roll"]),
    ],
)
def test_expects_is_salt_until_all_salts_have_arrived(
    referee: Referee, who: list[str], expects: list[str | None]
) -> None:
    duel = salted(referee, *who)
    for nick, expected in zip(who, expects, strict=True):
        update = duel.reveal(nick)
        assert update["event"] == {"type": "salt", "player": nick, "salt": SALTS[nick].hex()}
        assert (update["turn"], update["expects"], update["dice"]) == ("zp", expected, None)


@pytest.mark.parametrize("who", [(), *WHO])
def test_all_throws_can_be_recomputed_from_secret_and_salts(who: tuple[str, ...]) -> None:
    referee = Referee(f"salted {who}")
    duel = salted(referee, *who)
    for nick in who:
        duel.reveal(nick)
    updates = [json.loads(line) for line in play_out(duel, random.Random(1))]
    last = updates[-1]
    secret = bytes.fromhex(last["dice_secret"])
    commitment = hashlib.sha256(b"tabnet-commit-1" + duel.game.encode() + secret)
    assert duel.promise["dice_commit"] == commitment.hexdigest()
    salts = {nick: SALTS[nick] if nick in who else None for nick in NICKS}
    assert last["dice_salts"] == {nick: salt and salt.hex() for nick, salt in salts.items()}
    for seat, nick in enumerate(NICKS):
        event = {"type": "roll", "player": nick}
        thrown = [frame["dice"]["stickValues"] for frame in updates if frame["event"] == event]
        keys = [(secret, list(salts.values()), seat, number) for number in range(len(thrown))]
        assert thrown == [throw(*key) for key in keys]
        assert len(thrown) > 20


def test_only_the_salts_change_the_throws() -> None:
    def first_throws(salt: bytes) -> list[list[bool]]:
        referee = Referee()
        zp, jpleal = referee.login("zp"), referee.login("jpleal")
        referee.say(zp, "join", **TERMS, auto=True, salt_hash=hash_of(salt))
        referee.say(jpleal, "join", **TERMS, auto=True)
        assert referee.say(zp, "salt", salt=salt.hex()) == {}
        frames = referee.updates(jpleal)
        return [frame["dice"]["stickValues"] for frame in frames if frame["dice"]]

    thrown = {str(first_throws(bytes([n] * 16))) for n in range(8)}
    assert len(thrown) > 4
    assert first_throws(SALTS["zp"]) == first_throws(SALTS["zp"])


def test_forced_plays_wait_for_the_salts(referee: Referee) -> None:
    duel = salted(referee, *NICKS, auto=True)
    assert referee.match(duel.game).seq == 1
    assert duel.reveal("jpleal")["expects"] == "salt"
    assert referee.match(duel.game).seq == 2
    assert duel.say("zp", "salt", salt=SALTS["zp"].hex()) == {}
    events = [frame["event"]["type"] for frame in referee.updates(duel.zp)]
    assert events[:2] == ["salt", "roll"]


# -- what is refused


def test_a_salt_must_match_its_hash(referee: Referee) -> None:
    duel = salted(referee, *NICKS)
    wrong = ("wrong_salt", "this salt does not have the hash that came with join")
    for salt in (SALTS["jpleal"], SALTS["zp"] + b"\0", bytes(16)):
        assert duel.refused("zp", "salt", salt=salt.hex()) == wrong
    assert duel.say("zp", "salt", salt=bytes(16).hex())["field"] == "salt"
    assert duel.reveal("zp")["expects"] is None


def test_a_salt_is_accepted_once_from_players_with_a_hash(referee: Referee) -> None:
    duel = salted(referee, *NICKS)
    none = ("no_salt", "no salt is expected from you")
    duel.reveal("zp")
    assert duel.refused("zp", "salt", salt=SALTS["zp"].hex()) == none
    duel.reveal("jpleal")
    for nick in NICKS:
        assert duel.refused(nick, "salt", salt=SALTS[nick].hex()) == none
    other = salted(referee, "zp", clock={"move": 60})
    assert other.refused("jpleal", "salt", salt=SALTS["jpleal"].hex()) == none


def test_a_salt_is_refused_before_the_game_and_after_it(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.say(zp, "join", group=1, size=7, salt_hash=hash_of(SALTS["zp"]))
    assert referee.refused(zp, "salt", salt=SALTS["zp"].hex())[0] == "waiting"
    duel = salted(referee, *NICKS)
    duel.done("jpleal", "leave")
    for nick in NICKS:
        refused = duel.refused(nick, "salt", salt=SALTS[nick].hex())
        assert refused == ("game_over", "the game is over")


@pytest.mark.parametrize(
    ("salt", "code"),
    [
        ("0" * 31, "bad_value"),
        ("0" * 33, "bad_value"),
        ("0" * 129, "bad_value"),
        ("0x" + "0" * 32, "bad_value"),
        ("00 " * 12, "bad_value"),
        ("٠" * 32, "bad_value"),
        ("xy" * 16, "bad_value"),
        (17, "wrong_type"),
    ],
)
def test_a_salt_is_16_to_64_bytes_in_hex(referee: Referee, salt: Any, code: str) -> None:
    duel = salted(referee, *NICKS)
    assert duel.refused("zp", "salt", salt=salt)[0] == code
    assert duel.say("zp", "salt", salt=salt)["field"] == "salt"


@pytest.mark.parametrize("salt_hash", ["0" * 63, "0" * 65, "zz" * 32, " " * 64, "٠" * 64])
def test_a_salt_hash_has_64_digits(referee: Referee, salt_hash: str) -> None:
    zp = referee.login("zp")
    assert referee.refused(zp, "join", **TERMS, salt_hash=salt_hash)[0] == "bad_value"
    assert referee.say(zp, "join", **TERMS, salt_hash=salt_hash)["field"] == "salt_hash"


def test_hex_may_be_written_in_capitals(referee: Referee) -> None:
    salt = bytes(range(200, 216))
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    referee.say(zp, "join", **TERMS, salt_hash=hash_of(salt).upper())
    referee.say(jpleal, "join", **TERMS)
    assert referee.updates(zp)[0]["dice_salt_hashes"]["zp"] == hash_of(salt)
    assert referee.say(zp, "salt", salt=salt.hex().upper()) == {}
    assert referee.updates(zp)[-1]["event"]["salt"] == salt.hex()


@pytest.mark.parametrize("size", [16, 64])
def test_the_shortest_and_the_longest_salt_are_accepted(referee: Referee, size: int) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    referee.say(zp, "join", **TERMS, salt_hash=hash_of(bytes(size)))
    referee.say(jpleal, "join", **TERMS)
    assert referee.say(zp, "salt", salt=bytes(size).hex()) == {}


def test_draughts_refuses_salts(referee: Referee) -> None:
    zp = referee.login("zp")
    salt_hash = hash_of(SALTS["zp"])
    refused = referee.refused(zp, "join", kind="draughts", salt_hash=salt_hash)
    assert refused == ("bad_value", "draughts has no dice to salt")
    reply = referee.say(zp, "join", kind="draughts", private=True)
    jpleal = referee.login("jpleal")
    refused = referee.refused(jpleal, "join", invite=reply["invite"], salt_hash=salt_hash)
    assert refused == ("bad_value", "draughts has no dice to salt")


# -- time


@pytest.mark.parametrize("clock", [{"move": 30}, {"total": 30, "increment": 5}])
@pytest.mark.parametrize("waited", [0, 29.999])
def test_clocks_start_with_the_last_salt(
    referee: Referee, clock: dict[str, float], waited: float
) -> None:
    duel = salted(referee, *NICKS, clock=clock)
    full = {"zp": 30, "jpleal": 30}
    assert duel.promise["clock"] == full
    referee.wait(waited)
    assert duel.say("zp", "state")["clock"] == full
    assert duel.reveal("zp")["clock"] == full
    assert duel.reveal("jpleal")["clock"] == full
    referee.wait(10)
    assert duel.say("zp", "state")["clock"] == {"zp": 20, "jpleal": 30}
    referee.wait(19.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    last = referee.update(duel.zp)
    assert last["event"] == {"type": "timeout", "player": "zp"}
    assert last["winner"] == "jpleal"


@pytest.mark.parametrize("late", NICKS)
def test_a_player_who_sends_no_salt_in_time_has_left(referee: Referee, late: str) -> None:
    duel = salted(referee, *NICKS)
    winner = NICKS[late == "zp"]
    referee.wait(60)
    duel.reveal(winner)
    referee.wait(59.999)
    assert referee.received(duel.zp) == []
    referee.wait(0.001)
    last = referee.update(duel.zp)
    assert last["event"] == {"type": "timeout", "player": late}
    assert (last["winner"], last["result"]["reason"]) == (winner, "timeout")
    assert last["result"]["points"] == {winner: 1, late: 0}
    # what is known of the dice is told all the same
    assert last["dice_salts"] == {winner: SALTS[winner].hex(), late: None}
    secret = bytes.fromhex(last["dice_secret"])
    commitment = hashlib.sha256(b"tabnet-commit-1" + duel.game.encode() + secret)
    assert duel.promise["dice_commit"] == commitment.hexdigest()


def test_without_any_salt_nobody_wins(referee: Referee) -> None:
    duel = salted(referee, *NICKS, clock={"move": 7})
    referee.wait(7)
    last = referee.update(duel.jpleal)
    assert last["event"] == {"type": "timeout"}
    assert (last["winner"], last["turn"], last["expects"]) == (None, None, None)
    points = {"zp": 0, "jpleal": 0}
    assert last["result"] == {"winners": [], "points": points, "reason": "timeout"}
    assert last["dice_salts"] == {"zp": None, "jpleal": None}


def test_a_salt_at_the_deadline_comes_too_late(referee: Referee) -> None:
    duel = salted(referee, "zp")
    referee.now += 120_000
    assert duel.say("zp", "salt", salt=SALTS["zp"].hex())["code"] == "game_over"
    assert referee.update(duel.zp)["winner"] == "jpleal"


@pytest.mark.parametrize("leaver", NICKS)
def test_leaving_before_revealing_is_losing(referee: Referee, leaver: str) -> None:
    duel = salted(referee, *NICKS)
    last = duel.done(leaver, "leave")
    assert last["winner"] == NICKS[leaver == "zp"]
    assert last["result"]["reason"] == "leave"
    assert last["dice_salts"] == {"zp": None, "jpleal": None}


def test_a_draw_may_be_agreed_on_before_the_salts_arrive(referee: Referee) -> None:
    duel = salted(referee, *NICKS)
    assert duel.done("jpleal", "draw", offer=True)["expects"] == "salt"
    assert duel.reveal("zp")["draw_offers"] == ["jpleal"]
    last = duel.done("zp", "draw", offer=True)
    assert last["result"]["reason"] == "agreed"
    assert last["dice_salts"] == {"zp": SALTS["zp"].hex(), "jpleal": None}


# -- joining


def test_players_with_and_without_salts_are_paired(referee: Referee) -> None:
    assert salted(referee, "jpleal").promise["expects"] is None


def test_joining_again_replaces_the_salt_hash(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    for nick in NICKS:
        referee.say(zp, "join", **TERMS, salt_hash=hash_of(SALTS[nick]))
    referee.say(jpleal, "join", **TERMS)
    assert referee.updates(zp)[0]["dice_salt_hashes"]["zp"] == hash_of(SALTS["jpleal"])


def test_an_invited_player_may_send_a_salt_hash(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = referee.say(zp, "join", **TERMS, private=True)["invite"]
    referee.say(jpleal, "join", invite=invite, salt_hash=hash_of(SALTS["jpleal"]), seat=0)
    assert referee.updates(zp)[0]["dice_salt_hashes"] == {
        "jpleal": hash_of(SALTS["jpleal"]),
        "zp": None,
    }
    assert referee.say(jpleal, "salt", salt=SALTS["jpleal"].hex()) == {}
    assert referee.say(jpleal, "roll") == {}


def test_a_salt_makes_its_player_present(referee: Referee) -> None:
    duel = salted(referee, "zp")
    referee.disconnect(duel.zp)
    referee.received(duel.jpleal)
    other = referee.connect()
    assert referee.say(other, "salt", token=duel.tokens[0], salt=SALTS["zp"].hex()) == {}
    presence, update = referee.received(duel.jpleal)
    assert presence["online"] == {"zp": True, "jpleal": True}
    assert update["event"]["type"] == "salt"
