"""The nicks that can be registered. Pure.

The rules hold for new nicks only: an account that exists keeps its nick.
"""

from __future__ import annotations

import unicodedata

from tabnet.errors import Refused, quote
from tabnet.protocol.messages import NICK

GUEST = "guest-"
"""The beginning of the names that the server gives to players without a nick."""
HOUSE = "house-"
"""The beginning of the nicks of house bots."""

LONGEST: int = NICK["longest"]  # type: ignore[assignment]

INVISIBLE = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F),  # combining grapheme joiner
        (0x115F, 0x1160),  # Hangul fillers
        (0x17B4, 0x17B5),  # Khmer vowels that are never drawn
        (0x180B, 0x180F),  # Mongolian variation selectors and vowel separator
        (0x2800, 0x2800),  # the Braille pattern without dots
        (0x3164, 0x3164),  # Hangul filler
        (0xFE00, 0xFE0F),  # variation selectors
        (0xFFA0, 0xFFA0),  # half-width Hangul filler
        (0x1D159, 0x1D159),  # a note without a head
        (0xE0000, 0xE0FFF),  # tags and variation selectors
    )
    for code in range(first, last + 1)
)
"""Characters that are drawn as nothing, beside those of the categories in `HIDDEN`."""
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""The categories of control, format, direction and unassigned characters."""

LOOK_ALIKES = str.maketrans(
    {
        **dict.fromkeys("\u0261\u050d", "g"),
        **dict.fromkeys("\u04bb\u043d\u03b7", "h"),
        **dict.fromkeys("\u043e\u03bf\u03c3", "o"),
        **dict.fromkeys("\u03c5", "u"),
        **dict.fromkeys("\u0455", "s"),
        **dict.fromkeys("\u0435\u0454\u04bd\u03b5", "e"),
        **dict.fromkeys("\u0442\u03c4", "t"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
"""Letters, mostly Cyrillic and Greek, that look like those of `house-` and `guest-`.

They stand for their capitals too, because nicks are compared after casefold.
"""


def require_new_nick(nick: str) -> None:
    """Refuse a nick that cannot be registered; the hint is the right form, if there is one."""
    right = _correct_nick(nick)
    if reserved := find_reserved_prefix(right):
        text = f"nicks that begin with {reserved} are given by the server"
        raise Refused("reserved_nick", text, field="nick", hint="choose another beginning")
    if problem := _describe_problem(nick):
        if _describe_problem(right):
            raise Refused("bad_value", f"nick {problem}", field="nick", hint=str(NICK["hint"]))
        text = f"nick {problem}: {quote(right)} is the right form"
        raise Refused("bad_value", text, field="nick", hint=right)


def find_reserved_prefix(nick: str) -> str | None:
    """Return the reserved prefix that the nick begins with, also in letters that look alike."""
    plain = unicodedata.normalize("NFKC", nick).casefold().translate(LOOK_ALIKES)
    return next((prefix for prefix in (GUEST, HOUSE) if plain.startswith(prefix)), None)


def _describe_problem(nick: str) -> str | None:
    """Return what is wrong with the form of a nick, or None."""
    if any(map(_is_hidden, nick)):
        return "has invisible or direction-changing characters"
    if not unicodedata.is_normalized("NFKC", nick):
        return "is not in its normal form, NFKC"
    if not any(unicodedata.category(character)[0] not in "MZ" for character in nick):
        return "has no visible character"
    if len(nick) > LONGEST or nick != nick.strip():
        return f"is longer than {LONGEST} characters or has spaces around it"
    return None


def _is_hidden(character: str) -> bool:
    return character in INVISIBLE or unicodedata.category(character) in HIDDEN


def _correct_nick(nick: str) -> str:
    """Return the normal form of a nick without hidden characters."""
    visible = "".join(character for character in nick if not _is_hidden(character))
    normal = unicodedata.normalize("NFKC", visible)
    return "".join(character for character in normal if not _is_hidden(character)).strip()
