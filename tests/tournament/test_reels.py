"""Games as the page replays them: its way of reading them comes to the positions of the rules."""

from __future__ import annotations

import re

import pytest
from attrs import evolve

from tabnet.games import GAMES
from tabnet.tournament.record import Record, dump, replayed
from tabnet.tournament.reels import BOARDS, FIRST_FISH, FIRST_PLAKOTO, by_interest, reel
from tests.tournament.sample import (
    NAMES,
    changed,
    played,
    result_of,
    tournament,
    tournament_of_three,
)


def boards(shown):
    """What the page makes of a reel: all boards, one after the other."""
    cells = list(shown["board"])
    yield shown["board"]
    for step in shown["steps"].split():
        for cell, piece in re.findall(r"(\d+)(\D)", step.partition("|")[2]):
            cells[int(cell)] = piece
        yield "".join(cells)


@pytest.mark.parametrize("kind", ["tab", "draughts"])
def test_every_step_shows_the_board_of_the_rules(kind):
    kept = played("12", kind, ("greedy", "random"))
    shown = reel(result_of(kept, 0, None), dump(kept), NAMES)
    assert (shown["kind"], shown["seats"]) == (kind, [0, 1])
    steps = list(replayed(kept))
    assert list(boards(shown))[1:] == [BOARDS[kind](step.state) for step in steps]
    assert [step[0] for step in shown["steps"].split()] == [str(step.seat) for step in steps]


def test_every_step_of_fish_shows_the_tiles_and_penguins_of_the_rules():
    kept, result = tournament_of_three()[1]
    shown = reel(result, dump(kept), NAMES)
    assert shown["places"] == list(result.places)
    assert shown["removed"] == [{"seat": result.removed[0].seat, "cause": "crash"}]
    steps = list(replayed(kept))
    for board, step in zip(list(boards(shown))[1:], steps, strict=True):
        rows = board.split("/")
        for cell, byte in enumerate(step.state.board):
            owner, fish = divmod(ord(rows[cell // 5][cell % 5]) - FIRST_FISH, 128)
            assert fish == byte % 128
            own = [seat for seat in range(3) if cell in step.state.penguins_of(seat)]
            assert own == ([owner - 1] if owner else [])


def test_every_step_of_plakoto_shows_the_points_of_the_rules():
    kept = played("5", "plakoto", ("greedy", "random"))
    shown = reel(result_of(kept, 0, None), dump(kept), NAMES)
    for board, step in zip(list(boards(shown))[1:], replayed(kept), strict=True):
        *points, white, black = (ord(piece) - FIRST_PLAKOTO for piece in board)
        view = step.state.view()
        assert view["off"] == [white, black]
        assert view["points"] == [point(number) if number else None for number in points]


def point(number):
    """What the number of a point says."""
    owner = "Black" if number & 16 else "White"
    return {"owner": owner, "count": number & 15, "pinned": number >= 32}


def test_among_two_no_places_are_told():
    kept, result = tournament()[0]
    assert not {"places", "removed"} & reel(result, dump(kept), NAMES).keys()


def test_a_step_tells_what_it_changes():
    kept = Record("g1", "tab", {"size": 7}, ("greedy", "random"), ("=1", "6-7", "=3"))
    shown = reel(result_of(kept, 0, None), dump(kept), NAMES)
    assert shown["board"] == "aaaaaaa..............xxxxxxx"
    assert shown["steps"] == "0=1 06-7|6.7b 0=3"


def test_pieces_of_draughts_have_their_letters():
    state = GAMES["draughts"].load({"board": "0W" + "0" * 60 + "b0", "turn": 0})
    assert BOARDS["draughts"](state) == ".W" + "." * 60 + "b."


def test_what_was_not_kept_or_cannot_have_been_is_said():
    kept = played("12", "tab", ("greedy", "random"), 20)
    result = result_of(kept, 0, None)
    assert reel(result, None, NAMES)["missing"] == "what was played in this game was not kept"
    for line, said in [
        (b"{", "cannot be shown: "),
        (changed(dump(kept), actions="."), "event 1: . is refused"),
        (changed(dump(kept), kind="go"), "no picture of a board of go"),
    ]:
        shown = reel(result, line, NAMES)
        assert said in shown["missing"]
        assert "steps" not in shown


def test_faults_are_shown_first_and_the_others_in_the_order_of_ids():
    results = [
        evolve(result, cause="draw") if not result.winners else result for _, result in tournament()
    ]
    ordered = by_interest(reversed(results))
    causes = [result.cause for result in ordered]
    assert causes[:2] == ["crash", "crash"]
    assert "crash" not in causes[2:]
    assert [r.game.id for r in ordered[2:]] == sorted(r.game.id for r in ordered[2:])
