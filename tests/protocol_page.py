"""protocol.md as data: its anchors, tables and groups of errors, and the frames that it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tabnet.errors import CODES
from tabnet.games import DEFAULT_KIND
from tabnet.games.api import Game
from tabnet.games.field_declarations import WireField
from tabnet.protocol.fields import format_clocks, format_kinds, list_kind_fields
from tabnet.protocol.help_reply import describe_type, make_guide
from tabnet.protocol.messages import GROUPED

TEXT = (Path(__file__).parent.parent / "protocol.md").read_text(encoding="utf-8")
MORE = "..."
TIMES = ("last_action", "last_change")
"""The fields whose values are dates with times of day."""
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")

# Anchors

ANCHOR = re.compile(r'<a id="(.*?)"></a>')


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def anchors() -> list[str]:
    """Return every anchor of the page, those of headings and the explicit ones."""
    text = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    return [*map(slug, re.findall(r"^#+ (.*)$", text, re.MULTILINE)), *ANCHOR.findall(text)]


def section(heading: str) -> str:
    """Return the text under a heading, up to the next heading of the same level or a higher one."""
    found = re.search(rf"^(#+) {re.escape(heading)}\n", TEXT, re.MULTILINE)
    assert found, f"no section {heading!r}"
    rest = TEXT[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def dice_lines() -> dict[str, Any]:
    """Return the functions of Python that the page shows for the dice of tournaments, by name."""
    (block,) = re.findall(r"<!-- dice of tournaments -->\n```python\n(.*?)```", TEXT, re.DOTALL)
    found: dict[str, Any] = {}
    exec(block, found)
    return found


def cells(table: str) -> list[list[str]]:
    """Return the cells of each row of the tables in a text, headings among them."""
    return [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]


# Fields

FIELDS_HEAD = "| field | type | required or default | meaning |\n|---|---|---|---|\n"
SEAT_FIELDS = ("nick", "password", "game", "token")
GROUPS = {
    "[seat fields](#seat-fields)": SEAT_FIELDS,
    "[login fields](#login-fields)": ("nick", "password"),
    "[game fields](#game-fields)": ("game", "token"),
}
"""The fields that several commands share."""
DEFAULT = re.compile(r"(.*); (default .*|required|some kinds require one)")
"""The help of a field that ends with its default, or that some kinds require."""
OF_KINDS = {"join": "join", "ranking": "ranking", "moves": "moves"} | dict.fromkeys(
    ("notify", "check"), "notify"
)
"""The commands that have fields of kinds, and the declaration of these fields."""
KINDS_LINK = "[fields of the kind](#kinds-of-games)"
TEXTS_OF_KINDS = {
    f"the kind of game: {format_kinds()}": (
        f"the [kind of game](#kinds-of-games); default {DEFAULT_KIND}"
    ),
    GROUPED: "some kinds require one",
    f"default {format_clocks()}": "default of the kind",
}
"""The texts of `help` that name kinds, and the words of the page, which names none there."""


def row_of(cmd: str, name: str) -> str:
    """Return the row of one field, as the page should have it."""
    field = (make_guide(cmd).fields or {})[name]
    meaning, default = field["means"], "required" if field["required"] else "optional"
    for text, words in TEXTS_OF_KINDS.items():
        meaning = meaning.replace(text, words)
    if found := DEFAULT.fullmatch(meaning):
        meaning, default = found.groups()
    return f"| `{name}` | {field['type']} | {default} | {meaning} |\n"


def shared_table() -> str:
    """Return the table of the fields that several commands share, as the page should have it."""
    return FIELDS_HEAD + "".join(row_of("leave", name) for name in SEAT_FIELDS)


def fields_of_command(cmd: str) -> list[str]:
    """Return the table of a command's own fields and the list of others, as the page has them."""
    of_kinds = list_kind_fields(OF_KINDS[cmd]) if cmd in OF_KINDS else {}
    names = [name for name in make_guide(cmd).fields or {} if name not in {"id", *of_kinds}]
    links = []
    for group, shared in GROUPS.items():
        if {row_of("leave", name) for name in shared} <= {row_of(cmd, name) for name in names}:
            links.append(group)
            names = [name for name in names if name not in shared]
    if of_kinds:
        links.append(KINDS_LINK)
    table = FIELDS_HEAD + "".join(row_of(cmd, name) for name in names)
    return [table] * bool(names) + [f"- Shared fields: {', '.join(links)}.\n"] * bool(links)


