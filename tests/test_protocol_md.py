"""protocol.md describes the server: frames decode, transcripts replay, tables equal the code's.

In a transcript `[...]` and `{...}` stand for any list and object, and `...` at the end of an object
for further fields. A reply that is not shown has no fields of its own.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys

import pytest
import trio
from attrs import Factory, frozen

from tabnet.errors import CODES as SHARED
from tabnet.games import GAMES
from tabnet.protocol.codec import FRAMES, decode, decode_frame
from tabnet.protocol.dice import Dice, hash_salt, mix_salt
from tabnet.protocol.error_codes import CODES
from tabnet.protocol.frames import REPLIES, Failed
from tabnet.protocol.messages import COMMANDS, FEEDS
from tabnet.server.core.pairing.house_bots import HouseBots, make_nicks
from tests.__main__ import ROOT
from tests.harness import running
from tests.protocol_page import (
    MORE,
    TEXT,
    anchors,
    codes_in,
    codes_of_kind,
    dice_lines,
    errors_of,
    errors_of_every_command,
    expanded,
    facts_of_kind,
    fields_of_command,
    fields_of_kind,
    groups_of_errors,
    matches,
    row_of,
    section,
    shared_table,
)

LINE = re.compile(r"^([a-z,]+)([<>]) (.*)$")
OFFERED = {"house": ["greedy", "expectimax:2"]}
"""The bots of a server, by its seed; none of them ever comes."""

PUBLISHED_ANCHORS = """
    the-line a-first-game commands-and-replies who-you-are the-commands
    register join leave roll notify pass update ranking state moves check draw salt
    games help schema ping quit updates more-than-two-players tab draughts fish plakoto
    clocks dice house-bots over-http the-original-web-api limits the-order-of-logins errors
    a-checklist-for-clients
