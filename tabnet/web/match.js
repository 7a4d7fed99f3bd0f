// The state of a match for one player, made from frames. Pure.

import { KINDS } from "./kinds.js";
import { getText } from "./texts.js";

/**
 * Return a match before its first frame; a spectator has no nick. `again` is true if the player has
 * asked the players of a finished match.
 */
export const createMatch = ({ game, nick = null, invite = null, again = null }) => ({
  game,
  me: nick,
  invite,
  again,
  update: null,
  online: {},
  gone: false,
});

export function applyFrame(match, frame) {
  if (frame.type === "presence") return { ...match, online: frame.online };
  if (frame.type !== "update") return match;
  return "kind" in frame ? { ...match, update: frame } : { ...match, gone: true };
}

/** Return the phase: waiting, gone (no opponent came), playing or over. */
export function getPhase({ gone, update }) {
  if (gone) return "gone";
  if (update === null) return "waiting";
  return "winner" in update ? "over" : "playing";
}

export const getKind = (match) => KINDS[match.update.kind];

/** Return the nicks in seat order, which JSON objects lose if a nick is a number. */
export function listNicks(match) {
  const { colors } = getKind(match);
  const { players } = match.update;
  return Object.keys(players).sort(
    (a, b) => colors.indexOf(players[a]) - colors.indexOf(players[b]),
  );
}

/** Return the seat at the bottom of the board: the player's, or the first for a spectator. */
export const getBottomSeat = (match) => Math.max(0, listNicks(match).indexOf(match.me));

/** Return the command that this player has to send now, or null. */
export function getDueCommand(match) {
  const isOwnTurn = getPhase(match) === "playing" && match.update.turn === match.me;
  return isOwnTurn ? match.update.expects : null;
}

/** Return whether this player is out, while others play on. */
export const isOut = ({ update, me }) => update?.out?.includes(update.players[me]) ?? false;

/** Return whether this player plays in a match that is not over. */
export const isPlaying = (match) =>
  match?.me != null && getPhase(match) === "playing" && !isOut(match);

/** Return the cells of a move by their names, in the order in which a player chooses them. */
export const formatMove = ({ listCells, nameCell = String }, move) =>
  listCells(move).map(nameCell).join("–");

/** Return the visible throw as the values of its sticks or dice; null for none. */
export const getThrow = (update) => KINDS[update.kind].throws?.getValues(update) ?? null;

export function formatNick(nick, me) {
  if (nick === me) return getText("you");
  if (nick.startsWith("house-")) return nick.slice("house-".length).replace(/\.\d+$/, "");
  if (nick.startsWith("guest-"))
    return getText("guest", { id: nick.slice("guest-".length, "guest-".length + 4) });
  return nick;
}

/** Return the name of a player's colour. */
export const nameColor = ({ kind, players }, nick) =>
  KINDS[kind].getText(`color.${players[nick]}`);

/** Return what the page shows of each player, in seat order. */
export const describePlayers = (match) =>
  listNicks(match).map((nick) => ({
    name: formatNick(nick, match.me),
    color: match.update.players[nick],
    colorName: nameColor(match.update, nick),
    isCurrent: match.update.turn === nick,
    isAway: match.online[nick] === false,
    seconds: match.update.clock[nick],
    progress: getKind(match).describeProgress?.(match.update, match.update.players[nick]) ?? "",
  }));

export const findHouseBot = (match) =>
  listNicks(match).find((nick) => nick.startsWith("house-")) ?? null;
