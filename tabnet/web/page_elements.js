// The elements around the board: messages, players and clocks, buttons.

import { createElement } from "./board_drawing.js";
import { describePlayers, getDueCommand, getKind, getPhase, getThrow, isOut } from "./match.js";
import { describeEvent, describeMatch, describeThrow } from "./messages.js";

export const findById = (id) => document.getElementById(id);

function setText(id, text) {
  if (findById(id).textContent !== text) findById(id).textContent = text;
}

/** Show an error, or clear the previous one. */
export const showError = (error = "") => setText("error", error);

export function showMessage(text, event = "") {
  setText("message", text);
  setText("latest-event", event);
}

/** Show the messages of a match; `chosenCount` cells of a move are chosen so far. */
export function showMatchMessage(match, chosenCount) {
  showMessage(describeMatch(match, chosenCount), match.update === null ? "" : describeEvent(match));
  document.title = [null, "salt"].includes(getDueCommand(match)) ? "tabnet" : "Your turn · tabnet";
}

function formatClock(seconds) {
  const wholeSeconds = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(wholeSeconds / 60)}:${String(wholeSeconds % 60).padStart(2, "0")}`;
}

function createPlayerItem(player, elapsedSeconds) {
  const item = createElement("li", player.isCurrent ? "current" : "");
  if (player.isCurrent) item.setAttribute("aria-current", "true");
  const marker = createElement("span", `marker piece ${player.color}`);
  marker.title = player.color;
  const progress = [player.progress, player.isAway && "away"].filter(Boolean).join(", ");
  const seconds = player.seconds - (player.isCurrent ? elapsedSeconds : 0);
  item.append(
    marker,
    createElement("span", "name", player.name),
    createElement("span", "progress", progress),
    createElement("span", "clock", formatClock(seconds)),
  );
  return item;
}

/** Show the players and their clocks, `elapsedSeconds` after the latest update. */
export function showPlayers(match, elapsedSeconds) {
  const players = match.update === null ? [] : describePlayers(match);
  const runningSeconds = getPhase(match) === "playing" ? elapsedSeconds : 0;
  const items = players.map((player) => createPlayerItem(player, runningSeconds));
  findById("players").replaceChildren(...items);
}

/** Show the sticks or dice, if any, and enable the button if a throw is due. */
function showThrows(throws, description, dueCommand) {
  findById("throws").hidden = throws === undefined;
  findById("throw-button").disabled = dueCommand !== "roll";
  const equipment = throws?.equipment;
  const dueLabel = description ? `${description}: throw again` : `Throw the ${equipment}`;
  setText("throw-label", dueCommand === "roll" ? dueLabel : description || `The ${equipment}`);
}

/** Show the buttons. Before a match begins, `throws` are those of its kind. */
export function showControls(match, throws) {
  const phase = match === null ? null : getPhase(match);
  const dueCommand = match === null ? null : getDueCommand(match);
  const isPlayer = match !== null && match.me !== null && !isOut(match);
  if (match !== null && match.update !== null) {
    const { update } = match;
    const description = getThrow(update) === null ? "" : describeThrow(update);
    showThrows(getKind(match).throws, description, dueCommand);
  } else if (match === null) showThrows(throws, "", null);
  findById("pass").hidden = dueCommand !== "pass";
  findById("resign").hidden = !isPlayer || !["playing", "waiting"].includes(phase);
  setText("resign", phase === "waiting" ? "Stop waiting" : "Resign");
  findById("play-again").hidden = !isPlayer || !["over", "gone"].includes(phase);
  findById("draw").hidden = !isPlayer || phase !== "playing";
  if (!findById("draw").hidden) setText("draw", describeDrawAction(match));
}

export function clearMatch() {
  showError();
  showVerification(null);
  showInvitation(null);
  findById("players").replaceChildren();
  document.body.classList.remove("disconnected");
}

function describeDrawAction({ me, update }) {
  if (update.draw_offers.includes(me)) return "Withdraw the draw offer";
  return update.draw_offers.length > 0 ? "Accept the draw" : "Offer a draw";
}

/** Show the link for a friend, or none. */
export function showInvitation(match) {
  const isWaiting = match !== null && match.invite && getPhase(match) === "waiting";
  findById("invitation").hidden = !isWaiting;
  if (isWaiting) findById("invitation-link").value = new URL(`#invite=${match.invite}`, location.href).href;
}

export function showVerification(verification) {
  const marker = findById("verification");
  marker.hidden = verification === null;
  if (verification === null) return;
  const { text, throws, isVerified } = verification;
  marker.className = String(isVerified ?? "");
  const subject = throws === 0 ? "the dealt board" : `${throws} throw${throws === 1 ? "" : "s"}`;
  marker.textContent =
    text ?? (isVerified ? `✓ Verified: ${subject}` : `✗ Verification failed: ${subject}`);
}
