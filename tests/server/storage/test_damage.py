"""A database changed by hand: the damaged match is set aside, and every other game goes on."""

from __future__ import annotations

import logging

import pytest
from attrs import frozen

from tabnet.server.admin.export import export_match
from tabnet.server.admin.requests import execute
from tabnet.server.core.rows import MatchEvent
from tabnet.server.net.server_clock import now
from tabnet.server.storage import journal, replay_match
from tabnet.server.storage.database_file import open_beside_server
from tests.memory_connection import connect
from tests.server.storage.test_keeping import kept, played

QUERIES = ("update", "state", "moves")
ACTIONS = {
    "roll": {},
    "pass": {},
    "notify": {"route": ["e3", "f4"]},
    "draw": {"offer": True},
    "salt": {"salt": "00" * 16},
    "leave": {},
    "check": {"command": "roll"},
}


@frozen
class Duel:
    """A game of draughts with three events and three journal entries, one for each."""

    game: str
    nicks: list[str]
    tokens: list[str]


@pytest.fixture
async def duels(tmp_path):
    """A folder in which three games are played; the last journal entry is of the last one."""
    async with kept(tmp_path) as (hub, nursery):
        talkers = [await connect(hub, nursery) for _ in range(6)]
        found = []
        for pair in (talkers[:2], talkers[2:4], talkers[4:]):
            joined = [await talker.ask(cmd="join", kind="draughts") for talker in pair]
            nicks, tokens = ([reply[name] for reply in joined] for name in ("nick", "token"))
            found.append(Duel(joined[0]["game"], nicks, tokens))
        for seat, route in enumerate((["c3", "d4"], ["b6", "a5"])):
            for number, duel in enumerate(found):
                talker = talkers[2 * number + seat]
                reply = await talker.ask(cmd="notify", token=duel.tokens[seat], route=route)
                assert "error" not in reply
    return found


def entries(db, game):
    """The numbers of the journal entries of a game."""
    return [
        id for (id,) in db.execute("SELECT DISTINCT entry FROM happened WHERE game = ?", (game,))
    ]


def rewrite(db, id, old, new):
    """Change the events of an entry, and its checksum too, as if it had been written so."""
    games, events = db.execute("SELECT games, events FROM journal WHERE id = ?", (id,)).fetchone()
    assert old in events
    events = events.replace(old, new)
    checksum = journal.compute_checksum(games.encode(), events.encode())
    db.execute("UPDATE journal SET events = ?, checksum = ? WHERE id = ?", (events, checksum, id))


def impossible_move(db, game):
    rewrite(db, entries(db, game)[1], '["c3","d4"]', '["c3","e5"]')


def changed_move(db, game):
    """The new move is legal, so that only the checksum tells."""
    change = "UPDATE journal SET events = replace(events, 'd4', 'b4') WHERE id = ?"
    db.execute(change, (entries(db, game)[1],))


def broken_json(db, game):
    db.execute("UPDATE journal SET events = '[[' WHERE id = ?", (entries(db, game)[1],))


def broken_json_with_a_checksum(db, game):
    rewrite(db, entries(db, game)[1], "}]]", "}]")


def text_that_is_not_utf8(db, game):
    change = "UPDATE journal SET events = CAST(x'5bff' AS TEXT) WHERE id = ?"
    db.execute(change, (entries(db, game)[1],))


def no_list_of_events(db, game):
    id = entries(db, game)[1]
    events = db.execute("SELECT events FROM journal WHERE id = ?", (id,)).get
    rewrite(db, id, events, "[[1,2,3]]")


def event_of_the_wrong_length(db, game):
    rewrite(db, entries(db, game)[1], '"move",', "")


def gap(db, game):
    db.execute("DELETE FROM journal WHERE id = ?", (entries(db, game)[1],))


def gap_in_an_entry(db, game):
    id = entries(db, game)[1]
    events = db.execute("SELECT events FROM journal WHERE id = ?", (id,)).get
    rewrite(db, id, events, "[]")


def first_entry_missing(db, game):
    db.execute("DELETE FROM journal WHERE id = ?", (entries(db, game)[0],))


def unknown_event(db, game):
    rewrite(db, entries(db, game)[1], '"move"', '"jump"')


