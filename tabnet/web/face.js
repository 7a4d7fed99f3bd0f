// What stands around the board: the messages, the players and their clocks, and the buttons.

import { due, isOut, kindOf, lying, phase, players } from "./match.js";
import { happened, line, thrown } from "./messages.js";

const at = (id) => document.getElementById(id);

function say(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

/** Tell why something was refused, or with no reason that nothing was. */
export const refuse = (why = "") => say("refusal", why);

/** Say the line that everybody sees first, and what happened before it. */
export function tell(text, before = "") {
  say("message", text);
  say("happened", before);
}

/** Tell what the match is at, when `chosen` cells of a move are chosen. */
export function tellMatch(match, chosen) {
  tell(line(match, chosen), match.update === null ? "" : happened(match));
  document.title = [null, "salt"].includes(due(match)) ? "tabnet" : "Your turn · tabnet";
}

function clockFace(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

function playerLine(player, elapsed) {
  const item = document.createElement("li");
  const [mark, name, tally, clock] = ["mark", "name", "tally", "clock"].map((className) => {
    const part = document.createElement("span");
    part.className = className;
    return part;
  });
  mark.classList.add("piece", player.color);
  mark.title = player.color;
  name.textContent = player.name;
  tally.textContent = [player.tally, player.isAway && "away"].filter(Boolean).join(", ");
  clock.textContent = clockFace(player.seconds - (player.isNext ? elapsed : 0));
  item.classList.toggle("next", player.isNext);
  if (player.isNext) item.setAttribute("aria-current", "true");
  item.append(mark, name, tally, clock);
  return item;
}

/** Show who plays, and how much time is left after so many seconds. */
export function showPlayers(match, elapsed) {
  const lines = match.update === null ? [] : players(match);
  const running = phase(match) === "playing" ? elapsed : 0;
  at("players").replaceChildren(...lines.map((player) => playerLine(player, running)));
}

/** Show what is thrown, of sticks, dice or nothing, and whether it is to be thrown now. */
function showThrows(throws, lies, command) {
  at("throws").hidden = throws === undefined;
  at("throw").disabled = command !== "roll";
  const toThrow = lies ? `${lies}: throw again` : `Throw the ${throws?.things}`;
  say("throw-label", command === "roll" ? toThrow : lies || `The ${throws?.things}`);
}

/** Show what the buttons do now. Before a match is there, `throws` is what its kind will have. */
export function showControls(match, throws) {
  const hasBegun = match !== null && match.update !== null;
  const now = match === null ? null : phase(match);
  const command = match === null ? null : due(match);
  const isMine = match !== null && match.me !== null && !isOut(match);
  if (hasBegun) {
    const { update } = match;
    showThrows(kindOf(match).throws, lying(update) === null ? "" : thrown(update), command);
  } else if (match === null) showThrows(throws, "", null);
  at("pass").hidden = command !== "pass";
  at("give-up").hidden = !isMine || !["playing", "waiting"].includes(now);
  say("give-up", now === "waiting" ? "Stop waiting" : "Give up");
  at("again").hidden = !isMine || !["over", "gone"].includes(now);
  at("draw").hidden = !isMine || now !== "playing";
  if (!at("draw").hidden) say("draw", drawLabel(match));
  document.body.classList.toggle("playing", now === "playing");
}

/** Nobody is at the table, and nothing was said. */
export function clear() {
  refuse();
  showVerified(null);
  showInvitation(null);
  at("players").replaceChildren();
  document.body.classList.remove("lost");
}

function drawLabel({ me, update }) {
  if (update.draw_offers.includes(me)) return "Take the draw offer back";
  return update.draw_offers.length > 0 ? "Agree to a draw" : "Offer a draw";
}

/** Show the link for a friend, or none. */
export function showInvitation(match) {
  const isWaiting = match !== null && match.invite && phase(match) === "waiting";
  at("invitation").hidden = !isWaiting;
  if (isWaiting) at("link").value = new URL(`#invite=${match.invite}`, location.href).href;
}

/** Show whether the throws were what was promised; null hides it. */
export function showVerified(found) {
  const mark = at("verified");
  mark.hidden = found === null;
  if (found === null) return;
  mark.className = String(found.isTrue ?? "");
  const throws = `${found.throws} throw${found.throws === 1 ? "" : "s"}`;
  const what = found.throws === 0 ? "what was dealt" : throws;
  mark.textContent =
    found.text ?? (found.isTrue ? `✓ Verified: ${what}` : `✗ Not as promised: ${what}`);
}
