"""The feed `turns`: the frames of players who follow by turns, against updates and the rules."""

from __future__ import annotations

import random
from typing import Any

import pytest
from attrs import define, field

from tabnet.client.client_state import load_state
from tabnet.games import GAMES
from tabnet.games.api import Pass
from tabnet.protocol.dice import hash_salt
from tabnet.protocol.messages import Join
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.match_parts import Seat
from tabnet.server.core.matches.terms import read_terms
from tabnet.server.core.turn_feed import list_due_seats, make_turn_change
from tests.server.pure import Referee

JSON = dict[str, Any]

TERMS: dict[str, JSON] = {
    "tab": {"kind": "tab", "group": 1, "size": 7},
    "draughts": {"kind": "draughts"},
    "fish": {"kind": "fish", "seats": 3, "rows": 4, "cols": 5},
    "plakoto": {"kind": "plakoto"},
}
SALTS = ("00" * 16, "11" * 16)


@define
class Player:
    """A client that knows the position from the first update and the events of its turns alone."""

    referee: Referee
    session: int
    game: str = ""
    nick: str = ""
    state: Any = None
    nicks: list[str] = field(factory=list)
    seq: int = 0
    last: JSON = field(factory=dict)
    """The latest turn or update."""

    def join(self, **fields: Any) -> Player:
        reply = self.referee.say(self.session, "join", feed="turns", **fields)
        assert "error" not in reply
        self.game, self.nick = reply["game"], reply["nick"]
        return self

    def read(self) -> list[JSON]:
        """Process all unread frames of the game; return them."""
        frames = [
            frame
            for frame in self.referee.received(self.session)
            if frame["type"] in ("turn", "update") and frame["game"] == self.game
        ]
        for frame in frames:
            self.last = frame
            if frame["type"] == "update" and "winner" not in frame:
                self.nicks, self.state = list(frame["players"]), load_state(frame)
            elif frame["type"] == "turn":
                assert [event["seq"] for event in frame["events"]] == list(
                    range(self.seq + 1, frame["seq"] + 1)
                )
                for event in frame["events"]:
                    self.apply(event)
            self.seq = frame["seq"]
        return frames

    def apply(self, event: JSON) -> None:
        rules = GAMES[self.referee.service.games.find(self.game).terms.kind]
        if event["type"] == "move":
            known = ("seq", "type", "player")
            fields = {name: event[name] for name in event if name not in known}
            self.state = self.state.apply(rules.parse_move(fields))
        elif event["type"] == "roll":
            self.state = self.state.apply(rules.parse_roll(event["dice"]))
        elif event["type"] == "pass":
            self.state = self.state.apply(Pass())
        elif event["type"] == "leave":
            self.state = self.state.remove(self.nicks.index(event["player"]))

    def send(self, command: JSON) -> JSON:
        fields = {name: value for name, value in command.items() if name != "cmd"}
        return self.referee.say(self.session, command["cmd"], **fields)


def players(referee: Referee, kind: str, **fields: Any) -> list[Player]:
    count = TERMS[kind].get("seats", 2)
    joining = [Player(referee, referee.connect()) for _ in range(count)]
    for player in joining:
        player.join(**TERMS[kind] | fields)
    return joining


def due(playing: list[Player]) -> tuple[Player, JSON]:
    """Return the player who has received a turn, which comes last, and the turn."""
    received = [(player, player.read()) for player in playing]
    (found,) = [(player, frames[-1]) for player, frames in received if "turn" in types(frames)]
    return found


def types(frames: list[JSON]) -> list[str]:
    return [frame["type"] for frame in frames]


@pytest.mark.parametrize("auto", [False, True])
@pytest.mark.parametrize("kind", TERMS)
def test_a_whole_game_is_played_by_turns_alone(referee: Referee, kind: str, auto: bool) -> None:
    luck = random.Random(f"{kind} {auto}")
    playing = players(referee, kind, auto=auto)
    spectator = referee.connect()
    referee.say(spectator, "update", game=playing[0].game, since=0)
    updates = referee.updates(spectator)
    while "winner" not in updates[-1]:
        player, turn = due(playing)
        assert player.state == load_state(updates[-1])
        assert turn["seq"] == updates[-1]["seq"]
        assert turn["clock"] == updates[-1]["clock"]
        assert turn["expects"] == updates[-1]["expects"]
        listed = referee.say(player.session, "moves")
        own = [{key: move[key] for key in move if key != "cmd"} for move in turn["moves"]]
        assert own == (listed["moves"] or [{}])
        assert {move["cmd"] for move in turn["moves"]} == set(listed["actions"])
        assert "error" not in player.send(luck.choice(turn["moves"]))
        updates = referee.updates(spectator)
    for player in playing:
        assert [frame["winner"] for frame in player.read()] == [updates[-1]["winner"]]
        assert player.last == updates[-1]


def test_the_first_frame_is_the_whole_start_update(referee: Referee) -> None:
    first, second = players(referee, "plakoto")
    start, turn = first.read()
    assert "dice_commit" in start
    assert turn["events"] == []
    assert turn["moves"] == [{"cmd": "roll"}]
    assert types(second.read()) == ["update"]


def test_a_change_without_events_causes_no_turn(referee: Referee) -> None:
    """A look at a clock that has not run out changes nothing."""
    players(referee, "draughts")
    (match,) = referee.service.games.playing.values()
    change = make_turn_change(match, match.seq)
    assert (change.events, change.due) == ([], {})