def event_after_the_end(db, game):
    with db:
        journal.append_entry(db, [MatchEvent(game, 4, 10**6, "leave", 0, None)])
        journal.append_entry(db, [MatchEvent(game, 5, 10**6, "draw", 1, True)])


def end_that_is_not_stored(db, game):
    journal.append_entry(db, [MatchEvent(game, 4, 10**6, "leave", 0, None)])


def last_entry_broken(db, game):
    db.execute("UPDATE journal SET events = substr(events, 9) WHERE id = ?", entries(db, game)[-1:])


def last_entry_missing(db, game):
    db.execute("DELETE FROM journal WHERE id = ?", entries(db, game)[-1:])


def last_two_entries_missing(db, game):
    db.executemany("DELETE FROM journal WHERE id = ?", [(id,) for id in entries(db, game)[-2:]])


def unknown_kind(db, game):
    db.execute("UPDATE matches SET terms = json_set(terms, '$.kind', 'go') WHERE game = ?", (game,))


def broken_terms(db, game):
    db.execute("UPDATE matches SET terms = '{' WHERE game = ?", (game,))


def broken_seats(db, game):
    db.execute("UPDATE matches SET seats = '7' WHERE game = ?", (game,))


def seats_without_nicks(db, game):
    db.execute("UPDATE matches SET seats = '[{}]' WHERE game = ?", (game,))


DAMAGES = [
    *(impossible_move, changed_move),
    *(broken_json, broken_json_with_a_checksum, text_that_is_not_utf8, no_list_of_events),
    *(event_of_the_wrong_length, gap, gap_in_an_entry, first_entry_missing),
    *(unknown_event, event_after_the_end, end_that_is_not_stored),
    *(last_entry_broken, last_entry_missing, last_two_entries_missing),
    *(unknown_kind, broken_terms, broken_seats, seats_without_nicks),
]


def set_aside_lines(caplog):
    return [record for record in caplog.records if record.message == "set aside"]


@pytest.mark.parametrize("damage", DAMAGES)
async def test_the_damaged_match_is_set_aside_and_the_other_goes_on(
    tmp_path, duels, damage, caplog
):
    other, _, victim = duels
    with open_beside_server(tmp_path) as db:
        damage(db, victim.game)
    async with kept(tmp_path) as (hub, nursery):
        (line,) = set_aside_lines(caplog)
        assert (line.levelno, line.fields["game"]) == (logging.ERROR, victim.game)
        client = await connect(hub, nursery)
        for cmd in QUERIES:
            for address in ({"game": victim.game}, {"token": victim.tokens[0]}):
                reply = await client.ask(cmd=cmd, **address)
                assert (reply["code"], reply["field"]) == ("set_aside", "game")
                assert victim.game in reply["error"]
        for cmd, fields in ACTIONS.items():
            reply = await client.ask(cmd=cmd, token=victim.tokens[1], **fields)
            assert reply["code"] == "set_aside"
        move = {"cmd": "notify", "token": other.tokens[0], "route": ["d4", "c5"]}
        assert "error" not in await client.ask(**move)
        listed = execute(hub.service, {"do": "list"}, now())[0]["done"]
        assert [match["game"] for match in listed["matches"]] == [duel.game for duel in duels[:2]]
        (row,) = listed["set_aside"]
        assert set(row) == {"game", "players", "reason"}
        assert (row["game"], row["reason"]) == (victim.game, line.fields["reason"])
        assert set(row["players"]) == (set() if damage is seats_without_nicks else {*victim.nicks})
    exported = export_match(tmp_path, victim.game)
    assert [row["table"] for row in exported[:3]] == ["matches", "tokens", "tokens"]
    assert {row["table"] for row in exported[3:]} == {"journal"}


async def test_an_unreadable_entry_sets_aside_exactly_the_matches_that_it_lists(tmp_path, duels):
    one, two, three = duels
    with open_beside_server(tmp_path) as db:
        at = 10**5
        journal.append_entry(
            db, [MatchEvent(duel.game, 4, at, "draw", 0, True) for duel in (one, three)]
        )
        change = "UPDATE journal SET checksum = checksum + 1 WHERE id = ?"
        db.execute(change, (db.last_insert_rowid(),))
    async with kept(tmp_path) as (hub, _):
        assert set(hub.service.games.set_aside_matches) == {one.game, three.game}
        assert list(hub.service.games.playing) == [two.game]


