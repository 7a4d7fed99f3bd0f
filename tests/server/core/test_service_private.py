"""Games that only an invite leads to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pure import JSON, Referee

TERMS = {"group": 99, "size": 9}
DAY_S = 24 * 3600


@pytest.fixture
def referee() -> Referee:
    return Referee()


def private(referee: Referee, session: int, **terms: Any) -> JSON:
    """Open a private game; gives back the reply."""
    reply = referee.say(session, "join", private=True, **(terms or TERMS))
    assert set(reply) == {"game", "nick", "token", "invite"}
    return reply


def test_an_invite_joins_the_game_and_implies_its_terms(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    clock = {"total": 60, "increment": 2}
    mine = private(referee, zp, kind="draughts", group=3, clock=clock, strict=True)
    assert referee.received(zp) == []
    yours = referee.say(jpleal, "join", invite=mine["invite"])
    assert set(yours) == {"game", "nick", "token"}  # it leads nowhere any more
    assert (yours["game"], yours["nick"]) == (mine["game"], "jpleal")
    update = referee.update(zp)
    assert referee.update(jpleal) == update
    assert (update["kind"], update["timing"], update["strict"]) == ("draughts", clock, True)
    assert set(update["players"]) == {"zp", "jpleal"}
    assert referee.match(mine["game"]).terms.group == 3


def test_a_private_game_counts_in_the_ranking(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = private(referee, zp)["invite"]
    referee.say(jpleal, "join", invite=invite)
    assert referee.say(zp, "leave") == {}
    ranking = referee.say(zp, "ranking", **TERMS)["ranking"]
    assert ranking[0] == {"nick": "jpleal", "victories": 1, "games": 1}


def test_guests_invite_each_other(referee: Referee) -> None:
    zp, jpleal = referee.connect(), referee.connect()
    mine = private(referee, zp)
    yours = referee.say(jpleal, "join", invite=mine["invite"])
    assert yours["nick"].startswith("guest-")
    assert set(referee.update(zp)["players"]) == {mine["nick"], yours["nick"]}
    assert referee.say(jpleal, "leave") == {}
    assert referee.say(zp, "ranking", **TERMS) == {"ranking": []}


def test_seats_without_wishes_are_random() -> None:
    first = set()
    for seed in map(str, range(20)):
        referee = Referee(seed)
        zp, jpleal = referee.login("zp"), referee.login("jpleal")
        referee.say(jpleal, "join", invite=private(referee, zp)["invite"])
        first.add(referee.update(zp)["initial"])
    assert first == {"zp", "jpleal"}


@pytest.mark.parametrize(
    ("mine", "yours", "order"),
    [
        ({}, {"seat": 0}, ["jpleal", "zp"]),
        ({}, {"seat": 1}, ["zp", "jpleal"]),
        ({"seat": 1}, {}, ["jpleal", "zp"]),
        ({"seat": 1}, {"seat": 0}, ["jpleal", "zp"]),
    ],
)
def test_wished_seats_are_given(
    referee: Referee, mine: JSON, yours: JSON, order: list[str]
) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = private(referee, zp, **TERMS, **mine)["invite"]
    referee.say(jpleal, "join", invite=invite, **yours)
    assert list(referee.update(zp)["players"]) == order


def test_an_invited_player_may_choose_auto(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = private(referee, zp, kind="tab", **TERMS)["invite"]
    referee.say(jpleal, "join", invite=invite, seat=0, auto=True)
    assert referee.updates(zp)[1]["event"] == {"type": "roll", "player": "jpleal"}


def test_a_wish_for_a_taken_seat_is_refused_and_the_invite_stays_valid(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = private(referee, zp, **TERMS, seat=1)["invite"]
    reply = referee.say(jpleal, "join", invite=invite, seat=1)
    assert (reply["code"], reply["field"]) == ("bad_value", "seat")
    assert reply["error"] == "seat 1 is taken"
    assert referee.refused(jpleal, "join", invite=invite, seat=2)[0] == "bad_value"
    assert "game" in referee.say(jpleal, "join", invite=invite)


def test_an_unknown_invite_is_refused(referee: Referee) -> None:
    zp, jpleal, rui = (referee.login(nick) for nick in ("zp", "jpleal", "rui"))
    game = private(referee, zp)
    unknown = ("unknown_invite", "no private game waits for this invite")
    for wrong in ("0" * 16, game["game"], game["token"], game["invite"].upper() + "0"):
        assert referee.refused(jpleal, "join", invite=wrong) == unknown
    assert referee.say(jpleal, "join", invite=wrong)["field"] == "invite"
    assert referee.say(jpleal, "join", invite=game["invite"])["game"] == game["game"]
    for session in (zp, jpleal, rui):  # it is used up
        assert referee.refused(session, "join", invite=game["invite"]) == unknown


def test_a_public_game_has_no_invite_that_could_be_guessed(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    assert "invite" not in referee.say(zp, "join", private=False, **TERMS)
    for guess in ("None", "null", "false"):
        assert referee.refused(jpleal, "join", invite=guess)[0] == "unknown_invite"


def test_a_player_cannot_join_by_their_own_invite(referee: Referee) -> None:
    zp = referee.login("zp")
    invite = private(referee, zp)["invite"]
    refused = referee.refused(zp, "join", invite=invite)
    assert refused == ("own_invite", "the invite is to your own game")
    other = referee.login("zp")
    reply = referee.say(other, "join", invite=invite)
    assert (reply["code"], reply["field"], reply["hint"]) == ("own_invite", "invite", "send it on")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "tab"),
        ("group", 99),
        ("size", 9),
        ("clock", {"move": 120}),
        ("strict", False),
        ("strict", True),
        ("private", True),
        ("private", False),
    ],
)
def test_an_invite_cannot_be_combined_with_terms(referee: Referee, field: str, value: Any) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = private(referee, zp)["invite"]
    for said in (invite, "0" * 16):
        code, error = referee.refused(jpleal, "join", invite=said, **{field: value})
        assert code == "bad_value"
        assert error == f"the invite determines what is played: leave {field} out"
    assert referee.say(jpleal, "join", invite=invite, **{field: value})["field"] == field


def test_an_invited_player_may_log_in_with_the_join(referee: Referee) -> None:
    zp = referee.login("zp")
    referee.login("jpleal")
    session = referee.connect()
    invite = private(referee, zp)["invite"]
    wrong = {"nick": "jpleal", "password": "wrong"}
    assert referee.refused(session, "join", invite=invite, **wrong)[0] == "wrong_password"
    right = {"nick": "jpleal", "password": "another"}
    assert referee.say(session, "join", invite=invite, **right)["nick"] == "jpleal"


def test_a_private_game_is_not_listed_while_it_waits(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = private(referee, zp)
    assert referee.say(jpleal, "games") == {"games": [], "waiting": []}
    referee.say(jpleal, "join", invite=game["invite"])
    assert [line["game"] for line in referee.say(zp, "games")["games"]] == [game["game"]]


def test_private_and_public_are_never_paired(referee: Referee) -> None:
    zp, jpleal, rui = (referee.login(nick) for nick in ("zp", "jpleal", "rui"))
    hidden = private(referee, zp)["game"]
    public = referee.say(jpleal, "join", **TERMS)["game"]
    other = private(referee, rui)["game"]
    assert len({hidden, public, other}) == 3
    assert referee.received(zp) == []
    # one who waits in private may wait in public for the same, as another game
    assert referee.say(zp, "join", **TERMS)["game"] == public
    assert referee.update(zp)["game"] == public


def test_waiting_in_public_does_not_become_private(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    public = referee.say(zp, "join", **TERMS)["game"]
    hidden = private(referee, zp)["game"]
    assert hidden != public
    assert referee.say(jpleal, "join", **TERMS)["game"] == public


def test_joining_again_gives_the_same_game_and_invite_and_a_fresh_token(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    first = private(referee, zp, **TERMS, seat=0)
    referee.wait(3600)
    again = private(referee, zp, **TERMS, seat=1)
    assert (again["game"], again["invite"]) == (first["game"], first["invite"])
    assert again["token"] != first["token"]
    assert referee.refused(zp, "leave", token=first["token"])[0] == "bad_token"
    other = private(referee, zp, group=98, size=9)
    assert other["game"] != first["game"]
    assert other["invite"] != first["invite"]
    referee.say(jpleal, "join", invite=first["invite"])
    assert list(referee.update(zp)["players"]) == ["jpleal", "zp"]  # the newer wish counts
    assert referee.say(zp, "leave", token=again["token"]) == {}


def test_an_invite_is_valid_for_one_day_even_if_it_is_renewed(referee: Referee) -> None:
    referee.now = 7
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = private(referee, zp)
    referee.wait(DAY_S / 2)
    assert private(referee, zp)["invite"] == game["invite"]
    referee.wait(DAY_S / 2 - 0.001)
    assert referee.received(zp) == []
    assert referee.refused(zp, "join", invite=game["invite"])[0] == "own_invite"
    referee.wait(0.001)
    over = {"type": "update", "game": game["game"], "seq": 1, "winner": None}
    assert referee.received(zp) == [over]
    assert referee.refused(jpleal, "join", invite=game["invite"])[0] == "unknown_invite"
    assert referee.refused(zp, "leave")[0] == "which_game"
    assert private(referee, zp)["game"] != game["game"]


def test_an_invite_that_expires_just_now_is_refused(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    invite = private(referee, zp)["invite"]
    referee.now = DAY_S * 1000  # before any tick
    assert referee.say(jpleal, "join", invite=invite)["code"] == "unknown_invite"


def test_public_waits_expire_before_older_private_ones(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    hidden = private(referee, zp, group=1, size=9)["game"]
    public = referee.say(jpleal, "join", **TERMS)["game"]
    assert referee.service.deadline() == 120_000
    referee.wait(120)
    assert [update["game"] for update in referee.updates(jpleal)] == [public]
    assert referee.service.deadline() == DAY_S * 1000
    later = referee.say(jpleal, "join", **TERMS)["game"]
    assert referee.service.deadline() == 240_000
    referee.wait(DAY_S)
    assert [update["game"] for update in referee.updates(jpleal)] == [later]
    assert [update["game"] for update in referee.updates(zp)] == [hidden]
    assert referee.service.deadline() is None


@pytest.mark.parametrize("is_guest", [True, False])
def test_a_private_game_waits_without_connections(referee: Referee, is_guest: bool) -> None:
    zp = referee.connect() if is_guest else referee.login("zp")
    game = private(referee, zp, **TERMS, seat=0)
    referee.disconnect(zp)
    jpleal = referee.login("jpleal")
    assert referee.say(jpleal, "join", invite=game["invite"])["game"] == game["game"]
    back = referee.connect()
    token = game["token"]
    assert referee.say(back, "update", token=token, since=0) == {}
    first = referee.updates(back)[0]
    assert list(first["players"]) == [game["nick"], "jpleal"]
    assert referee.say(back, "roll", token=token) == {}


def test_a_guest_s_public_wait_ends_with_the_connection_and_the_private_one_stays(
    referee: Referee,
) -> None:
    guest = referee.connect()
    referee.say(guest, "join", **TERMS)
    game = private(referee, guest)
    referee.disconnect(guest)
    assert list(referee.service.games.lobby.tables) == [game["game"]]


def test_leave_ends_a_private_wait(referee: Referee) -> None:
    zp, jpleal = referee.login("zp"), referee.login("jpleal")
    game = private(referee, zp)
    assert referee.say(jpleal, "update", game=game["game"]) == {}
    assert referee.say(zp, "leave") == {}
    over = {"type": "update", "game": game["game"], "seq": 1, "winner": None}
    assert referee.received(zp) == referee.received(jpleal) == [over]
    assert referee.refused(jpleal, "join", invite=game["invite"])[0] == "unknown_invite"
    assert referee.refused(zp, "leave", token=game["token"])[0] == "bad_token"


def test_terms_of_a_private_game_are_checked(referee: Referee) -> None:
    zp = referee.login("zp")
    assert referee.refused(zp, "join", private=True, group=1)[0] == "undefined_field"
    assert referee.refused(zp, "join", private=True, group=1, size=8)[0] == "invalid_option"
