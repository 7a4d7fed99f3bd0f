"""The comparison of the last server's state with everything that was acknowledged. Pure."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.kill.ledger import JSON, Ledger, SentCommand

Board = tuple[str, int | None, int | None]

ACTIONS = ("roll", "pass", "notify", "salt", "draw", "leave")


@dataclass
class Truth:
    """The state of the last server."""

    histories: dict[str, list[bytes]] = field(default_factory=dict)
    """Match -> all its updates."""
    refused_logins: set[str] = field(default_factory=set)
    seats: dict[str, str | None] = field(default_factory=dict)
    """Token -> the game in which it stands for a seat."""
    rankings: dict[Board, list[JSON]] = field(default_factory=dict)
    running: list[JSON] = field(default_factory=list)


def verdict(ledger: Ledger, truth: Truth) -> list[str]:
    """Everything that is wrong; empty if nothing is."""
    return [
        *ledger.faults,
        *_histories(ledger, truth),
        *_actions(ledger, truth),
        *(f"{nick} was registered and is not let in" for nick in sorted(truth.refused_logins)),
        *_tokens(ledger, truth),
        *_rankings(truth),
        *_running(ledger, truth),
    ]


# Updates


def _histories(ledger: Ledger, truth: Truth) -> Iterator[str]:
    """Numbered without gaps, ended once, and made of what everybody was told."""
    for game in ledger.games():
        history = truth.histories.get(game, [])
        updates = [json.loads(line) for line in history]
        if [update["seq"] for update in updates] != list(range(1, len(updates) + 1)):
            yield f"{game}: the numbers have gaps"
        if [("winner" in update) for update in updates] != [False] * (len(updates) - 1) + [True]:
            yield f"{game}: it has not ended, or not once"
        for seq, line in ledger.updates[game].items():
            if seq > len(history):
                yield f"{game}: update {seq} has vanished"
            elif history[seq - 1] != line:
                yield f"{game}: update {seq} has changed"


# Actions


def _actions(ledger: Ledger, truth: Truth) -> Iterator[str]:
    """Check that each seat's actions are its player's commands, in order.

    Each acknowledged command occurs once, a refused one never, an unanswered one at most once.
    """
    sent = defaultdict(list)
    for each in ledger.sent:
        if each.command["cmd"] in ACTIONS:
            sent[each.command["game"], each.by].append(each)
    for game, history in truth.histories.items():
        updates = [json.loads(line) for line in history]
        for nick in updates[0]["players"] if updates else ():
            commands = sent.pop((game, nick), [])
            problem = mismatch(commands, list(_events(updates, nick, commands)))
            if problem:
                yield f"{game}: {nick} {problem}"
    for (game, nick), commands in sent.items():
        for each in commands:
            if is_done(each) and each.command["cmd"] != "leave":
                yield f"{game}: {nick} did {each.command} in no match"


def _events(updates: list[JSON], nick: str, commands: list[SentCommand]) -> Iterator[JSON]:
    """Return the actions of a seat, without those that the server made for it."""
    is_auto = not any(
        each.command["cmd"] in ("roll", "pass") and is_done(each) for each in commands
    )
    for update in updates:
        event = update["event"]
        if event.get("player") == nick and not (is_auto and event["type"] in ("roll", "pass")):
            yield update


def is_done(sent: SentCommand) -> bool:
    return sent.reply is not None and "error" not in sent.reply


def mismatch(commands: list[SentCommand], updates: list[JSON]) -> str | None:
    """How far the events of a seat can be explained by its commands; None if wholly."""
    explained = {0}
    """How many events the commands up to here may have made."""
    for sent in commands:
        if sent.reply is not None and "error" in sent.reply:
            continue
        made = {
            count + 1
            for count in explained
            if count < len(updates) and could_make(sent, updates[count])
        }
        if sent.reply is not None and not made:
            return f"did {sent.command} after update {sent.seen}, which has not happened"
        explained = made if sent.reply is not None else explained | made
    if len(updates) not in explained:
        return f"has not done {updates[max(explained)]['event']}"
    return None


def could_make(sent: SentCommand, update: JSON) -> bool:
    """Return whether the command can be the cause of the update."""
    command, event = sent.command, update["event"]
    if update["seq"] <= sent.seen:
        return False
    cmd, happened = command["cmd"], event["type"]
    if cmd == "notify" and "cell" not in command:
        names = [name for name in ("route", "place", "from", "to") if name in command]
        return happened == "move" and all(event.get(name) == command[name] for name in names)
    if cmd == "notify":
        return _could_notify(command, update)
    given = {"salt": "salt", "draw": "offer"}.get(cmd)
    return bool(cmd == happened and (given is None or command[given] == event[given]))


def _could_notify(command: JSON, update: JSON) -> bool:
    event, cell = update["event"], command["cell"]
    if update["kind"] != "tab":
        return False  # no other kind has cells
    if event["type"] == "release":
        return "to" not in command
    if event["type"] == "select":
        return "to" not in command and bool(update["cell"] == cell)
    if event["type"] != "move":
        return False
    if "to" in command:
        return bool((event["cell"], event["to"]) == (cell, command["to"]))
    return cell in (event["cell"], event["to"])


# Everything else


def _tokens(ledger: Ledger, truth: Truth) -> Iterator[str]:
    for game, token in acknowledged_tokens(ledger).items():
        if truth.seats.get(token) != game[0]:
            yield f"{game[0]}: the token of {game[1]} stands for {truth.seats.get(token)}"


def acknowledged_tokens(ledger: Ledger) -> dict[tuple[str, str], str]:
    """The token of each seat in a match that has to be good: the last one, if that is known."""
    tokens: dict[tuple[str, str], str] = {}
    seats = {
        (game, nick)
        for game in ledger.games()
        for line in ledger.updates[game].values()
        for nick in json.loads(line).get("players", ())
    }
    # who left the wait of others has none
    just_given: dict[str, tuple[str, str]] = {}
    for sent in ledger.sent:
        seat = just_given.pop(sent.by, None)
        if sent.command["cmd"] != "join":
            continue
        if sent.reply is None and seat is not None:
            tokens.pop(seat, None)  # he joined again, and may have been given another
        elif is_done(sent) and (sent.reply["game"], sent.reply["nick"]) in seats:
            seat = (sent.reply["game"], sent.reply["nick"])
            tokens[seat], just_given[seat[1]] = sent.reply["token"], seat
    return tokens


def _rankings(truth: Truth) -> Iterator[str]:
    """Each match of two registered players counts once."""
    boards: dict[Board, dict[str, list[int]]] = defaultdict(dict)
    for history in filter(None, truth.histories.values()):
        last = json.loads(history[-1])
        nicks = list(last["players"])
        if "result" not in last or any(nick.startswith("guest-") for nick in nicks):
            continue
        scores = boards[last["kind"], last["options"].get("size"), group_of(nicks[0])]
        for nick in nicks:
            score = scores.setdefault(nick, [0, 0])
            score[0] += nick in last["result"]["winners"]
            score[1] += 1
    for board, lines in truth.rankings.items():
        actual = {line["nick"]: [line["victories"], line["games"]] for line in lines}
        if actual != boards[board]:
            yield f"the ranking of {board} is {actual} instead of {boards[board]}"


def name(number: int, group: int) -> str:
    """The nick of a registered player; all his games are of one group."""
    return f"bot{number}.{group}"


def group_of(nick: str) -> int:
    """The inverse of `name`."""
    return int(nick.rpartition(".")[2])


def _running(ledger: Ledger, truth: Truth) -> Iterator[str]:
    """Only those still play who were never told that they do."""
    known = {sent.by for sent in ledger.sent}
    for game in truth.running:
        nicks = set(game["players"]) & known
        if nicks:
            yield f"{game['game']} of {nicks} has not ended"
