// The elements around the board: messages, players and clocks, buttons.

import { due, isOut, kindOf, lying, phase, players } from "./match.js";
import { happened, line, thrown } from "./messages.js";

const at = (id) => document.getElementById(id);

function say(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text;
}

/** Show why something was refused, or clear the message. */
export const refuse = (why = "") => say("refusal", why);

/** Show the main message, and the latest event. */
export function tell(text, before = "") {
  say("message", text);
  say("happened", before);
}

/** Show the messages of a match; `chosen` cells of a move are chosen so far. */
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

/** Show the players and their clocks, `elapsed` seconds after the latest update. */
export function showPlayers(match, elapsed) {
  const lines = match.update === null ? [] : players(match);
  const running = phase(match) === "playing" ? elapsed : 0;
  at("players").replaceChildren(...lines.map((player) => playerLine(player, running)));
}

/** Show the sticks or dice, if any, and enable the button if a throw is due. */
function showThrows(throws, lies, command) {
  at("throws").hidden = throws === undefined;
  at("throw").disabled = command !== "roll";
  const toThrow = lies ? `${lies}: throw again` : `Throw the ${throws?.things}`;
  say("throw-label", command === "roll" ? toThrow : lies || `The ${throws?.things}`);
}

/** Show the buttons. Before a match begins, `throws` are those of its kind. */
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
  say("give-up", now === "waiting" ? "Stop waiting" : "Resign");
  at("again").hidden = !isMine || !["over", "gone"].includes(now);
  at("draw").hidden = !isMine || now !== "playing";
  if (!at("draw").hidden) say("draw", drawLabel(match));
  document.body.classList.toggle("playing", now === "playing");
}

/** Clear everything around the board. */
export function clear() {
  refuse();
  showVerified(null);
  showInvitation(null);
  at("players").replaceChildren();
  document.body.classList.remove("lost");
}

function drawLabel({ me, update }) {
  if (update.draw_offers.includes(me)) return "Withdraw the draw offer";
  return update.draw_offers.length > 0 ? "Accept the draw" : "Offer a draw";
}

/** Show the link for a friend, or none. */
export function showInvitation(match) {
  const isWaiting = match !== null && match.invite && phase(match) === "waiting";
  at("invitation").hidden = !isWaiting;
  if (isWaiting) at("link").value = new URL(`#invite=${match.invite}`, location.href).href;
}

/** Show the result of the verification; null hides it. */
export function showVerified(found) {
  const mark = at("verified");
  mark.hidden = found === null;
  if (found === null) return;
  mark.className = String(found.isTrue ?? "");
  const throws = `${found.throws} throw${found.throws === 1 ? "" : "s"}`;
  const what = found.throws === 0 ? "the dealt board" : throws;
  mark.textContent =
    found.text ?? (found.isTrue ? `✓ Verified: ${what}` : `✗ Verification failed: ${what}`);
}
