"""Named dialogues that the model judges: cases that random play meets rarely.

A line of a dialogue is a nick, a command and its fields. The model knows every reply and every
update, so a dialogue needs no expected results. There are three more commands: `play` does what the
match expects from its player, with the first legal move; `wait` lets milliseconds pass; `go` ends
the player's connection. A nick that is no player's is a spectator's. `GAME` is the latest game.
"""

from __future__ import annotations

import json
from typing import Any

from tests.fuzz.court import Court
from tests.server.pure import PASSWORDS

PAIR = """
    zp join group=99 size=9
    jpleal join group=99 size=9
"""
AGREED = """
    zp draw offer=true
    jpleal draw offer=true
    zp ranking group=99 size=9
"""

SEEDS = {
    "a match is drawn when both offer": PAIR + AGREED,
    "draughts is drawn when both offer": """
        zp join kind=draughts group=99
        jpleal join kind=draughts group=99
        zp draw offer=true
        jpleal draw offer=true
        zp ranking kind=draughts group=99
    """,
    "offers are listed in seat order, and old updates keep theirs": PAIR
    + """
        zp draw offer=true
        zp draw offer=false
        jpleal draw offer=true
        zp draw offer=true
        witness update game=GAME since=1
    """,
    "an offer stands across moves": PAIR
    + "jpleal draw offer=true"
    + 8 * "\n zp play \n jpleal play"
    + "\n zp draw offer=true",
    "an offer costs no time and gives none": """
        zp join group=99 size=9 clock={"total":60}
        jpleal join group=99 size=9 clock={"total":60}
        wait 20000
        zp draw offer=true
        wait 20000
        zp draw offer=false
        wait 19999
        wait 1
    """,
    "an offer is made once and can be taken back": PAIR
    + """
        jpleal draw offer=false
        jpleal draw offer=true
        jpleal draw offer=true
        zp draw offer=false
        jpleal draw offer=false
        zp draw offer=true
        jpleal draw offer=false
        jpleal draw offer=true
    """,
    "nobody offers a draw when the game is over": PAIR
    + """
        zp draw offer=true
        jpleal leave
        zp draw offer=true game=GAME
        jpleal draw offer=false game=GAME
    """,
    "nobody offers a draw before the game begins": """
        zp join group=99 size=9
        zp draw offer=true
    """,
    "an offer leaves a throw to be played": PAIR
    + """
        zp play
        jpleal draw offer=true
        zp moves
        zp play
        zp state
    """,
    "an offer makes its player present": PAIR
    + """
        jpleal go
        jpleal draw offer=true token=TOKEN
    """,
}


def play_dialogue(text: str) -> None:
    """Say a dialogue to the server's core and to the model; raise AssertionError if they differ."""
    court = Court()
    sessions: dict[str, int] = {}
    for nick in ("zp", "jpleal"):
        sessions[nick] = court.connect()
        court.say(sessions[nick], "register", nick=nick, password=PASSWORDS[nick])
    for line in filter(str.strip, text.splitlines()):
        nick, cmd, *words = line.split()
        if nick == "wait":
            court.pass_time(int(cmd))
            continue
        if cmd == "go":
            court.disconnect(court.people.index(sessions.pop(nick)))
            continue
        if nick not in sessions:
            sessions[nick] = court.connect()
        fields = dict(map(parse_field, words))
        fields |= {"game": court.games[-1]} if "game" in fields else {}
        fields |= {"token": court.tokens[-1]} if "token" in fields else {}
        if cmd == "join":
            court.join(sessions[nick], fields)
        elif cmd == "play":
            play(court, nick, sessions[nick])
        else:
            court.say(sessions[nick], cmd, **fields)
    court.close()


def parse_field(word: str) -> tuple[str, Any]:
    """Return the name and the value of `name=value`; a value that is not JSON is a string."""
    name, _, value = word.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def play(court: Court, nick: str, session: int) -> None:
    """Do what the match expects from a player, unless it is the opponent's turn."""
    (match,) = court.running()
    if match.turn is not None and match.nicks[match.turn] == nick:
        cmd = match.position.expects()
        court.say(session, cmd, **(match.position.moves()[0] if cmd == "notify" else {}))