def facts_of_kind(game: Game) -> str:
    """Return the first line of a kind's section, as the page should have it."""
    fewest, most = game.seats[0], game.seats[-1]
    players = str(fewest) if fewest == most else f"{fewest} to {most}"
    clock = json.dumps(game.clock, separators=(",", ":"))
    return f"`kind`: `{game.kind}`. Players: {players}. Default clock: `{clock}`.\n"


KIND_HEAD = "| command | field | type | required or default | meaning |\n|---|---|---|---|---|\n"


def fields_of_kind(game: Game) -> str:
    """Return the table of the fields that a kind adds to commands, as the page should have it."""
    commands: dict[str, Mapping[str, WireField]] = {
        "`join`": game.fields.join,
        "`ranking`": game.fields.ranking,
        "`notify`, `check`": game.fields.notify,
        "`moves`": game.fields.moves,
    }
    rows = []
    for command, fields in commands.items():
        for name, field in fields.items():
            need = "required" if name == game.leaderboard_option else "optional"
            if field.usual and need == "optional":
                need = f"default {field.usual}"
            kind = describe_type(field.type, field.wire)
            rows.append(f"| {command} | `{name}` | {kind} | {need} | {field.wire.help} |\n")
    return KIND_HEAD + "".join(rows)


def codes_of_kind(game: Game) -> str:
    """Return the errors of a kind's moves, and the meanings of its own codes."""
    own = {code: text for code, text in game.codes.items() if code not in CODES}
    named = ", ".join(f"`{code}`" for code in game.codes)
    rows = "".join(f"| `{code}` | {text} |\n" for code, text in own.items())
    table = f"\n| code | meaning |\n|---|---|\n{rows}" if rows else ""
    return f"Errors of moves: {named}.\n{table}"


# Errors

LINK = re.compile(r"\[.*\]\(#(.*)\)")


@cache
def groups_of_errors() -> dict[str, str]:
    """Return the list of codes and groups that each group of errors consists of, by its anchor."""
    rows = cells(section("Errors").split("| code | meaning |")[0])
    groups = {anchor[1]: row[1] for row in rows if (anchor := ANCHOR.search(row[0]))}
    lists = re.findall(r"^Errors of moves: (.*)\.$", TEXT, re.MULTILINE)
    return groups | {"kinds-of-games": ", ".join(lists)}


def codes_in(text: str) -> list[str]:
    """Return the codes in a list of codes and of links to groups of errors, each group expanded."""
    codes: list[str] = []
    for item in text.split(", "):
        group = LINK.fullmatch(item)
        codes += codes_in(groups_of_errors()[group[1]]) if group else [item.strip("`")]
    return list(dict.fromkeys(codes))


def errors_of(cmd: str) -> list[str]:
    """Return the codes that the section of a command names."""
    found = re.search(r"^- Errors: (.*)\.$", section(cmd), re.MULTILINE)
    return codes_in(found[1]) if found else []


def errors_of_every_command() -> list[str]:
    """Return the codes that every command can give beside those that it names."""
    return codes_in("[](#line-errors), [](#field-errors), [](#server-errors)")


# Frames


def expanded(text: str) -> object:
    """Return a frame of the page as JSON; `MORE` stands for the parts that are not shown."""
    text = text.replace("[...]", f'["{MORE}"]').replace("{...}", f'{{"{MORE}":0}}')
    text = text.replace(",...]", f',"{MORE}"]')
    return json.loads(text.replace(",...}", f',"{MORE}":0}}'))


def matches(shown: object, real: object, name: str = "") -> bool:
    """Return whether a real frame is the shown one, as far as it is shown. Clocks run."""
    if name in TIMES and isinstance(shown, str) and isinstance(real, str):
        return bool(TIME.fullmatch(real))
    if name == "clock" and isinstance(shown, dict) and isinstance(real, dict):
        return MORE in shown or shown.keys() == real.keys()
    if isinstance(shown, dict) and isinstance(real, dict):
        if MORE not in shown and shown.keys() != real.keys():
            return False
        return all(
            key in real and matches(value, real[key], key)
            for key, value in shown.items()
            if key != MORE
        )
    if isinstance(shown, list) and isinstance(real, list):
        if shown[-1:] == [MORE]:
            shown, real = shown[:-1], real[: len(shown) - 1]
        return len(shown) == len(real) and all(map(matches, shown, real))
    return shown == real
