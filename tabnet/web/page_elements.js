// The elements around the board: messages, players and clocks, buttons.

import { createElement } from "./board_drawing.js";
import { describePlayers, getDueCommand, getKind, getPhase, getThrow, isOut } from "./match.js";
import { describeMatch, describeThrow } from "./messages.js";
import { getText } from "./texts.js";

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
  showMessage(...describeMatch(match, chosenCount));
  const isDue = ![null, "salt"].includes(getDueCommand(match));
  document.title = getText(isDue ? "title.yourTurn" : "title");
}

function formatClock(seconds) {
  const wholeSeconds = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(wholeSeconds / 60)}:${String(wholeSeconds % 60).padStart(2, "0")}`;
}

function createPlayerItem(player, elapsedSeconds) {
  const item = createElement("li", player.isCurrent ? "current" : "");
  if (player.isCurrent) item.setAttribute("aria-current", "true");
  const marker = createElement("span", `marker piece ${player.color}`);
  marker.title = player.colorName;
  const progress = player.isAway
    ? getText("players.away", { progress: player.progress })
    : player.progress;
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
  if (throws === undefined) return;
  const { equipment } = throws;
  if (dueCommand !== "roll") setText("throw-label", description || getText(`thrown.${equipment}`));
  else if (description) setText("throw-label", getText("throw.again", { throw: description }));
  else setText("throw-label", getText(`throw.${equipment}`));
}

/**
 * Show the buttons. Before a match begins, `throws` are those of its kind. At an earlier step
 * nothing can be played.
 */
export function showControls(match, throws, isEarlierStep = false) {
  const phase = match === null ? null : getPhase(match);
  const dueCommand = match === null || isEarlierStep ? null : getDueCommand(match);
  const isPlayer = match !== null && match.me !== null && !isOut(match);
  const isOver = match !== null && phase === "over";
  const update = match?.update ?? null;
  if (match === null || update !== null) {
    const description = update === null || getThrow(update) === null ? "" : describeThrow(update);
    showThrows(throws, description, dueCommand);
  }
  const visible = {
    pass: dueCommand === "pass",
    resign: isPlayer && !isEarlierStep && ["playing", "waiting"].includes(phase),
    draw: isPlayer && !isEarlierStep && phase === "playing",
  };
  if (!isEarlierStep) {
    for (const id of ["look-through", "copy-link", "download"]) visible[id] = isOver;
    visible["play-again"] = isOver && match.me !== null;
    visible["new-game"] = isOver || phase === "gone" || match?.me === null;
  }
  for (const [id, isVisible] of Object.entries(visible)) findById(id).hidden = !isVisible;
  setText("resign", getText(phase === "waiting" ? "wait.stop" : "resign"));
  if (visible.draw) setText("draw", describeDrawAction(match));
}

export function clearMatch() {
  showError();
  showMessage("");
  showVerification(null);
  showInvitation(null);
  setText("play-again", getText("again"));
  findById("offer").hidden = true;
  findById("players").replaceChildren();
  document.body.classList.remove("disconnected");
  document.title = getText("title");
}

function describeDrawAction({ me, update }) {
  if (update.draw_offers.includes(me)) return getText("draw.withdraw");
  return getText(update.draw_offers.length > 0 ? "draw.accept" : "draw.offer");
}

async function writeToClipboard(text) {
  try {
    return await navigator.clipboard.writeText(text);
  } catch {
    // Without HTTPS, or without a permission, browsers copy only a selection.
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

/** Copy a text, and say so on the button. */
export async function copyText(button, text) {
  await writeToClipboard(text);
  button.focus();
  button.textContent = getText("link.copied");
  setTimeout(() => (button.textContent = getText("link.copy")), 2000);
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
  const { isPossible = true, throws, isVerified } = verification;
  marker.className = String(isVerified ?? "");
  const key = isVerified ? "verified" : "unverified";
  if (!isPossible) marker.textContent = getText("verification.impossible");
  else if (throws === null) marker.textContent = getText(`${key}.deal`);
  else marker.textContent = getText(key, { count: throws });
}
