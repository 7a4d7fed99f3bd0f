"""The stored rows of a server make an equal server."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from tabnet.errors import Refused
from tabnet.protocol import messages as m
from tabnet.protocol.codec import encode
from tabnet.server.core import game_index as game_indexes
from tabnet.server.core.effects import Log, SaveRow
from tabnet.server.core.game_index import SetAside
from tabnet.server.core.matches.match import Match
from tabnet.server.core.pairing.lobby import AGAIN_WAIT_MS, PRIVATE_WAIT_MS, PUBLIC_WAIT_MS
from tabnet.server.core.players.accounts import digest_token
from tabnet.server.core.rows import DamagedMatch, MatchEvent, SeatToken, WaitOver
from tabnet.server.core.rows_of_matches import read_nicks
from tabnet.server.core.update_frames import make_update
from tabnet.server.storage.restore_service import find_missing, recall, restore
from tests.server.pure import Referee, entropy, fix_throws, pair
from tests.server.random_players import RandomPlayers

TERMS = {"group": 99, "size": 9}


# -- the same server


def of_match(match: Match) -> list[Any]:
    """Everything about a match but the time it is there."""
    now = (match.throws, match.salts, match.owing, match.held, match.offers, match.result)
    now += (match.draw_commands, match.releases)
    lines = [encode(make_update(match, seq)) for seq in range(1, match.seq + 1)]
    return [match.terms, match.seats, match.dice, match.state, now, match.moments, lines]


def of_time(match: Match) -> tuple[Any, ...]:
    return match.clocks, match.began, match.deadline


def sight(referee: Referee) -> dict[str, Any]:
    """Everything about a server but who is connected and how long public waits go on."""
    games = referee.service.games
    tables = games.lobby.tables.values()
    nicks = [nick for game in [*games.playing.values(), *tables] for nick in game.nicks]
    return {
        "playing": {match.id: of_match(match) for match in games.playing.values()},
        "finished": {match.id: of_match(match) for match in games.finished.values()},
        "time": {match.id: of_time(match) for match in games.playing.values()},
        "waiting": [(table.id, table.terms, table.players, table.invite) for table in tables],
        "invites": {table.invite: table.expires for table in tables if table.invite},
        "seats": {nick: set(games.list_games_of(nick)) for nick in nicks},
        "accounts": referee.service.accounts,
        "rankings": referee.service.rankings,
    }


def revived(referee: Referee) -> Referee:
    """Another server at the same moment, with the finished games that are still in memory."""
    referee.stop()
    other = referee.revived()
    for game in referee.service.games.finished:
        other.recall(game)
    return other


@pytest.mark.slow
def test_a_restarted_server_continues_as_if_it_had_never_stopped() -> None:
    replies, events = Counter[str](), Counter[str]()
    for seed in range(8):
        players = RandomPlayers(Referee(str(seed)), random.Random(seed))
        for number in range(600):
            players.step()
            if number % 40 == 0:
                assert sight(revived(players.referee)) == sight(players.referee)
        replies += players.replies
        rows = [row for row in players.referee.rows if isinstance(row, MatchEvent)]
        events += Counter(row.event for row in rows)
    # and there was something to see
    assert set(events) == {
        *("start", "salt", "roll", "select", "release", "move", "pass", "draw", "leave"),
        *("timeout", "illegal", "end"),
    }
    assert {"wrong_salt", "salts_due", "unknown_invite", "banned"} <= set(replies)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.randoms(use_true_random=False), st.integers(0, 120), st.integers(0, 2**32))
def test_two_servers_with_the_same_state_answer_the_same(
    luck: random.Random, steps: int, seed: int
) -> None:
    players = RandomPlayers(Referee(), luck)
    for _ in range(steps):
        players.step()
    assert sight(revived(players.referee)) == sight(players.referee)
    # everybody is gone, and public waits have been ended, for they would be given more time
    players.go()
    for table in list(players.referee.service.games.lobby.tables.values()):
        if table.invite is None:
            players.referee.order("end", game=table.id)
    two_servers = []
    for referee in (players.referee, revived(players.referee)):
        referee.service.entropy = entropy("what comes after")
        two_servers.append(players.go_on(referee, random.Random(seed)))
    one, two = two_servers
    for _ in range(60):
        assert one.step() == two.step()
    assert one.replies == two.replies
    assert sight(one.referee) == sight(two.referee)
    assert sight(revived(two.referee)) == sight(one.referee)


# -- time


def test_time_without_a_server_is_not_charged() -> None:
    duel = pair(Referee(), kind="draughts", group=99, clock={"total": 60})
    referee = duel.referee
    referee.wait(10)
    duel.done("zp", "notify", route=["c3", "d4"])
    referee.wait(20)
    referee.stop()
    referee.now += 1_000_000
    other = referee.revived()
    assert other.match(duel.game).compute_left(other.now) == (50_000, 40_000)
    assert other.service.deadline == other.now + 40_000
    other.now += 1000
    other.stop()
    third = other.revived()
    assert third.match(duel.game).compute_left(third.now) == (50_000, 39_000)


def test_after_a_kill_the_time_since_the_last_event_is_not_charged() -> None:
    duel = pair(Referee(), kind="draughts", group=99, clock={"total": 60})
    referee = duel.referee
    referee.wait(10)
    duel.done("zp", "notify", route=["c3", "d4"])
    referee.wait(20)
    other = referee.revived()
    assert other.match(duel.game).compute_left(other.now) == (50_000, 60_000)
    # of what was said at an earlier stop only what has happened since then counts
    other.stop()
    other.now += 5000
    token = duel.tokens[1]
    assert other.say(other.connect(), "notify", token=token, route=["b6", "a5"]) == {}
    other.now += 7000
    third = other.revived()
    assert third.match(duel.game).compute_left(third.now) == (50_000, 55_000)


def test_a_selection_before_the_stop_costs_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    fix_throws(monkeypatch, blue=(1, 4, 4, 4, 4, 3))
    duel = pair(Referee())
    for cell in (8, 9, 13, 17, 21):
        duel.done("zp", "roll")
        duel.done("zp", "notify", cell=cell)
    duel.done("zp", "roll")
    duel.referee.wait(30)
    duel.done("zp", "notify", cell=25)
    duel.referee.wait(30)
    other = duel.referee.revived()
    assert other.match(duel.game).compute_left(other.now) == (90_000, 120_000)
    assert other.match(duel.game).held == duel.referee.match(duel.game).held
    token = duel.tokens[0]
    assert other.say(other.connect(), "notify", token=token, cell=10) == {}


def test_a_clock_that_ran_out_before_the_stop_times_out_at_once() -> None:
    duel = pair(Referee())
    duel.referee.now += 120_000  # nobody has ticked
    duel.referee.stop()
    other = duel.referee.revived()
    other.apply_timeouts()
    assert other.match(duel.game).moments[-1].event == "timeout"


def test_salts_that_are_owed_have_as_much_time_as_before() -> None:
    referee = Referee()
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    referee.say(zp, "join", **TERMS, salt_hash="0" * 64)
    game = referee.say(jpleal, "join", **TERMS)["game"]
    referee.wait(100)
    referee.stop()
    referee.now += 1_000_000
    other = referee.revived()
    assert other.service.deadline == other.now + 20_000
    other.wait(20)
    result = other.match(game).result
    assert result is not None
    assert result.winners == (1,)


def test_an_invite_keeps_its_end_and_a_public_wait_starts_again() -> None:
    referee = Referee()
    zp = referee.login("zp")
    referee.wait(1000)
    hidden = referee.say(zp, "join", private=True, **TERMS)
    referee.wait(3600)
    referee.say(zp, "join", private=True, **TERMS)
    referee.wait(3600)
    public = referee.say(zp, "join", **TERMS)["game"]
    referee.wait(100)
    referee.now += 10_000_000
    other = referee.revived()
    tables = other.service.games.lobby.tables
    assert tables[hidden["game"]].expires == 1000_000 + PRIVATE_WAIT_MS
    assert tables[public].expires == other.now + PUBLIC_WAIT_MS
    other.wait(120)
    assert list(tables) == [hidden["game"]]
    assert "game" in other.say(other.connect(), "join", invite=hidden["invite"])


def test_an_invite_that_expired_while_no_server_ran_is_over() -> None:
    referee = Referee()
    hidden = referee.say(referee.login("zp"), "join", private=True, **TERMS)
    referee.now += PRIVATE_WAIT_MS
    other = referee.revived()
    reply = other.say(other.connect(), "join", invite=hidden["invite"])
    assert reply["code"] == "unknown_invite"
    assert other.store.tables == {}


def test_a_finished_game_can_be_played_again_after_a_restart() -> None:
    duel = pair(Referee())
    duel.done("zp", "leave")
    referee = duel.referee
    asked = referee.say(referee.connect(), "join", again=duel.game, token=duel.tokens[0])
    referee.now += AGAIN_WAIT_MS - 1000
    other = referee.revived()
    other.recall(duel.game)
    (table,) = other.service.games.lobby.tables.values()
    assert (table.id, table.expires) == (asked["game"], AGAIN_WAIT_MS)
    assert other.say(other.connect(), "state", game=duel.game)["again"] == ["zp"]
    other.say(other.connect(), "join", again=duel.game, token=duel.tokens[1])
    assert other.match(asked["game"]).nicks == ["jpleal", "zp"]


# -- who and what


def test_passwords_tokens_and_bans_survive_a_restart() -> None:
    duel = pair(Referee())
    duel.referee.login("rui")
    duel.referee.order("ban", nick="rui", reason="cheating")
    other = duel.referee.revived()
    session = other.connect()
    for nick, password, code in (
        ("zp", "wrong", "wrong_password"),
        ("rui", "rui", "banned"),
        ("zp", "secret", None),
    ):
        assert other.say(session, "register", nick=nick, password=password).get("code") == code
    assert other.say(session, "roll") == {}  # the one game of that nick
    assert other.say(other.connect(), "leave", token=duel.tokens[1]) == {}
    ranking = other.say(session, "ranking", **TERMS)["ranking"]
    assert ranking[0] == {"nick": "zp", "victories": 1, "games": 1}


def test_results_add_up_over_several_servers() -> None:
    referee = Referee()
    for victories in range(1, 4):
        duel = pair(referee)
        duel.done("zp", "leave")
        referee = referee.revived(str(victories))
        ranking = referee.say(referee.connect(), "ranking", **TERMS)["ranking"]
        assert ranking == [
            {"nick": "jpleal", "victories": victories, "games": victories},
            {"nick": "zp", "victories": 0, "games": victories},
        ]
    assert referee.store.standings["tab", 9, 99, "jpleal"].points == 3


def test_a_waiting_player_is_paired_after_a_restart() -> None:
    referee = Referee()
    game = referee.say(referee.login("zp"), "join", **TERMS, seat=1, auto=True)["game"]
    other = referee.revived("another")
    zp = other.login("zp")
    assert other.say(zp, "update") == {}  # it is the one game it has a seat in
    assert other.say(other.login("jpleal"), "join", **TERMS)["game"] == game
    first = other.updates(zp)[0]
    assert list(first["players"]) == ["jpleal", "zp"]
    assert other.match(game).seats[1].auto


def test_a_match_that_cannot_be_replayed_is_set_aside_and_another_goes_on() -> None:
    referee = Referee()
    duel, other = pair(referee), pair(referee)
    del referee.store.histories[duel.game][0]
    service = Referee().service
    (effect,) = restore(service, referee.store.saved(0), 0)
    reason = f"game {duel.game}, event 1: it is missing"
    fields = {"game": duel.game, "players": ("zp", "jpleal"), "reason": reason}
    assert effect == Log("set aside", fields)
    assert list(service.games.playing) == [other.game]
    assert service.games.list_games_of("zp") == [other.game]


def test_a_match_marked_as_ended_without_an_end_event_is_set_aside() -> None:
    duel = pair(Referee())
    stored = duel.referee.store.find(duel.game)
    assert stored is not None
    service = Referee().service
    (effect,) = recall(service, evolve(stored, ended=True), 0)
    assert isinstance(effect, Log)
    assert "contradicts" in effect.fields["reason"]
    with pytest.raises(Refused, match="set aside"):
        service.games.find(duel.game)


def test_a_wait_on_terms_that_no_longer_exist_is_over() -> None:
    referee = Referee()
    game = referee.say(referee.login("zp"), "join", **TERMS)["game"]
    referee.store.tables[game].terms["kind"] = "go"
    service = Referee().service
    log, over = restore(service, referee.store.saved(0), 0)
    assert isinstance(log, Log)
    assert log.fields["key"] == game
    assert over == SaveRow(WaitOver(game))
    assert service.games.list_games_of("zp") == []


@pytest.mark.parametrize(
    ("seats", "nicks"),
    [
        ([{"nick": "zp"}, {"nick": 1}, {}, 2], ("zp",)),
        ({"nick": "zp"}, ()),
        (None, ()),
    ],
)
def test_nicks_are_read_from_seats_as_far_as_possible(seats: Any, nicks: tuple[str, ...]) -> None:
    assert read_nicks(seats) == nicks


def test_a_player_of_several_set_aside_matches_is_asked_which_game() -> None:
    games = Referee().service.games
    for game in ("one", "two"):
        games.set_aside(SetAside(game, ("zp", "jpleal"), "damaged"))
    with pytest.raises(Refused) as refused:
        games.find_only_game_of("zp")
    assert (refused.value.code, refused.value.hint) == (
        "which_game",
        "your games one, two are set aside",
    )
    assert games.end_set_aside("one") == []
    assert games.find_only_game_of("zp") == "two"
    games.end_set_aside("two")
    with pytest.raises(Refused, match="which game"):
        games.find_only_game_of("zp")


def test_the_oldest_unreadable_finished_matches_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_indexes, "MAX_FINISHED", 2)
    referee = Referee()
    service = referee.service
    for number in range(3):
        token = SeatToken(f"g{number}", "zp", digest_token(f"t{number}"))
        stored = DamagedMatch(f"g{number}", ("zp",), (token,), "damaged")
        for lines in (1, 0):
            assert len(recall(service, stored, 0)) == lines
    session = referee.connect()
    codes = [referee.refused(session, "state", token=f"t{number}")[0] for number in range(3)]
    assert codes == ["bad_token", "set_aside", "set_aside"]


# -- finished games that memory has let go


def test_a_finished_game_is_loaded_from_the_store() -> None:
    duel = pair(Referee())
    duel.done("zp", "roll")
    duel.done("jpleal", "leave")
    other = duel.referee.revived()
    session = other.connect()
    assert other.refused(session, "state", game=duel.game)[0] == "unknown_game"
    assert other.refused(session, "update", token=duel.tokens[0])[0] == "bad_token"
    other.recall(duel.game)
    finished = other.service.games.finished[duel.game]
    other.recall(duel.game)
    assert other.service.games.finished == {duel.game: finished}
    state = other.say(session, "state", game=duel.game)
    before = duel.referee.say(duel.zp, "state", game=duel.game)
    assert state == before
    assert state["status"] == "ended"
    assert other.say(session, "update", token=duel.tokens[0], since=0) == {}
    assert [frame["seq"] for frame in other.updates(session)] == [1, 2, 3]
    assert other.service.deadline is None
    assert other.service.games.list_games_of("zp") == []
    # and is counted once
    assert len(other.say(session, "ranking", **TERMS)["ranking"]) == 2


def test_a_running_game_is_not_loaded_from_the_store() -> None:
    duel = pair(Referee())
    duel.referee.recall(duel.game)
    assert duel.referee.service.games.finished == {}
    assert duel.done("zp", "roll")["seq"] == 2


def test_a_match_loaded_from_the_store_counts_as_the_latest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_indexes, "MAX_FINISHED", 2)
    referee = Referee()
    duels = [pair(referee) for _ in range(4)]
    for duel in duels[:3]:
        duel.say("zp", "leave")
    first, second, third = (duel.game for duel in duels[:3])
    assert list(referee.service.games.finished) == [second, third]
    assert not referee.service.accounts.knows_token(duels[0].tokens[0])
    referee.recall(first)
    assert list(referee.service.games.finished) == [third, first]
    assert referee.service.accounts.knows_token(duels[0].tokens[0])
    assert not referee.service.accounts.knows_token(duels[1].tokens[0])
    duels[3].say("zp", "leave")
    assert list(referee.service.games.finished) == [first, duels[3].game]


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (m.StateCommand(game="here"), None),
        (m.StateCommand(game="gone"), "gone"),
        (m.StateCommand(), None),
        (m.StateCommand(token="known"), None),
        (m.StateCommand(token="other"), digest_token("other")),
        (m.StateCommand(token="other", game="here"), digest_token("other")),
        (m.StateCommand(token="known", game="gone"), "gone"),
        (m.RollCommand(token="other"), digest_token("other")),
        (m.Leave(game="gone"), "gone"),
        (m.Update(game="gone"), "gone"),
        (m.Moves(game="gone"), "gone"),
        (m.Join(group=1, options={"size": 9}, invite="gone"), None),
        (m.Join(options={}, again="here"), None),
        (m.Join(options={}, again="gone"), "gone"),
        (m.Join(options={}, again="gone", token="other"), digest_token("other")),
        (m.Ping(), None),
    ],
)
def test_missing_match_is_the_match_that_a_command_needs_from_the_store(
    command: m.Command, wanted: str | bytes | None
) -> None:
    service = Referee().service
    service.accounts.give_token("here", "zp", digest_token("known"))
    duel = pair(Referee())
    service.games.playing["here"] = duel.referee.match(duel.game)
    assert find_missing(service, command) == wanted


def test_the_match_of_a_token_is_loaded_from_the_store() -> None:
    duel = pair(Referee())
    kept = duel.referee.store
    saved = kept.find(digest_token(duel.tokens[1]))
    assert saved == kept.find(duel.game)
    assert saved is not None
    assert {token.nick for token in saved.tokens} == {"zp", "jpleal"}
    assert kept.find(digest_token("another")) is None