"""
"""The anchors of earlier versions of the page; other sites may link to them."""


@frozen
class Transcript:
    """The lines between some clients and a server that was started for them."""

    seed: str
    lines: list[tuple[list[str], str, str]] = Factory(list)


def transcripts():
    """Return the transcripts of the page; each `<!-- server: SEED -->` starts a new server."""
    found = [Transcript("")]
    for seed, block in re.findall(r"<!-- server: (.*?) -->|```text\n(.*?)```", TEXT, re.DOTALL):
        if seed:
            found.append(Transcript(seed))
        for line in block.splitlines():
            match = LINE.match(line)
            assert match, f"no line of a transcript: {line}"
            names, arrow, text = match.groups()
            found[-1].lines.append((names.split(","), arrow, text))
    return [Transcript(each.seed, with_empty_replies(each.lines)) for each in found]


def with_empty_replies(lines):
    """Add the replies that the page leaves out: those without fields of their own."""
    complete = []
    for number, (names, arrow, text) in enumerate(lines):
        complete.append((names, arrow, text))
        following = [line for line in lines[number + 1 :] if set(names) & set(line[0])]
        if arrow == ">" and not (following and '"type":"reply"' in following[0][2]):
            command = json.loads(text)
            reply = {"type": "reply", "cmd": command["cmd"]}
            reply |= {"id": command["id"]} if "id" in command else {}
            complete.append((names, "<", json.dumps(reply)))
    return complete


@pytest.mark.parametrize("transcript", transcripts(), ids=lambda transcript: transcript.seed)
async def test_a_server_sends_the_lines_of_a_transcript(transcript):
    async with running(transcript.seed) as server:
        offered = OFFERED.get(transcript.seed, [])
        server.hub.service.opponents = HouseBots({bot: make_nicks(bot, 1) for bot in offered})
        clients = {}
        for names, arrow, text in transcript.lines:
            for name in names:
                if name not in clients:
                    clients[name] = await server.connect()
                    if '"hello"' in text:
                        greeting = {"type": "hello", "server": "tabnet", "protocol": 1}
                        greeting |= {"games": list(GAMES), "feeds": list(FEEDS)}
                        greeting |= {"opponents": offered} if offered else {}
                        assert matches(expanded(text), greeting)
                        continue
                if arrow == ">":
                    await clients[name].send_line(text.encode())
                else:
                    line = await clients[name].receive_line()
                    decode_frame(line)
                    assert matches(expanded(text), json.loads(line)), f"{text}\nreally: {line!r}"


def test_the_secret_of_a_pair_that_the_page_names_follows_from_its_lines():
    lines = dice_lines()
    game = {"seats": ["random", "greedy"], "pair": 0}
    secret = lines["compute_dice_secret"](lines["hash_seed"]("spring"), game)
    assert f"the secret\n`{secret}`" in TEXT


LANGUAGES = [("bash", "bash"), ("python", sys.executable)]


def read_bot(language, port):
    """Return a bot of the page that connects to another port."""
    (bot,) = re.findall(rf"<!-- bot: {language} -->\n```\w+\n(.*?)```", TEXT, re.DOTALL)
    assert len(bot.splitlines()) <= 10
    return bot.replace("45679", str(port))


@pytest.mark.parametrize(("language", "command"), LANGUAGES)
async def test_the_bots_of_the_page_play_a_game(language, command):
    results = []

    async def play(program):
        ended = await trio.run_process([command, "-c", program], capture_stdout=True)
        results.append(ended.stdout.decode())

    async with running() as server, trio.open_nursery() as nursery:
        program = read_bot(language, server.ports["tcp"].local_address[1])
        nursery.start_soon(play, program)
        nursery.start_soon(play, program)
    assert len(results) == 2
    assert all("winners" in result for result in results)


@pytest.mark.parametrize(("language", "command"), LANGUAGES)
def test_the_bots_of_the_page_read_every_frame_of_a_packet(language, command):
    """The game may end, by a timeout or a resignation, right after a turn was sent."""
    turn = {"type": "turn", "moves": [{"cmd": "roll"}], "clock": {}}
    end = {"type": "update", "winner": None, "result": {"winners": []}}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        program = read_bot(language, listening.getsockname()[1])
        with subprocess.Popen([command, "-c", program], stdout=subprocess.PIPE) as bot:
            connection, _ = listening.accept()
            with connection:
                lines = (json.dumps(frame, separators=(",", ":")) for frame in (turn, end))
                connection.sendall("\n".join((*lines, "")).encode())
                connection.shutdown(socket.SHUT_WR)
                output, _ = bot.communicate(timeout=10)
    assert b"winners" in output


def all_lines():
    return [line for transcript in transcripts() for line in transcript.lines]


def test_a_transcript_shows_every_command():
    sent = [decode(text.encode()) for _, arrow, text in all_lines() if arrow == ">"]
    shown = {command.cmd for command in sent if not isinstance(command, Failed)}
    examples = {command for command in COMMANDS if f'{{"cmd":"{command}"' in TEXT}
    assert shown == examples == set(COMMANDS)


def test_a_transcript_shows_every_frame():
    frames = [expanded(text) for _, arrow, text in all_lines() if arrow == "<"]
    frames += [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]
    whole = [frame for frame in frames if MORE not in json.dumps(frame)]
    for frame in whole:
        decode_frame(json.dumps(frame).encode())
    assert {frame["type"] for frame in frames} == set(FRAMES)
    assert {frame.get("cmd") for frame in frames} >= set(REPLIES)
    assert any(frame["type"] == "update" for frame in whole)


def test_every_refusal_in_a_transcript_has_a_code_of_its_command():
    of_all = errors_of_every_command()
    frames = [expanded(text) for _, arrow, text in all_lines() if arrow == "<"]
    refusals = [(frame["cmd"], frame["code"]) for frame in frames if "error" in frame]
    assert refusals
    assert [(cmd, code) for cmd, code in refusals if code not in {*of_all, *errors_of(cmd)}] == []


@pytest.mark.parametrize("cmd", COMMANDS)
def test_every_command_has_its_fields(cmd):
    for part in fields_of_command(cmd):
        assert part in section(cmd), f"in the section {cmd} should stand\n{part}"


@pytest.mark.parametrize("cmd", COMMANDS)
def test_every_command_has_an_example(cmd):
    text = section(cmd)
    example = json.dumps(COMMANDS[cmd].example, separators=(",", ":"))
    assert f'> {{"cmd":"{cmd}"' in text or f"- Example: `{example}`\n" in text


def test_fields_of_several_commands_have_a_table():
    assert shared_table() in section("Shared fields"), shared_table()
    assert row_of("ping", "id") in section("Commands and replies"), row_of("ping", "id")


@pytest.mark.parametrize("cmd", COMMANDS)
def test_every_command_names_exactly_its_errors(cmd):
    named, given = errors_of(cmd), COMMANDS[cmd].errors
    assert set(named) == set(given), (
        f"remove {set(named) - set(given)}, add {set(given) - set(named)}"
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_section_of_a_kind_has_its_facts_fields_and_errors(game):
    text = section(game.title)
    for part in (facts_of_kind(game), fields_of_kind(game), codes_of_kind(game)):
        assert part in text, f"in the section {game.title} should stand\n{part}"


def test_every_code_has_a_group_or_a_command():
    grouped = {code for codes in groups_of_errors().values() for code in codes_in(codes)}
    named = {code for cmd in COMMANDS for code in errors_of(cmd)}
    assert grouped | named == set(CODES) - {"invalid_position"}


def test_the_table_of_errors_has_the_codes_of_no_kind():
    assert dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section("Errors"), re.MULTILINE)) == SHARED


def test_every_link_inside_the_page_leads_to_one_place():
    links = re.findall(r"\]\(#(.*?)\)", TEXT)
    assert links
    assert set(links) <= set(anchors())
    assert len(set(anchors())) == len(anchors())


def test_every_row_of_a_table_has_a_cell_for_each_column():
    tables = re.findall(r"(?:^\|.*\|\n)+", TEXT, re.MULTILINE)
    assert tables
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", row)): row for row in table.splitlines()}
        assert len(widths) == 1, widths


def test_links_from_other_sites_still_lead_somewhere():
    assert set(PUBLISHED_ANCHORS.split()) <= set(anchors())


def test_links_from_the_other_texts_lead_somewhere():
    texts = [ROOT / "README.md", *ROOT.glob("tabnet/**/*.md"), *ROOT.glob(".github/*.md")]
    links = {
        link for text in texts for link in re.findall(r"protocol\.md#([\w-]+)", text.read_text())
    }
    assert links
    assert links <= set(anchors())


def test_the_example_of_a_dealt_board_is_correct():
    text, fish = section("Dice"), GAMES["fish"]
    secret = re.search(r"secret\n`([0-9a-f]{64})`", text)[1]
    options, board = re.search(r"ask for `(.*?)` play Fish on the board\n`(.*?)`", text).groups()
    dice = Dice("any", bytes.fromhex(secret), (mix_salt(None), mix_salt(bytes(16))))
    given = fish.make_options(json.loads(f"{{{options}}}"))
    assert dice.layout(fish, given) == json.loads(board)


def test_the_examples_of_dice_are_correct():
    examples, table = section("Dice").split("To test with:")[1].split("| salt of seat 0")
    game, secret, commitment, salt, hashed, mixed = re.findall(r"`([0-9a-f]+)`", examples)
    assert Dice(game, bytes.fromhex(secret), ()).commitment() == commitment
    assert hash_salt(bytes.fromhex(salt)) == hashed
    assert mix_salt(bytes.fromhex(salt)).hex() == mixed
    rows = [[cell.strip("` ") for cell in row.split("|")[1:-1]] for row in table.splitlines()[2:6]]
    assert [row[:2] for row in rows].count(["none", "none"]) == 1
    for *salts, ours, theirs in rows:
        mixes = [mix_salt(None if text == "none" else bytes.fromhex(text)) for text in salts]
        dice = Dice(game, bytes.fromhex(secret), tuple(mixes))
        for seat, thrown in enumerate((ours, theirs)):
            rolls = [dice.throw(GAMES["tab"], seat, number).outcome for number in range(8)]
            assert thrown == ", ".join(str((6, 1, 2, 3, 4)[roll.bit_count()]) for roll in rolls)
