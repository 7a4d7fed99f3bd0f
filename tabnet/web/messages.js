// The sentences about a match: the player to act, the expected action, the last event. Pure.

import { KINDS } from "./kinds.js";
import { formatNick, getDueCommand, getKind, getPhase, getThrow } from "./match.js";

const REASONS = {
  no_moves: "no legal move is left",
  agreed: "the players agreed",
  timeout: "the salts did not come in time",
  others_out: "all other players are out",
  ended: "the operator ended the game",
  error: "the server closed the game after an error",
  abandoned: "all players left the game",
};
const REASONS_OF_A_PLAYER = {
  leave: "resigned",
  timeout: "ran out of time",
  illegal_move: "made an illegal move",
};

export function describeThrow(update) {
  const { describe, getName } = KINDS[update.kind].throws;
  return getName ? `${describe(update)}, ${getName(update)}` : describe(update);
}

/** Return the latest event as a sentence; "" if the rest of the page shows it. */
export function describeEvent({ update, me }) {
  const { event } = update;
  const player = event.player === undefined ? "" : formatNick(event.player, me);
  if (event.type === "roll" && getThrow(update)) return `${player} threw ${describeThrow(update)}.`;
  if (event.type === "pass") return `${player} passed.`;
  if (event.type === "draw")
    return event.offer ? `${player} offered a draw.` : `${player} withdrew the draw offer.`;
  if (event.type === "leave") return `${player} resigned.`;
  if (event.type === "timeout" && player) return `${player} ran out of time.`;
  return "";
}

function describeDueAction(match, chosenCount) {
  const { update } = match;
  const kind = getKind(match);
  const equipment = kind.throws?.equipment;
  switch (getDueCommand(match)) {
    case "roll":
      return getThrow(update) ? `no legal move, throw the ${equipment} again` : `throw the ${equipment}`;
    case "pass":
      return "no legal move, you have to pass";
    case "notify":
      return kind.prompt(update, chosenCount);
    case "salt":
      return "waiting for the salts of the dice";
    default:
      return null;
  }
}

function describeReason({ event, kind, result: { reason } }, me) {
  if (reason in REASONS_OF_A_PLAYER && event.player) {
    const name = event.player === me ? "you" : formatNick(event.player, me);
    return `${name} ${REASONS_OF_A_PLAYER[reason]}`;
  }
  return KINDS[kind].reasons?.[reason] ?? REASONS[reason] ?? reason.replaceAll("_", " ");
}

// Return the final scores in a game of two players, first the score of this player.
function formatScores({ update, me }) {
  const { getScore } = KINDS[update.kind];
  const colors = Object.entries(update.players);
  if (!getScore || colors.length > 2 || update.result.reason in REASONS_OF_A_PLAYER) return "";
  const own = colors.filter(([nick]) => nick === me);
  const others = colors.filter(([nick]) => nick !== me);
  return `, ${[...own, ...others].map(([, color]) => getScore(update, color)).join(" to ")}`;
}

function describeEnd(match) {
  const { update, me } = match;
  const { winners, reason } = update.result;
  const explanation = describeReason(update, me);
  if (["error", "ended", "abandoned"].includes(reason)) return `Nobody won: ${explanation}`;
  if (winners.length === 0) return `A draw: ${explanation}`;
  const names = winners.map((nick) => formatNick(nick, me)).join(" and ");
  if (me === null || winners.includes(me)) return `${names} won${formatScores(match)}: ${explanation}`;
  const to = Object.keys(update.players).length > 2 ? ` to ${names}` : "";
  return `You lost${to}${formatScores(match)}: ${explanation}`;
}

/** Return the line above the board; `chosenCount` cells of a move are chosen so far. */
export function describeMatch(match, chosenCount = 0) {
  switch (getPhase(match)) {
    case "gone":
      if (match.update !== null) return `Nobody won: ${REASONS.error}`;
      return "No opponent came. Start again, or play against a bot.";
    case "waiting":
      return describeWait(match);
    case "over":
      return describeEnd(match);
    default: {
      const { turn } = match.update;
      const action = describeDueAction(match, chosenCount);
      return action === null ? describeOtherTurn(match, turn) : `Your turn: ${action}`;
    }
  }
}

function describeWait({ invite, online }) {
  const presentCount = Object.keys(online).length;
  if (presentCount > 1) return `Waiting for more players: ${presentCount} are here`;
  return invite ? "Waiting for your friend" : "Waiting for an opponent";
}

function describeOtherTurn(match, turn) {
  const { expects } = match.update;
  if (turn === match.me) return "Your turn: one moment";
  const isFirstThrow = expects === "roll" && !getThrow(match.update);
  return `${formatNick(turn, match.me)} is to ${isFirstThrow ? "throw" : "play"}`;
}
