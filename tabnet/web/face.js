// What stands around the board: the messages, the players and their clocks, and the buttons.

import { counted } from "./boards/words.js";
import { due, hasThrows, isOut, kindOf, phase, players } from "./match.js";
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

/** Show what has been thrown and what the buttons do now; nothing works in a replay. */
export function showControls(match, isReplay = false) {
  const now = isReplay || match === null ? null : phase(match);
  const command = isReplay || match === null ? null : due(match);
  const isMine = match !== null && match.me !== null && !isReplay && !isOut(match);
  const has = match !== null && match.update !== null && hasThrows(match);
  const things = has && kindOf(match).throws === "dice" ? "dice" : "sticks";
  at("throws").hidden = match !== null && match.update !== null && !has;
  at("throw").disabled = command !== "roll";
  const lies = has && match.update.dice ? thrown(match.update) : "";
  const toThrow = lies ? `${lies}: throw again` : `Throw the ${things}`;
  say("throw-label", command === "roll" ? toThrow : lies || `The ${things}`);
  at("pass").hidden = command !== "pass";
  at("give-up").hidden = !isMine || !["playing", "waiting"].includes(now);
  say("give-up", now === "waiting" ? "Stop waiting" : "Give up");
  at("again").hidden = !isMine || !["over", "gone"].includes(now);
  at("draw").hidden = !isMine || now !== "playing";
  if (!at("draw").hidden) say("draw", drawLabel(match));
  document.body.classList.toggle("playing", now === "playing");
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
  mark.className = found.isTrue ? "true" : "false";
  const what = found.throws === 0 ? "what was dealt" : counted(found.throws, "throw");
  mark.textContent = found.text ?? (found.isTrue ? `✓ Verified: ${what}` : `✗ Not as promised: ${what}`);
}
