// The sentences about a match: the player to act, the expected action, the last event. Pure.

import { KINDS } from "./kinds.js";
import { formatMove, formatNick, getDueCommand, getKind, getPhase, getThrow } from "./match.js";
import { formatList, getText, hasText } from "./texts.js";

/** The reasons for which one player is out; the event names the player. */
const REASONS_OF_A_PLAYER = ["leave", "timeout", "illegal_move"];
const REASONS_WITHOUT_WINNER = ["error", "ended", "abandoned"];

export function describeThrow(update) {
  const { describe, getName } = KINDS[update.kind].throws;
  return getName ? `${describe(update)}, ${getName(update)}` : describe(update);
}

/** Return a sentence of which there is another form for this player. */
function describeAct(key, nick, me, values = {}) {
  const player = formatNick(nick, me);
  return getText(`event.${key}${nick === me ? ".you" : ""}`, { player, ...values });
}

/** Return the latest event as a sentence; "" if the rest of the page shows it. */
export function describeEvent(match) {
  const { update, me } = match;
  const { event } = update;
  if (event.player === undefined) return "";
  const describe = (key, values) => describeAct(key, event.player, me, values);
  switch (event.type) {
    case "roll":
      return getThrow(update) ? describe("roll", { throw: describeThrow(update) }) : "";
    case "move":
      return describe("move", { move: formatMove(getKind(match), event) });
    case "draw":
      return describe(event.offer ? "offer" : "withdraw");
    case "pass":
    case "leave":
    case "timeout":
      return describe(event.type);
    default:
      return "";
  }
}

/** Return the request to this player, or null if nothing is due. */
function describeDueAction(match, chosenCount) {
  const { update } = match;
  const kind = getKind(match);
  const dueCommand = getDueCommand(match);
  switch (dueCommand) {
    case "roll":
      return getText(`due.${getThrow(update) ? "again" : "roll"}.${kind.throws.equipment}`);
    case "notify":
      return kind.prompt(update, chosenCount);
    case "pass":
    case "salt":
      return getText(`due.${dueCommand}`);
    default:
      return null;
  }
}

/** Return the reason of the end as a sentence. */
export function describeReason({ update, me }) {
  const { event, kind, result } = update;
  if (REASONS_OF_A_PLAYER.includes(result.reason) && event.player)
    return describeAct(result.reason, event.player, me);
  const key = `reason.${result.reason}`;
  const own = KINDS[kind];
  if (own.hasText(key)) return own.getText(key);
  return hasText(key) ? getText(key) : result.reason.replaceAll("_", " ");
}

// Return the final scores in a game of two players, first the score of this player; null for none.
function getScores({ update, me }) {
  const { getScore } = KINDS[update.kind];
  const players = Object.entries(update.players);
  if (!getScore || players.length > 2) return null;
  if (REASONS_OF_A_PLAYER.includes(update.result.reason)) return null;
  const ordered = [...players.filter(([nick]) => nick === me), ...players.filter(([nick]) => nick !== me)];
  const [own, other] = ordered.map(([, color]) => getScore(update, color));
  return { own, other };
}

/** Return the result as a headline. */
function describeResult(match) {
  const { update, me } = match;
  const { winners, reason } = update.result;
  const scores = getScores(match);
  const getResult = (key, values) =>
    scores ? getText(`${key}.score`, { ...values, ...scores }) : getText(key, values);
  if (REASONS_WITHOUT_WINNER.includes(reason)) return getText("end.nobody");
  if (winners.length === 0) return getResult("end.drawn");
  const players = formatList(winners.map((nick) => formatNick(nick, me)));
  if (me === null || (winners.includes(me) && winners.length > 1))
    return getResult("end.winners", { players, count: winners.length });
  if (winners.includes(me)) return getResult("end.won");
  const isBetweenTwo = Object.keys(update.players).length === 2;
  return isBetweenTwo ? getResult("end.lost") : getText("end.lost.to", { players });
}

/**
 * Return the line above the board, and the line below it; `chosenCount` cells of a move are chosen
 * so far.
 */
export function describeMatch(match, chosenCount = 0) {
  switch (getPhase(match)) {
    case "gone":
      if (match.update !== null) return [getText("gone.error"), getText("reason.error")];
      return [getText("gone"), getText("gone.why")];
    case "waiting":
      return [describeWait(match), ""];
    case "over":
      return [describeResult(match), describeReason(match)];
    default: {
      const request = describeDueAction(match, chosenCount);
      if (request === null) return [describeOtherTurn(match), describeEvent(match)];
      return [`${getText("turn.yours")} ${request}`, describeEvent(match)];
    }
  }
}

function describeWait({ invite, again, online }) {
  const count = Object.keys(online).length;
  if (count > 1) return getText("wait.more", { count });
  if (again) return getText("wait.again");
  return getText(invite ? "wait.friend" : "wait.anyone");
}

function describeOtherTurn(match) {
  const { expects, turn } = match.update;
  if (turn === match.me) return getText("turn.yours.wait");
  const isFirstThrow = expects === "roll" && !getThrow(match.update);
  return getText(isFirstThrow ? "turn.throws" : "turn.plays", { player: formatNick(turn, match.me) });
}