async def test_a_lost_number_is_never_used_again(tmp_path, duels):
    with open_beside_server(tmp_path) as db:
        last_entry_missing(db, duels[2].game)
    for events in range(2):
        async with kept(tmp_path) as (hub, nursery):
            assert list(hub.service.games.set_aside_matches) == [duels[2].game]
            client = await connect(hub, nursery)
            move = (["d4", "c5"], ["d6", "b4"])[events]
            token = duels[0].tokens[events]
            assert "error" not in await client.ask(cmd="notify", token=token, route=move)


async def test_entries_that_no_list_mentions_affect_the_games_without_a_later_event(
    tmp_path, duels
):
    one, two, three = duels
    with open_beside_server(tmp_path) as db:
        (last,) = entries(db, two.game)[-1:]
        for table in ("journal", "journal_games"):
            db.execute(f"DELETE FROM {table} WHERE id = ?", (last,))
    async with kept(tmp_path) as (hub, _):
        # The entry could have been one of the first game: it has no event after it.
        assert set(hub.service.games.set_aside_matches) == {one.game, two.game}
        assert list(hub.service.games.playing) == [three.game]


async def test_a_set_aside_match_does_not_count_as_a_seat_of_its_players(tmp_path, duels):
    victim = duels[2]
    with open_beside_server(tmp_path) as db:
        db.execute(
            "UPDATE tokens SET nick = 'zp' WHERE game = ? AND nick = ?",
            (victim.game, victim.nicks[0]),
        )
        db.execute(
            "UPDATE matches SET seats = json_set(seats, '$[0].nick', 'zp') WHERE game = ?",
            (victim.game,),
        )
        gap(db, victim.game)
    async with kept(tmp_path) as (hub, nursery):
        client = await connect(hub, nursery)
        await client.ask(cmd="register", nick="zp", password="secret")
        assert (await client.ask(cmd="roll"))["code"] == "set_aside"
        wait = await client.ask(cmd="join", kind="fish")
        assert (await client.ask(cmd="state"))["game"] == wait["game"]
        await client.ask(cmd="leave")
        assert (await client.ask(cmd="state"))["code"] == "set_aside"


async def test_the_operator_ends_a_set_aside_match_and_its_rows_stay(tmp_path, duels):
    victim = duels[2]
    with open_beside_server(tmp_path) as db:
        last_entry_broken(db, victim.game)
    before = export_match(tmp_path, victim.game)
    async with kept(tmp_path) as (hub, nursery):
        response, effects = execute(hub.service, {"do": "end", "game": victim.game}, now())
        hub.perform(effects)
        assert response == {"done": f"the game of {' and '.join(victim.nicks)} is over"}
        client = await connect(hub, nursery)
        for _ in range(2):
            reply = await client.ask(cmd="state", token=victim.tokens[0])
            assert reply["code"] == "set_aside"
            await hub.wait_until_committed()
        again, _ = execute(hub.service, {"do": "end", "game": victim.game}, now())
        assert again == {"error": "the game is over"}
    after = export_match(tmp_path, victim.game)
    assert [row for row in after if row["table"] == "tokens"] == before[1:3]
    assert after[0]["entries"] == [
        {name: value for name, value in row.items() if name != "table"} for row in before[3:]
    ]
    assert after[0]["result"] == {"winners": [], "points": [0, 0], "reason": "ended"}
    async with kept(tmp_path) as (hub, nursery):
        assert hub.service.games.set_aside_matches == {}
        client = await connect(hub, nursery)
        for address in ({"token": victim.tokens[0]}, {"game": victim.game}):
            assert (await client.ask(cmd="state", **address))["code"] == "set_aside"
        listed = execute(hub.service, {"do": "list"}, now())[0]["done"]
        assert listed["set_aside"] == []


