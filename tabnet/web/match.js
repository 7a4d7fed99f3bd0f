// The state of a match for one player, made from frames. Nothing here touches the page.

import { KINDS } from "./kinds.js";

/** A match before its first frame; a spectator has no nick. */
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

/** The phase: waiting, gone (no opponent came), playing or over. */
export function phase({ gone, update }) {
  if (gone) return "gone";
  if (update === null) return "waiting";
  return "winner" in update ? "over" : "playing";
}

/** The board of its kind of game. */
export const kindOf = (match) => KINDS[match.update.kind];

/** The nicks in seat order, which JSON objects lose if a nick is a number. */
export function nicks(match) {
  const { colors } = kindOf(match);
  const { players } = match.update;
  return Object.keys(players).sort(
    (a, b) => colors.indexOf(players[a]) - colors.indexOf(players[b]),
  );
}

/** The seat at the bottom of the board: the own one, or the first. */
export const seatOf = (match) => Math.max(0, nicks(match).indexOf(match.me));

/** The command that this player has to send now, or null. */
export function due(match) {
  const mine = phase(match) === "playing" && match.update.turn === match.me;
  return mine ? match.update.expects : null;
}

/** Return whether this player is out, while others play on. */
export const isOut = ({ update, me }) => update?.out?.includes(update.players[me]) ?? false;

/** The visible throw, as the board describes it; null for none. */
export const lying = (update) => KINDS[update.kind].throws?.lying(update) ?? null;

/** Return whether this match has throws. */
export const hasThrows = (match) => kindOf(match).throws !== undefined;

/** A nick as the page shows it. */
export function named(nick, me) {
  if (nick === me) return "You";
  if (nick.startsWith("house-")) return nick.slice("house-".length).replace(/\.\d+$/, "");
  if (nick.startsWith("guest-")) return `Guest ${nick.slice("guest-".length, "guest-".length + 4)}`;
  return nick;
}

/** The players, in seat order. */
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

/** The nick of the house bot in the match, or null. */
export const houseBot = (match) => nicks(match).find((nick) => nick.startsWith("house-")) ?? null;