def test_a_refused_command_and_a_draw_offer_cause_no_turn(referee: Referee) -> None:
    first, second = players(referee, "draughts")
    _, turn = first.read()
    assert first.send({"cmd": "roll"})["code"] == "no_roll"
    assert second.send({"cmd": "draw", "offer": True}) == {}
    assert first.read() == []
    first.send(turn["moves"][0])
    second.read()
    second.send(second.last["moves"][0])
    (turn,) = first.read()
    assert [event["type"] for event in turn["events"]] == ["draw", "move", "move"]


def test_salts_are_asked_for_once(referee: Referee) -> None:
    joining = [Player(referee, referee.connect()) for _ in SALTS]
    for player, salt in zip(joining, SALTS, strict=True):
        player.join(**TERMS["plakoto"], salt_hash=hash_salt(bytes.fromhex(salt)))
    for player in joining:
        assert types(player.read()) == ["update", "turn"]
        assert (player.last["expects"], player.last["moves"]) == ("salt", [])
    second, first = reversed(joining)
    assert second.send({"cmd": "salt", "salt": SALTS[1]}) == {}
    assert first.read() == second.read() == []
    assert first.send({"cmd": "salt", "salt": SALTS[0]}) == {}
    (turn,) = first.read()
    assert [event["salt"] for event in turn["events"]] == [SALTS[1], SALTS[0]]
    assert turn["expects"] == "roll"
    assert second.read() == []


def test_update_sends_one_whole_update_and_the_turn(referee: Referee) -> None:
    first, second = players(referee, "draughts")
    first.read()
    first.send(first.last["moves"][0])
    for session in (first.session, second.session):
        reply = referee.say(session, "update", game=first.game, since=0, feed="turns")
        assert reply == {}
    assert types(first.read()) == ["update"]
    assert types(second.read())[-2:] == ["update", "turn"]
    assert second.last["events"] == []


def test_an_invited_player_asks_for_turns(referee: Referee) -> None:
    host = referee.connect()
    invite = referee.say(host, "join", kind="draughts", private=True)["invite"]
    guest = Player(referee, referee.connect()).join(invite=invite)
    (start, *turns) = guest.read()
    assert types(turns) == ["turn"] * (start["turn"] == guest.nick)


def test_every_connection_of_a_seat_receives_its_turns(referee: Referee) -> None:
    session, again = referee.login("zp"), referee.login("zp")
    one = Player(referee, session).join(kind="draughts")
    Player(referee, referee.connect()).join(kind="draughts")
    assert referee.say(again, "update", game=one.game, feed="turns") == {}
    first, second = (
        [frame for frame in referee.received(each) if frame["type"] == "turn"]
        for each in (session, again)
    )
    assert first == second
    assert first


def test_turns_are_for_players(referee: Referee) -> None:
    first, _ = players(referee, "draughts")
    spectator = referee.connect()
    reply = referee.say(spectator, "update", game=first.game, feed="turns")
    assert (reply["code"], reply["field"]) == ("no_seat", "feed")
    reply = referee.say(spectator, "update", game=first.game, feed="moves")
    assert (reply["code"], reply["error"]) == ("bad_value", "feed is not updates or turns")


def test_a_player_changes_the_feed(referee: Referee) -> None:
    first, second = players(referee, "draughts")
    first.read()
    referee.say(second.session, "update", game=first.game, feed="updates")
    second.read()
    first.send(first.last["moves"][0])
    assert types(second.read()) == ["update"]


def test_a_disconnected_player_is_sent_nothing(referee: Referee) -> None:
    first, second = players(referee, "draughts")
    first.read()
    referee.disconnect(second.session)
    first.send(first.last["moves"][0])
    assert "turn" not in types(referee.received(second.session))


def test_a_player_who_is_out_waits_for_the_end(referee: Referee) -> None:
    out, *others = players(referee, "fish")
    out.send({"cmd": "leave"})
    for player in (out, *others):
        player.read()
    for _ in range(2):
        player, turn = next((p, p.last) for p in others if p.last["type"] == "turn")
        player.last = {"type": ""}
        player.send(turn["moves"][0])
        for each in others:
            each.read()
    assert out.read() == []
    others[0].send({"cmd": "leave"})
    assert types(out.read()) == ["update"]


def test_commands_name_the_game_of_a_player_with_several_seats(referee: Referee) -> None:
    session, other = referee.login("zp"), referee.connect()
    games = []
    for _ in range(2):
        one = Player(referee, session).join(kind="draughts")
        Player(referee, other).join(kind="draughts")
        games.append(one.game)
    assert referee.say(session, "update", game=games[0], feed="turns") == {}
    turns = [f for f in referee.received(session) if f["type"] == "turn" and f["game"] == games[0]]
    assert {move["game"] for move in turns[-1]["moves"]} == {games[0]}


def test_while_a_piece_is_selected_only_its_moves_are_listed(referee: Referee) -> None:
    # Throws are repeated until a piece has two destinations.
    luck = random.Random(5)
    playing = players(referee, "tab")
    for _ in range(400):
        player, turn = due(playing)
        cells = [move.get("cell") for move in turn["moves"]]
        twice = next((cell for cell in cells if cell is not None and cells.count(cell) == 2), None)
        if twice is not None:
            player.send({"cmd": "notify", "cell": twice})
            (turn,) = player.read()
            assert [move["cell"] for move in turn["moves"]] == [twice, twice]
            return
        player.send(luck.choice(turn["moves"]))
    raise AssertionError("no piece had two destinations")


def test_nobody_has_to_act_after_the_end() -> None:
    terms = read_terms(Join(kind="draughts"))
    match = Match.start("0" * 16, terms, (Seat("ann"), Seat("bob")), bytes(32), 0)
    assert list(list_due_seats(match)) == [0]
    assert list_due_seats(match.leave(0, 1)) == {}
