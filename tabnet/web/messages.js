// The sentences about a match: the player to act, the expected action, the last event. Pure.

import { due, hasThrows, kindOf, lying, named, phase } from "./match.js";
import { KINDS } from "./kinds.js";

const REASONS = {
  no_moves: "no legal move is left",
  agreed: "the players agreed",
  timeout: "the salts did not come in time",
  others_out: "all other players are out",
  ended: "the operator ended the game",
  error: "the server closed the game after an error",
};
const REASONS_OF_A_PLAYER = {
  leave: "resigned",
  timeout: "ran out of time",
  illegal_move: "made an illegal move",
};

/** The value of the latest throw, with its name. */
export function thrown(update) {
  const { text, name } = KINDS[update.kind].throws;
  return name ? `${text(update)}, ${name(update)}` : text(update);
}

/** The latest event as a sentence; "" if the rest of the page shows it. */
export function happened({ update, me }) {
  const { event } = update;
  const who = event.player === undefined ? "" : named(event.player, me);
  if (event.type === "roll" && lying(update)) return `${who} threw ${thrown(update)}.`;
  if (event.type === "pass") return `${who} passed.`;
  if (event.type === "draw")
    return event.offer ? `${who} offered a draw.` : `${who} withdrew the draw offer.`;
  if (event.type === "leave") return `${who} resigned.`;
  if (event.type === "timeout" && who) return `${who} ran out of time.`;
  return "";
}

function wanted(match, chosen) {
  const { update } = match;
  const kind = kindOf(match);
  const things = kind.throws?.things;
  switch (due(match)) {
    case "roll":
      return lying(update) ? `no legal move, throw the ${things} again` : `throw the ${things}`;
    case "pass":
      return "no legal move, you have to pass";
    case "notify":
      return kind.prompt(update, chosen);
    case "salt":
      return "waiting for the salts of the dice";
    default:
      return null;
  }
}

function reasonOf({ event, kind, result: { reason } }, me) {
  if (reason in REASONS_OF_A_PLAYER && event.player) {
    const name = event.player === me ? "you" : named(event.player, me);
    return `${name} ${REASONS_OF_A_PLAYER[reason]}`;
  }
  return KINDS[kind].reasons?.[reason] ?? REASONS[reason] ?? reason.replaceAll("_", " ");
}

// The final scores in a game of two players, the own one first.
function scores({ update, me }) {
  const { score } = KINDS[update.kind];
  const colors = Object.entries(update.players);
  if (!score || colors.length > 2 || update.result.reason in REASONS_OF_A_PLAYER) return "";
  const own = colors.filter(([nick]) => nick === me);
  const others = colors.filter(([nick]) => nick !== me);
  return `, ${[...own, ...others].map(([, color]) => score(update, color)).join(" to ")}`;
}

function ending(match) {
  const { update, me } = match;
  const { winners, reason } = update.result;
  const why = reasonOf(update, me);
  if (["error", "ended"].includes(reason)) return `Nobody won: ${why}`;
  if (winners.length === 0) return `A draw: ${why}`;
  const names = winners.map((nick) => named(nick, me)).join(" and ");
  if (me === null || winners.includes(me)) return `${names} won${scores(match)}: ${why}`;
  const to = Object.keys(update.players).length > 2 ? ` to ${names}` : "";
  return `You lost${to}${scores(match)}: ${why}`;
}

/** The line above the board; `chosen` cells of a move are chosen so far. */
export function line(match, chosen = 0) {
  switch (phase(match)) {
    case "gone":
      if (match.update !== null) return `Nobody won: ${REASONS.error}`;
      return "No opponent came. Start again, or play against a bot.";
    case "waiting":
      return expected(match);
    case "over":
      return ending(match);
    default: {
      const { turn } = match.update;
      const what = wanted(match, chosen);
      return what === null ? waitingFor(match, turn) : `Your turn: ${what}`;
    }
  }
}

function expected({ invite, online }) {
  const here = Object.keys(online).length;
  if (here > 1) return `Waiting for more players: ${here} are here`;
  return invite ? "Waiting for your friend" : "Waiting for an opponent";
}

function waitingFor(match, turn) {
  const { expects } = match.update;
  if (turn === match.me) return "Your turn: one moment";
  const what = hasThrows(match) && expects === "roll" && !lying(match.update) ? "throw" : "play";
  return `${named(turn, match.me)} is to ${what}`;
}
