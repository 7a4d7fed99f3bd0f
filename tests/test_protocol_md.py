"""protocol.md says what the server does: frames decode, transcripts replay, tables hold.

In a transcript `[...]` and `{...}` stand for anything of that sort, `...` at the end of an object
for further fields.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from attrs import Factory, frozen

from tabnet.games import GAMES
from tabnet.protocol.codec import FRAMES, decode, decode_frame
from tabnet.protocol.codes import CODES
from tabnet.protocol.dice import Dice, mix, salt_hash
from tabnet.protocol.frames import REPLIES, Failed
from tabnet.protocol.guide import guide
from tabnet.protocol.messages import COMMANDS
from tabnet.server.core.pairing.house_bots import HouseBots, nicks_of
from tests.harness import running

TEXT = (Path(__file__).parent.parent / "protocol.md").read_text(encoding="utf-8")
LINE = re.compile(r"^([a-z,]+)([<>]) (.*)$")
MORE = "..."
OFFERED = {"house": ["greedy", "expectimax:2"]}
"""The bots of a server, by its seed; none of them ever comes."""


@frozen
class Transcript:
    """What some clients said and heard, on a server that was started for it."""

    seed: str
    lines: list[tuple[list[str], str, str]] = Factory(list)


def transcripts():
    """The text blocks of the page; each remark `<!-- server: SEED -->` starts a new server."""
    found = [Transcript("")]
    for seed, block in re.findall(r"<!-- server: (.*?) -->|```text\n(.*?)```", TEXT, re.DOTALL):
        if seed:
            found.append(Transcript(seed))
        for line in block.splitlines():
            match = LINE.match(line)
            assert match, f"no line of a transcript: {line}"
            names, arrow, text = match.groups()
            found[-1].lines.append((names.split(","), arrow, text))
    return found


def expanded(text):
    """A frame of the page as JSON; what it leaves out becomes `MORE`."""
    text = text.replace("[...]", f'["{MORE}"]').replace("{...}", f'{{"{MORE}":0}}')
    return json.loads(text.replace(",...}", f',"{MORE}":0}}'))


def matches(shown, real, name=""):
    """Whether a real frame is the one shown, as far as it is shown. Clocks run."""
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
        return shown == [MORE] or (len(shown) == len(real) and all(map(matches, shown, real)))
    return shown == real


@pytest.mark.parametrize("transcript", transcripts(), ids=lambda transcript: transcript.seed)
async def test_transcript_is_what_a_server_says(transcript):
    async with running(transcript.seed) as server:
        offered = OFFERED.get(transcript.seed, [])
        server.hub.service.opponents = HouseBots({bot: nicks_of(bot, 1) for bot in offered})
        clients = {}
        for names, arrow, text in transcript.lines:
            for name in names:
                if name not in clients:
                    clients[name] = await server.connect()
                    if '"hello"' in text:
                        assert expanded(text) == {
                            "type": "hello",
                            "server": "tabnet",
                            "protocol": 1,
                            "games": list(GAMES),
                        } | ({"opponents": offered} if offered else {})
                        continue
                if arrow == ">":
                    await clients[name].send_line(text.encode())
                else:
                    line = await clients[name].receive_line()
                    decode_frame(line)
                    assert matches(expanded(text), json.loads(line)), f"{text}\nreally: {line!r}"


def all_lines():
    return [line for transcript in transcripts() for line in transcript.lines]


def test_every_command_is_shown_and_decodes():
    sent = [decode(text.encode()) for _, arrow, text in all_lines() if arrow == ">"]
    shown = {command.cmd for command in sent if not isinstance(command, Failed)}
    examples = {command for command in COMMANDS if f'{{"cmd":"{command}"' in TEXT}
    assert shown == examples == set(COMMANDS)


def test_every_frame_is_shown_and_decodes():
    frames = [expanded(text) for _, arrow, text in all_lines() if arrow == "<"]
    frames += [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    whole = [frame for frame in frames if MORE not in json.dumps(frame)]
    for frame in whole:
        decode_frame(json.dumps(frame).encode())
    assert {frame["type"] for frame in frames} == set(FRAMES)
    assert {frame.get("cmd") for frame in frames} >= set(REPLIES)
    assert any(frame["type"] == "update" for frame in whole)


@pytest.mark.parametrize("cmd", COMMANDS)
def test_every_command_has_its_fields_and_errors(cmd):
    section = re.search(rf"^### {cmd}\n(.*?)^##", TEXT, re.DOTALL | re.MULTILINE)
    assert section, f"no section about {cmd}"
    assert table_of(cmd) in section[1], f"in the section about {cmd} should stand\n{table_of(cmd)}"


def table_of(cmd):
    """The table of a command's fields and the list of its errors, as the page should have them."""
    about = guide(cmd)
    rows = [
        f"| `{name}` | {field['type']}{', required' * field['required']} | {field['means']} |\n"
        for name, field in about.fields.items()
        if name != "id"
    ]
    table = "| field | type | |\n|---|---|---|\n" + "".join(rows) + "\n" if rows else ""
    errors = ", ".join(f"`{code}`" for code in about.errors)
    return table + (f"Errors: {errors}.\n" if errors else "")


def test_the_table_of_errors_is_the_code_s():
    section = TEXT.split("\n## Errors\n")[1].split("\n## ")[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE)) == CODES


def test_every_link_inside_the_page_leads_somewhere():
    targets = {
        heading.lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    links = re.findall(r"\]\(#(.*?)\)", TEXT)
    assert links
    assert set(links) <= targets


def dice_section():
    return TEXT.split("\n## Dice\n")[1].split("\n## ")[0]


def test_the_example_of_a_board_that_is_dealt():
    section, fish = dice_section(), GAMES["fish"]
    secret = re.search(r"secret\n`([0-9a-f]{64})`", section)[1]
    options, board = re.search(r"ask for `(.*?)` play Fish on the board\n`(.*?)`", section).groups()
    dice = Dice("any", bytes.fromhex(secret), (mix(None), mix(bytes(16))))
    given = fish.make_options(json.loads(f"{{{options}}}"))
    assert dice.layout(fish, given) == json.loads(board)


def test_the_examples_of_the_dice():
    section = dice_section()
    examples, table = section.split("To test with:")[1].split("| salt of seat 0")
    game, secret, commitment, salt, hashed, mixed = re.findall(r"`([0-9a-f]+)`", examples)
    assert Dice(game, bytes.fromhex(secret), ()).commitment() == commitment
    assert salt_hash(bytes.fromhex(salt)) == hashed
    assert mix(bytes.fromhex(salt)).hex() == mixed
    rows = [[cell.strip("` ") for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:6]]
    assert [row[:2] for row in rows].count(["none", "none"]) == 1
    for *salts, ours, theirs in rows:
        mixes = [mix(None if text == "none" else bytes.fromhex(text)) for text in salts]
        dice = Dice(game, bytes.fromhex(secret), tuple(mixes))
        for seat, thrown in enumerate((ours, theirs)):
            rolls = [dice.throw(GAMES["tab"], seat, number).outcome for number in range(8)]
            assert thrown == ", ".join(str((6, 1, 2, 3, 4)[roll.bit_count()]) for roll in rolls)
