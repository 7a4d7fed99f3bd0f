// What is said about a match: whose turn it is, what is expected, what has happened. Pure.

import { due, hasThrows, kindOf, lying, named, phase } from "./match.js";
import { KINDS } from "./kinds.js";

const REASONS = {
  no_moves: "no move is left",
  agreed: "both wanted a draw",
  leave: "given up",
  timeout: "the time ran out",
  illegal_move: "an illegal move",
  others_out: "nobody else is left",
  ended: "ended by the operator of the server",
  error: "the server closed the game after an error",
};

const turnOf = (nick, me) => (nick === me ? "Your turn" : `${named(nick, me)} is next`);

/** The value of a throw and its name. */
export function thrown(update) {
  const { text, name } = KINDS[update.kind].throws;
  return name ? `${text(update)}, ${name(update)}` : text(update);
}

/** What happened last, as a sentence; nothing where the rest says it. */
export function happened({ update, me }) {
  const { event } = update;
  const who = event.player === undefined ? "" : named(event.player, me);
  const is = who === "You" ? "You have" : `${who} has`;
  if (event.type === "roll" && lying(update)) return `${is} thrown ${thrown(update)}.`;
  if (event.type === "pass") return `${is} passed.`;
  if (event.type === "draw")
    return event.offer ? `${is} offered a draw.` : `${is} taken the offer of a draw back.`;
  if (event.type === "leave") return `${is} given up.`;
  if (event.type === "timeout" && who)
    return `${who === "You" ? "Your" : `${who}’s`} time ran out.`;
  return "";
}

function wanted(match, chosen) {
  const { update } = match;
  const kind = kindOf(match);
  const things = kind.throws?.things;
  switch (due(match)) {
    case "roll":
      return lying(update) ? `nothing can move, throw the ${things} again` : `throw the ${things}`;
    case "pass":
      return "nothing can move, you have to pass";
    case "notify":
      return kind.prompt(update, chosen);
    case "salt":
      return "the dice are being sealed";
    default:
      return null;
  }
}

function ending({ update, me }) {
  const { winners, reason } = update.result;
  const { reasons = {} } = KINDS[update.kind];
  const why = reasons[reason] ?? REASONS[reason] ?? reason.replaceAll("_", " ");
  if (reason === "error") return `Nobody has won: ${why}`;
  if (winners.length === 0) return `A draw: ${why}`;
  const names = winners.map((nick) => named(nick, me));
  const isMine = winners.includes(me) && winners.length === 1;
  if (isMine) return `You have won: ${why}`;
  return `${names.join(" and ")} ${names.length === 1 && names[0] !== "You" ? "has" : "have"} won: ${why}`;
}

/** The line above the board, when `chosen` cells of a move are chosen. */
export function line(match, chosen = 0) {
  switch (phase(match)) {
    case "gone":
      if (match.update !== null) return `Nobody has won: ${REASONS.error}`;
      return "Nobody came. Start again, or play against a bot of the house.";
    case "waiting":
      return expected(match);
    case "over":
      return ending(match);
    default: {
      const { turn } = match.update;
      const what = wanted(match, chosen);
      return what === null ? waitingFor(match, turn) : `${turnOf(turn, match.me)}: ${what}`;
    }
  }
}

function expected({ invite, online }) {
  const here = Object.keys(online).length;
  if (here > 1) return `${here} of you are here: waiting for more`;
  return invite ? "Waiting for your friend" : "Waiting for somebody who wants the same game";
}

function waitingFor(match, turn) {
  const { expects } = match.update;
  if (turn === match.me) return "Your turn: one moment";
  const what = hasThrows(match) && expects === "roll" && !lying(match.update) ? "to throw" : "to play";
  return `${turnOf(turn, match.me)} ${what}`;
}
