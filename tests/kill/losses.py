"""The comparison of the last server's state with everything that was acknowledged. Pure."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.kill.traffic import JSON, SentCommand, Traffic

Board = tuple[str, int | None, int | None]

ACTIONS = ("roll", "pass", "notify", "salt", "draw", "leave")


@dataclass
class FinalState:
    """The state of the last server."""

    histories: dict[str, list[bytes]] = field(default_factory=dict)
    """Match -> all its updates."""
    refused_logins: set[str] = field(default_factory=set)
    seats: dict[str, str | None] = field(default_factory=dict)
    """Token -> the game in which it stands for a seat."""
    rankings: dict[Board, list[JSON]] = field(default_factory=dict)
    running: list[JSON] = field(default_factory=list)


def find_losses(traffic: Traffic, state: FinalState) -> list[str]:
    """Return every difference between the traffic and the final state."""
    return [
        *traffic.faults,
        *_histories(traffic, state),
        *_actions(traffic, state),
        *(f"{nick} was registered and is not let in" for nick in sorted(state.refused_logins)),
        *_tokens(traffic, state),
        *_rankings(state),
        *_running(traffic, state),
    ]


# Updates


def _histories(traffic: Traffic, state: FinalState) -> Iterator[str]:
    """Check that updates have no gaps, end once, and equal all updates that were sent."""
    for game in traffic.games():
        history = state.histories.get(game, [])
        updates = [json.loads(line) for line in history]
        if [update["seq"] for update in updates] != list(range(1, len(updates) + 1)):
            yield f"{game}: the numbers have gaps"
        if [("winner" in update) for update in updates] != [False] * (len(updates) - 1) + [True]:
            yield f"{game}: it has not ended, or not once"
        for seq, line in traffic.updates[game].items():
            if seq > len(history):
                yield f"{game}: update {seq} has vanished"
            elif history[seq - 1] != line:
                yield f"{game}: update {seq} has changed"


# Actions


def _actions(traffic: Traffic, state: FinalState) -> Iterator[str]:
    """Check that each seat's actions are its player's commands, in order.

    Each acknowledged command occurs once, a refused one never, an unanswered one at most once.
    """
    sent = defaultdict(list)
    for each in traffic.sent:
        if each.command["cmd"] in ACTIONS:
            sent[each.command["game"], each.by].append(each)
    for game, history in state.histories.items():
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
    """Return the first event or command that has no counterpart, or None."""
    explained = {0}
    """The possible numbers of events that the commands up to here have caused."""
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


def _tokens(traffic: Traffic, state: FinalState) -> Iterator[str]:
    for game, token in acknowledged_tokens(traffic).items():
        if state.seats.get(token) != game[0]:
            yield f"{game[0]}: the token of {game[1]} stands for {state.seats.get(token)}"


def acknowledged_tokens(traffic: Traffic) -> dict[tuple[str, str], str]:
    """Return the valid token of each seat in a match: the latest one, if it is known."""
    tokens: dict[tuple[str, str], str] = {}
    seats = {
        (game, nick)
        for game in traffic.games()
        for line in traffic.updates[game].values()
        for nick in json.loads(line).get("players", ())
    }
    # A player who left the wait of others has no seat.
    just_given: dict[str, tuple[str, str]] = {}
    for sent in traffic.sent:
        seat = just_given.pop(sent.by, None)
        if sent.command["cmd"] != "join":
            continue
        if sent.reply is None and seat is not None:
            tokens.pop(seat, None)  # a second join may have replaced it
        elif is_done(sent) and (sent.reply["game"], sent.reply["nick"]) in seats:
            seat = (sent.reply["game"], sent.reply["nick"])
            tokens[seat], just_given[seat[1]] = sent.reply["token"], seat
    return tokens


def _rankings(state: FinalState) -> Iterator[str]:
    """Check that each match of registered players counts once."""
    boards: dict[Board, dict[str, list[int]]] = defaultdict(dict)
    for history in filter(None, state.histories.values()):
        last = json.loads(history[-1])
        nicks = list(last["players"])
        if "result" not in last or any(nick.startswith("guest-") for nick in nicks):
            continue
        scores = boards[last["kind"], last["options"].get("size"), group_of(nicks[0])]
        for nick in nicks:
            score = scores.setdefault(nick, [0, 0])
            score[0] += nick in last["result"]["winners"]
            score[1] += 1
    for board, lines in state.rankings.items():
        actual = {line["nick"]: [line["victories"], line["games"]] for line in lines}
        if actual != boards[board]:
            yield f"the ranking of {board} is {actual} instead of {boards[board]}"


def name(number: int, group: int) -> str:
    """Return the nick of a registered player; all games of the player are of one group."""
    return f"bot{number}.{group}"


def group_of(nick: str) -> int:
    """Return the group of a nick that `name` made."""
    return int(nick.rpartition(".")[2])


def _running(traffic: Traffic, state: FinalState) -> Iterator[str]:
    """Check that a running match has only players who do not know that they play."""
    known = {sent.by for sent in traffic.sent}
    for game in state.running:
        nicks = set(game["players"]) & known
        if nicks:
            yield f"{game['game']} of {nicks} has not ended"
