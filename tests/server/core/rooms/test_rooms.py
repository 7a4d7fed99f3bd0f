"""Games that dialects open and seat: rooms, secret invites, absence, house bots, restarts."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from tabnet.client.verify import verify
from tabnet.errors import NotVerified
from tabnet.protocol.fields import Clock
from tabnet.protocol.frames import Failed
from tabnet.protocol.messages import Draw, Join, Leave, Notify
from tabnet.server.core.costs.limits import Limits
from tabnet.server.core.effects import SaveRow
from tabnet.server.core.matches.match import Match
from tabnet.server.core.matches.terms import Terms, read_terms
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tabnet.server.core.pairing.lobby import PRIVATE_WAIT_MS, Table
from tabnet.server.core.rooms.room_commands import (
    CloseRoom,
    Forfeit,
    Look,
    Open,
    Play,
    SeatBot,
    Seen,
    Sit,
    TakeSeat,
)
from tabnet.server.core.rooms.room_index import HOUR_MS
from tabnet.server.core.rows import RoomOpened
from tests.server.room_referee import RoomReferee

DRAUGHTS = read_terms(Join(kind="draughts", clock=Clock(total=600)))
FISH = read_terms(Join(kind="fish", seats=3))
PLAKOTO = read_terms(Join(kind="plakoto", clock=Clock(move=300)))
FIRST, SECOND = "11111111-aaaa", "22222222-bbbb"
BOTS = make_nicks("greedy", 4)


@pytest.fixture
def referee() -> RoomReferee:
    referee = RoomReferee()
    referee.service.opponents = HouseBots({"greedy": BOTS})
    return referee


def secret_room() -> Open:
    return Open(
        name="r",
        terms=DRAUGHTS,
        game="R",
        invite=f"R:{SECOND}",
        has_secret_invite=True,
    )


def create(referee: RoomReferee, seat: int = 1) -> tuple[int, Seen]:
    session = referee.connect()
    command = TakeSeat(open=secret_room(), seat=seat, token=FIRST, must_be_online=True)
    return session, referee.ask(session, command)


def joined(referee: RoomReferee) -> tuple[int, int, Seen]:
    """Return two sessions in a game of draughts, and what the second one sees."""
    first, _ = create(referee)
    second = referee.connect()
    command = TakeSeat(invite=f"R:{SECOND}", token=SECOND, must_be_online=True)
    return first, second, referee.ask(second, command)


def fish(name: str = "fish:cup") -> Open:
    return Open(name=name, terms=FISH, invite=name)


def take(referee: RoomReferee, open: Open, **fields: Any) -> Any:
    """Take a seat over a session for a single request."""
    return referee.ask(single(referee), TakeSeat(open=open, **fields))


def single(referee: RoomReferee) -> int:
    session = referee.connect()
    referee.service.disconnect(session)
    referee.service.connect_for_request(session)
    return session


# Secret invites


def test_the_creator_of_a_room_waits_in_it(referee):
    _, seen = create(referee)
    assert isinstance(seen.game, Table)
    assert (seen.game.id, seen.seat, seen.token, seen.seq) == ("R", 1, FIRST, 0)
    assert list(seen.online.values()) == [True]
    assert referee.room("r") == "R"


def test_the_second_player_begins_the_match_in_the_free_seat(referee):
    _, _, seen = joined(referee)
    assert isinstance(seen.game, Match)
    assert (seen.seat, seen.token) == (0, SECOND)
    assert [seat.must_be_online for seat in seen.game.seats] == [True, True]
    assert not seen.game.is_ranked
    assert all(seen.online.values())


def test_a_native_client_joins_with_a_secret_invite_in_any_case(referee):
    create(referee)
    zp = referee.login("zp")
    reply = referee.say(zp, "join", invite=f"r:{SECOND.upper()}")
    assert reply["game"] == "R"
    assert referee.match("R").nicks[0] == "zp"
    assert not referee.service.accounts.knows_token(SECOND)
    assert referee.refused(zp, "join", invite=f"R:{SECOND}")[0] == "unknown_invite"


def test_a_secret_invite_refuses_a_seat_and_its_digest(referee):
    _, seen = create(referee)
    zp = referee.login("zp")
    assert referee.refused(zp, "join", invite=f"R:{SECOND}", seat=0)[0] == "bad_value"
    assert referee.refused(zp, "join", invite=seen.game.invite)[0] == "unknown_invite"
    assert SECOND not in repr(referee.rows)


def test_the_invite_of_the_taken_seat_is_unknown(referee):
    create(referee)
    failed = referee.ask(referee.connect(), TakeSeat(invite=f"R:{FIRST}", token=FIRST))
    assert failed.code == "unknown_invite"


def test_a_reply_shows_the_table_as_it_was(referee):
    _, seen = create(referee)
    looked = referee.ask(referee.connect(), Look(game="R"))
    referee.ask(referee.connect(), TakeSeat(invite=f"R:{SECOND}"))
    for reply in (seen, looked):
        assert reply.game.nicks == list(reply.online)


# Presence


def test_a_wait_ends_when_its_player_goes(referee):
    session, _ = create(referee)
    referee.perform(referee.service.stop_following(session, "R"))
    referee.apply_timeouts()
    assert referee.service.games.get_unfinished("R") is None


def test_a_match_goes_on_while_one_player_is_online(referee):
    first, second, _ = joined(referee)
    referee.perform(referee.service.stop_following(first, "R"))
    referee.apply_timeouts()
    assert referee.match("R").result is None
    seen = referee.ask(first, Sit(token=FIRST))
    assert (seen.seat, list(seen.online.values())) == (1, [True, True])
    referee.disconnect(second)
    referee.disconnect(first)
    referee.apply_timeouts()
    result = referee.match("R").result
    assert (result.winners, result.reason) == ((), "abandoned")
    assert referee.store.histories["R"][-1].detail == "abandoned"


def test_a_match_with_a_player_of_another_dialect_is_not_abandoned(referee):
    session, _ = create(referee)
    zp = referee.login("zp")
    referee.say(zp, "join", invite=f"R:{SECOND}")
    referee.disconnect(zp)
    referee.disconnect(session)
    referee.apply_timeouts()
    assert referee.match("R").result is None


def test_a_player_who_is_back_at_once_is_not_gone(referee):
    first, second, _ = joined(referee)
    referee.perform(referee.service.stop_following(first, "R"))
    referee.perform(referee.service.stop_following(second, "R"))
    referee.service.sessions.sit(referee.service.sessions[first], "R", referee.match("R").nicks[1])
    referee.apply_timeouts()
    assert referee.match("R").result is None


def test_nobody_is_gone_when_the_server_stops(referee):
    first, second, _ = joined(referee)
    referee.service.stopping = True
    referee.disconnect(first)
    referee.disconnect(second)
    referee.apply_timeouts()
    assert referee.match("R").result is None
    stopped = referee.ask(referee.connect(), TakeSeat(open=secret_room(), seat=0))
    assert stopped.code == "stopping"


@pytest.mark.parametrize("is_back", [True, False])
def test_players_have_two_minutes_to_come_back_after_a_restart(referee, is_back):
    joined(referee)
    other = referee.restarted()
    other.wait(119.999)
    assert other.match("R").result is None
    if is_back:
        assert other.ask(other.connect(), Sit(token=SECOND)).seat == 0
    other.wait(0.001)
    assert (other.match("R").result is None) == is_back


def test_a_wait_ends_if_its_creator_does_not_come_back_after_a_restart(referee):
    create(referee)
    other = referee.restarted()
    other.wait(120)
    assert other.service.games.get_unfinished("R") is None
    assert "R" not in other.store.tables


# Rooms


def test_players_sit_in_the_order_in_which_they_come(referee):
    seats = [take(referee, fish()).seat for _ in range(3)]
    assert seats == [0, 1, 2]
    assert take(referee, fish()).code == "room_full"
    assert len(referee.match(referee.room("fish:cup")).seats) == 3


def test_a_native_player_takes_the_next_seat_of_a_room(referee):
    seen = take(referee, fish())
    zp = referee.login("zp")
    assert referee.say(zp, "join", invite="fish:cup")["game"] == seen.game.id
    assert take(referee, fish()).seat == 2
    assert referee.match(seen.game.id).nicks[1] == "zp"


def test_a_taken_seat_is_refused(referee):
    room = Open(name="p", terms=PLAKOTO)
    assert take(referee, room, seat=1, label="Eleni").game.players[0].label == "Eleni"
    assert take(referee, room, seat=1).code == "room_full"
    assert take(referee, room, seat=0, label="Nikos").game.seats[0].label == "Nikos"


def test_a_room_lasts_an_hour_after_its_game(referee):
    room = Open(name="p", terms=PLAKOTO)
    token = take(referee, room).token
    game = take(referee, room).game.id
    referee.ask(single(referee), Leave(token=token))
    referee.now += HOUR_MS - 1
    referee.apply_timeouts()
    assert referee.room("p") == game
    assert take(referee, room).code == "room_full"
    referee.now += 1
    assert isinstance(take(referee, room).game, Table)
    assert referee.room("p") != game


def test_the_wait_in_a_room_ends_after_a_day_and_its_name_is_free_an_hour_later(referee):
    take(referee, fish())
    referee.now += PRIVATE_WAIT_MS
    assert take(referee, fish()).code == "room_full"
    referee.now += HOUR_MS
    assert take(referee, fish()).seat == 0


def test_rooms_survive_a_restart(referee):
    first = take(referee, fish())
    room = Open(name="p", terms=PLAKOTO)
    game = take(referee, room).game.id
    token = take(referee, room).token
    referee.ask(single(referee), Leave(token=token))
    other = referee.restarted()
    assert other.room("fish:cup") == first.game.id
    assert take(other, fish()).seat == 1
    assert other.room("p") == game
    other.now += HOUR_MS
    other.apply_timeouts()
    assert other.room("p") is None
    assert "p" not in other.store.rooms


def test_an_announced_room_is_remembered_until_it_is_opened(referee):
    referee.service.games.rooms.announce("fish:cup")
    referee.perform([SaveRow(RoomOpened("fish:cup", None))])
    other = referee.restarted()
    assert other.service.games.rooms.is_announced("fish:cup")
    assert other.room("fish:cup") is None
    take(other, fish())
    assert not other.service.games.rooms.is_announced("fish:cup")


def test_a_game_without_a_room_is_in_no_index(referee):
    seen = take(referee, Open(terms=PLAKOTO), opponent="greedy")
    assert isinstance(seen.game, Match)
    assert referee.store.rooms == {}


def test_a_wait_in_a_room_counts_for_its_client(referee):
    referee.service.quotas.limits = Limits(waits=1)
    session = referee.connect()
    assert isinstance(referee.ask(session, TakeSeat(open=fish("fish:a"))), Seen)
    assert referee.ask(session, TakeSeat(open=fish("fish:b"))).code == "too_many_waits"
    assert referee.room("fish:b") is None
    referee.ask(session, CloseRoom(room="fish:a", token=None))
    assert referee.room("fish:a") is not None


def test_a_seat_in_a_room_counts_for_its_client_until_the_game_ends(referee):
    referee.service.quotas.limits = Limits(waits=2)
    first, second = referee.connect(), referee.connect()
    room = Open(name="p", terms=PLAKOTO)
    tokens = [referee.ask(session, TakeSeat(open=room)).token for session in (first, second)]
    assert isinstance(referee.ask(first, TakeSeat(open=fish("fish:a"))), Seen)
    assert referee.ask(first, TakeSeat(open=fish("fish:a"))).code == "too_many_waits"
    referee.ask(second, Leave(token=tokens[1]))
    assert isinstance(referee.ask(first, TakeSeat(open=fish("fish:a"))), Seen)


def test_a_match_that_cannot_begin_opens_no_room(referee, monkeypatch):
    room = Open(name="p", terms=PLAKOTO)
    monkeypatch.setattr(Match, "start", None)
    assert take(referee, room, opponent="greedy").code == "server_error"
    assert referee.room("p") is None


# House bots


def test_a_house_bot_takes_all_other_seats(referee):
    seen = take(referee, fish("fish:1"), opponent="greedy")
    assert isinstance(seen.game, Match)
    assert seen.game.nicks[1:] == [*BOTS[:2]]
    assert take(referee, fish("fish:2"), opponent="nobody").code == "unknown_opponent"
    assert referee.room("fish:2") is None


def test_a_house_bot_takes_one_seat_of_a_room_and_waits_there(referee):
    room = Open(name="p", terms=PLAKOTO)
    seen = referee.ask(single(referee), SeatBot(open=room, bot="greedy", seat=1))
    assert isinstance(seen.game, Table)
    assert (seen.seat, seen.token, seen.game.players[0].label) == (1, None, "greedy")
    process = referee.connect()
    assert referee.service.opponents.set_password(BOTS[0], "x")
    referee.service.sessions.log_in(referee.service.sessions[process], BOTS[0])
    referee.perform(referee.service.handle(process, Join(id=7), referee.now))
    assert isinstance(take(referee, room).game, Match)
    assert referee.match(seen.game.id).nicks[1] == BOTS[0]
    assert (seen.game.id, BOTS[0]) in referee.tokens.values()


def test_a_house_bot_beside_a_player_needs_the_token_of_the_player(referee):
    room = Open(name="p", terms=PLAKOTO)
    token = take(referee, room).token
    other = take(referee, fish()).token
    for wrong in (None, "f" * 32, other):
        command = SeatBot(open=room, bot="greedy", seat=1, token=wrong)
        assert referee.ask(single(referee), command).code == "bad_token"
    command = SeatBot(open=room, bot="greedy", seat=0, token=token)
    assert referee.ask(single(referee), command).code == "room_full"
    command = SeatBot(open=room, bot="greedy", seat=1, token=token)
    assert isinstance(referee.ask(single(referee), command).game, Match)


# Closing


def test_closing_a_room_needs_a_player_while_one_is_seated(referee):
    room = Open(name="p", terms=PLAKOTO)
    game, token = (seen := take(referee, room)).game.id, seen.token
    assert referee.ask(single(referee), CloseRoom(room="p")).code == "bad_token"
    assert not isinstance(referee.ask(single(referee), CloseRoom(room="p", token=token)), Failed)
    assert referee.room("p") is None
    assert referee.service.games.get_unfinished(game) is None


def test_closing_a_room_ends_its_match_as_if_the_player_left(referee):
    room = Open(name="p", terms=PLAKOTO)
    take(referee, room)
    seen = take(referee, room)
    referee.ask(single(referee), CloseRoom(room="p", token=seen.token))
    result = referee.match(seen.game.id).result
    assert (result.winners, result.reason) == ((0,), "leave")
    assert referee.room("p") is None


def test_a_room_with_a_house_bot_alone_obeys_a_player_who_joins_it(referee):
    room = Open(name="p", terms=PLAKOTO)
    bot = SeatBot(open=room, bot="greedy", seat=1)
    referee.ask(single(referee), bot)
    assert referee.ask(single(referee), bot).code == "bad_token"
    assert referee.ask(single(referee), CloseRoom(room="p")).code == "bad_token"
    token = take(referee, room).token
    assert not isinstance(referee.ask(single(referee), CloseRoom(room="p", token=token)), Failed)
    assert referee.room("p") is None
    assert referee.service.games.list_games_of(BOTS[0]) == []


def test_anybody_closes_a_room_without_players(referee):
    room = Open(name="p", terms=PLAKOTO)
    referee.ask(single(referee), CloseRoom(room="p"))
    token = take(referee, room).token
    take(referee, room)
    referee.ask(single(referee), Leave(token=token))
    referee.ask(single(referee), CloseRoom(room="p"))
    assert referee.room("p") is None


# Playing


def test_a_play_shows_the_position_after_it(referee):
    first, second, seen = joined(referee)
    reply = referee.ask(second, Play(token=SECOND, move={"from": "a3", "to": "b4"}))
    assert reply.code == "invalid_move"
    move = seen.game.terms.game.dump_move(seen.game.state.actions()[0])
    reply = referee.ask(second, Play(token=SECOND, move=move))
    assert (reply.seq, reply.seat) == (2, 0)
    assert reply.game.moments[reply.seq - 1].event == "move"
    assert referee.ask(first, Look(token=FIRST)).game.seq == 2
    assert referee.ask(second, Play(token=SECOND, move=move)).code == "not_your_turn"


def test_anybody_may_look_at_a_game(referee):
    joined(referee)
    seen = referee.ask(referee.connect(), Look(game="R"))
    assert (seen.game.id, seen.seat, seen.token) == ("R", None, None)


def test_a_command_may_name_the_kind_of_game_that_its_token_is_for(referee):
    token = take(referee, Open(name="p", terms=PLAKOTO)).token
    for number in range(2):
        assert isinstance(referee.ask(single(referee), Look(token=token, kind="plakoto")), Seen)
        assert referee.ask(single(referee), Look(token=token, kind="fish")).code == "bad_token"
        play = Play(token=token, move={}, kind="fish")
        code = referee.ask(single(referee), play).code
        assert code == ["waiting", "bad_token"][number]
        take(referee, Open(name="p", terms=PLAKOTO))


def test_an_error_costs_only_players_who_are_out_on_error(referee):
    careless = take(referee, fish(), out_on_error=True)
    patient = take(referee, fish())
    take(referee, fish())
    wrong = {"row": 99, "col": 0}
    assert referee.ask(single(referee), Play(token=patient.token, move=wrong)).code
    assert referee.match(careless.game.id).out == ()
    assert referee.ask(single(referee), Play(token=careless.token, move=wrong)).code
    assert referee.match(careless.game.id).out == (0,)
    late = referee.ask(single(referee), Play(token=careless.token, move=wrong))
    assert late.code == "no_seat"
    assert referee.ask(single(referee), Look(token=careless.token)).seat == 0


def test_a_command_out_of_turn_costs_a_player_who_is_out_on_error(referee):
    take(referee, fish())
    second = take(referee, fish(), out_on_error=True)
    take(referee, fish())
    command = Notify(token=second.token, move={"row": 0, "col": 0})
    assert referee.ask(single(referee), command).code
    assert referee.match(second.game.id).out == (1,)
    assert referee.restarted().match(second.game.id).out == (1,)


def test_a_forfeit_removes_the_seat_unless_the_game_is_over(referee):
    tokens = [take(referee, fish(), out_on_error=True).token for _ in range(3)]
    game = referee.room("fish:cup")
    waiting = take(referee, fish("fish:x"), out_on_error=True)
    early = referee.ask(single(referee), Forfeit(token=waiting.token, code="wrong_type"))
    assert early.code == "waiting"
    for token in tokens[:2]:
        referee.ask(single(referee), Forfeit(token=token, code="wrong_type"))
    assert referee.match(game).result.winners == (2,)
    late = referee.ask(single(referee), Forfeit(token=tokens[2], code="wrong_type"))
    assert late.code == "game_over"


def test_a_forfeit_of_another_seat_is_a_fault_of_the_dialect(referee):
    _, second, _ = joined(referee)
    failed = referee.ask(second, Forfeit(token=SECOND, code="wrong_type"))
    assert failed.code == "server_error"
    assert referee.match("R").result is None


def test_games_of_rooms_are_verified(referee):
    first, second, seen = joined(referee)
    watcher = referee.connect()
    referee.say(watcher, "update", game="R", since=0)
    move = seen.game.terms.game.dump_move(seen.game.state.actions()[0])
    referee.ask(second, Play(token=SECOND, move=move))
    referee.disconnect(first)
    referee.disconnect(second)
    referee.apply_timeouts()
    assert verify(referee.snapshots(watcher)).result["reason"] == "abandoned"


def test_an_error_out_of_turn_is_verified_for_strict_players_alone(referee):
    seats = [take(referee, fish(), out_on_error=number != 1) for number in range(3)]
    game, watcher = seats[0].game.id, referee.connect()
    referee.say(watcher, "update", game=game, since=0)
    nicks = referee.match(game).nicks
    for number in (2, 0):
        command = Forfeit(token=seats[number].token, code="wrong_type")
        referee.ask(single(referee), command)
    updates = referee.snapshots(watcher)
    assert updates[0].position["strict_players"] == [nicks[0], nicks[2]]
    assert verify(updates).result["winners"] == [nicks[1]]
    for wrong in ([nicks[0]], nicks[:2], [nicks[2], nicks[0]], "x", [nicks[0], nicks[0]]):
        changed = [
            evolve(each, position={**each.position, "strict_players": wrong}) for each in updates
        ]
        with pytest.raises(NotVerified):
            verify(changed)


def test_native_commands_play_on_in_a_room(referee):
    first, second, _ = joined(referee)
    referee.ask(first, Draw(token=FIRST, offer=True))
    referee.ask(second, Draw(token=SECOND, offer=True))
    assert referee.match("R").result.reason == "agreed"
    seen = referee.ask(first, Sit(token=FIRST))
    assert not any(seen.online.values())


def test_the_terms_of_a_room_are_not_those_of_the_lobby(referee):
    assert isinstance(PLAKOTO, Terms)
    take(referee, Open(name="p", terms=PLAKOTO, invite="plakoto:p"))
    zp = referee.login("zp")
    referee.say(zp, "join", kind="plakoto", clock={"move": 300})
    assert len(referee.service.games.lobby.tables) == 2
    assert len(referee.say(zp, "games")["waiting"]) == 1