async def test_a_rule_that_raises_sets_a_match_aside_until_it_is_fixed(
    tmp_path, duels, monkeypatch
):
    with monkeypatch.context() as context:
        replay = replay_match.replay_match

        def fails(saved, now):
            if saved.begun.game == duels[1].game:
                raise ZeroDivisionError("a rule that has since changed")
            return replay(saved, now)

        context.setattr("tabnet.server.storage.restore_service.replay_match", fails)
        async with kept(tmp_path) as (hub, _):
            (aside,) = hub.service.games.set_aside_matches.values()
            assert (aside.id, "a rule that has since" in aside.reason) == (duels[1].game, True)
    async with kept(tmp_path) as (hub, _):
        assert list(hub.service.games.playing) == [duel.game for duel in duels]


# -- finished matches


@pytest.mark.parametrize(
    "change",
    ["replace(history, 'leave', 'start')", "'['", "'[1]'", "'[]'", "CAST(x'ff' AS TEXT)"],
)
async def test_a_finished_match_that_cannot_be_replayed_is_refused(tmp_path, change, caplog):
    joined = await played(tmp_path)
    game, token = joined[0]["game"], joined[1]["token"]
    with open_beside_server(tmp_path) as db:
        db.execute(f"UPDATE matches SET history = {change}")
    async with kept(tmp_path) as (hub, nursery):
        assert set_aside_lines(caplog) == []
        client = await connect(hub, nursery)
        for address in ({"token": token}, {"game": game}, {"token": token, "game": game}):
            assert (await client.ask(cmd="state", **address))["code"] == "set_aside"
        assert "error" not in await client.ask(cmd="ping")
        assert len(set_aside_lines(caplog)) == 1


# -- other rows


async def test_a_wait_that_cannot_be_read_is_over(tmp_path, caplog):
    async with kept(tmp_path) as (hub, nursery):
        joined = []
        for kind in ("draughts", "fish", "plakoto"):
            client = await connect(hub, nursery)
            await client.ask(cmd="register", nick=kind, password="secret")
            joined.append(await client.ask(cmd="join", kind=kind, private=True))
    with open_beside_server(tmp_path) as db:
        change = "UPDATE tables SET {} WHERE game = ?"
        db.execute(change.format("players = '{'"), (joined[0]["game"],))
        db.execute(change.format("terms = replace(terms, 'fish', 'go')"), (joined[1]["game"],))
    for lines in (2, 0):
        caplog.clear()
        async with kept(tmp_path) as (hub, nursery):
            assert list(hub.service.games.lobby.tables) == [joined[2]["game"]]
            told = [line for line in caplog.records if line.message == "unreadable row"]
            assert len(told) == lines
            client = await connect(hub, nursery)
            reply = await client.ask(cmd="state", token=joined[0]["token"])
            assert reply["code"] == "bad_token"


async def test_accounts_bans_and_standings_that_cannot_be_read_are_left_out(tmp_path, caplog):
    await played(tmp_path)
    broken = "CAST(x'ff' AS TEXT)"
    with open_beside_server(tmp_path) as db:
        db.execute(f"INSERT INTO accounts (nick, salt, digest) VALUES ({broken}, x'', x'')")
        db.execute("INSERT INTO accounts (nick, salt, digest) VALUES ('zp', x'', x'')")
        db.execute("INSERT INTO login_networks VALUES ('zp', '[')")
        db.execute(f"INSERT INTO bans (nick, reason) VALUES ('zp', {broken})")
        db.execute("INSERT INTO address_bans (network, reason) VALUES ('192.0.2', 'x')")
        db.execute("INSERT INTO standings VALUES ('[', 'zp', 1, 1, 1)")
        db.execute("INSERT INTO standings VALUES ('[1]', 'zp', 1, 1, 1)")
    async with kept(tmp_path) as (hub, _):
        assert hub.service.accounts.get_salt("zp") == b""
        assert hub.service.accounts.banned == {}
    told = [line.fields for line in caplog.records if line.message == "unreadable row"]
    assert [(fields["table"], fields["key"]) for fields in told] == [
        ("accounts", "\ufffd"),
        ("login_networks", "zp"),
        ("bans", "zp"),
        ("address_bans", "192.0.2"),
        ("standings", "["),
        ("standings", "[1]"),
    ]
