// A match as one side of it sees it, made of the frames that come. Nothing here touches the page.

import { KINDS } from "./kinds.js";

/** A match that nothing is known of yet; who watches has no nick. */
export const opened = ({ game, nick = null, invite = null }) => ({
  game,
  me: nick,
  invite,
  update: null,
  online: {},
  gone: false,
});

/** The match after a frame. */
export function heard(match, frame) {
  if (frame.type === "presence") return { ...match, online: frame.online };
  if (frame.type !== "update") return match;
  return "kind" in frame ? { ...match, update: frame } : { ...match, gone: true };
}

/** What it is at: waiting, gone (nobody came), playing or over. */
export function phase({ gone, update }) {
  if (gone) return "gone";
  if (update === null) return "waiting";
  return "winner" in update ? "over" : "playing";
}

/** Its kind of game: the board, and what it is called. */
export const kindOf = (match) => KINDS[match.update.kind];

/** The nicks in the order of their seats. JSON objects lose it if a nick is a number. */
export function nicks(match) {
  const { colors } = kindOf(match);
  const { players } = match.update;
  return Object.keys(players).sort(
    (a, b) => colors.indexOf(players[a]) - colors.indexOf(players[b]),
  );
}

/** The seat that the board is seen from: one's own, or the first. */
export const seatOf = (match) => Math.max(0, nicks(match).indexOf(match.me));

/** The command that is expected of this side now, or null. */
export function due(match) {
  const mine = phase(match) === "playing" && match.update.turn === match.me;
  return mine ? match.update.expects : null;
}

/** Whether this side can do nothing more, while others play on. */
export const isOut = ({ update, me }) => update?.out?.includes(update.players[me]) ?? false;

/** What lies there of a throw, as its board says; null for nothing. */
export const lying = (update) => KINDS[update.kind].throws?.lying(update) ?? null;

/** Whether this match has throws. */
export const hasThrows = (match) => kindOf(match).throws !== undefined;

/** A nick as people read it. */
export function named(nick, me) {
  if (nick === me) return "You";
  if (nick.startsWith("house-")) return nick.slice("house-".length).replace(/\.\d+$/, "");
  if (nick.startsWith("guest-")) return `Guest ${nick.slice("guest-".length, "guest-".length + 4)}`;
  return nick;
}

/** Everybody at the table, in the order of the seats. */
export const players = (match) =>
  nicks(match).map((nick) => ({
    nick,
    name: named(nick, match.me),
    color: match.update.players[nick],
    isMe: nick === match.me,
    isNext: match.update.turn === nick,
    isAway: match.online[nick] === false,
    seconds: match.update.clock[nick],
    tally: kindOf(match).tally?.(match.update, match.update.players[nick]) ?? null,
  }));

/** The bot of the house that is played against, or null. */
export const houseBot = (match) => nicks(match).find((nick) => nick.startsWith("house-")) ?? null;
