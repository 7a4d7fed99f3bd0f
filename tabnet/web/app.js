// The page. The fragment of its address decides what it shows:
//   #play=GAME  a seat of this browser      #watch=GAME  any match, running or finished
//   #invite=INVITE  a friend's invitation   nothing: the form for a new game

import { adoptStyles } from "./board_drawing.js";
import { findSeat, storeSeat } from "./browser_storage.js";
import { canVerifyDice, createSalt, hashSalt } from "./dice_verification.js";
import { GameForm } from "./game_form.js";
import { showGameLists } from "./game_lists.js";
import { InteractiveBoard } from "./interactive_board.js";
import { KINDS } from "./kinds.js";
import { MatchView } from "./match_view.js";
import * as elements from "./page_elements.js";
import { findById } from "./page_elements.js";
import { showScoreboard } from "./scoreboard.js";
import { fetchGreeting, sendCommand, UnreachableError } from "./server_connection.js";
import { SignIn } from "./sign_in.js";
import { ThrowCanvas } from "./throw_canvas.js";
import { UpdateQueue } from "./update_queue.js";

const RETRY_DELAY_MS = 2000; // before the next attempt to reach the server

adoptStyles(Object.values(KINDS).map(({ style }) => style));

const board = new InteractiveBoard(findById("board"), (key) => matchView.chooseCell(key));
const queue = new UpdateQueue((update) => matchView.showUpdate(update));
const gameForm = new GameForm(findById("game-form"), queue);
const signIn = new SignIn(findById("account"), findById("sign-in"));
const matchView = new MatchView({ board, throwCanvas: new ThrowCanvas(findById("throw-canvas")), queue });

/** Return the parts of the fragment: ["play", GAME] and so on. */
const readFragment = () => location.hash.slice(1).split("=");

async function showFragment() {
  const [action, game] = readFragment();
  try {
    if (action === "play") await matchView.open(findSeat(game) ?? { game });
    else if (action === "watch") await matchView.open({ game });
    else showGamePreview(action === "invite");
  } catch (error) {
    elements.showMessage("This match cannot be shown yet", error.message);
    if (error instanceof UnreachableError) setTimeout(showFragment, RETRY_DELAY_MS);
  }
}

function showGamePreview(isInvited) {
  matchView.preview(gameForm.kind, gameForm.joinFields);
  findById("start").textContent = isInvited ? "Join your friend" : "Start";
  elements.showMessage(isInvited ? "A friend is waiting for you" : "Choose a game and press Start");
}

// A salt of this browser, so that the player need not trust the server's dice. It is sent when the
// game begins.
async function createSaltFields() {
  if (!canVerifyDice() || !KINDS[gameForm.kind].throws) return {};
  const salt = createSalt();
  return { salt, salt_hash: await hashSalt(salt) };
}

async function startGame() {
  const [action, invite] = readFragment();
  const isInvited = action === "invite";
  const { salt, ...hashField } = isInvited ? {} : await createSaltFields();
  const terms = isInvited ? { invite } : { ...gameForm.joinFields, ...hashField };
  elements.showError();
  try {
    const reply = await sendCommand("join", { ...signIn.credentials, ...terms });
    const { game, nick, token } = reply;
    const opponent = terms.opponent ?? (isInvited || terms.private ? "a friend" : "a person");
    const options = isInvited ? undefined : gameForm.joinFields;
    storeSeat({ game, nick, token, invite: reply.invite, salt, opponent, options });
    location.hash = `#play=${game}`;
  } catch (error) {
    elements.showError(error.message);
  }
}

function openPanel(id) {
  const panel = findById(id);
  if (id === "scoreboard") showScoreboard(panel, gameForm.rankingFields);
  if (id === "game-lists") showGameLists(panel);
  if (id === "instructions") {
    findById("rules").innerHTML = KINDS[matchView.match?.update?.kind ?? gameForm.kind].rules;
  }
  panel.showModal();
}

findById("game-form").addEventListener("submit", (event) => {
  event.preventDefault();
  startGame();
});
findById("game-form").addEventListener("change", () => {
  if (["", "invite"].includes(readFragment()[0])) showGamePreview(readFragment()[0] === "invite");
});
findById("throw-button").addEventListener("click", () => matchView.moveInput.sendMatchCommand("roll"));
findById("pass").addEventListener("click", () => matchView.moveInput.sendMatchCommand("pass"));
findById("draw").addEventListener("click", () => matchView.toggleDrawOffer());
findById("play-again").addEventListener("click", () => startGame());
findById("resign").addEventListener("click", () => {
  if (matchView.match.update === null) matchView.moveInput.sendMatchCommand("leave");
  else findById("resign-dialog").showModal();
});
findById("confirm-resign").addEventListener("click", () => {
  findById("resign-dialog").close();
  matchView.moveInput.sendMatchCommand("leave");
});
findById("copy-link").addEventListener("click", () =>
  navigator.clipboard?.writeText(findById("invitation-link").value),
);
findById("account").addEventListener("click", () => findById("sign-in").showModal());
for (const button of document.querySelectorAll("[data-panel]")) {
  button.addEventListener("click", () => openPanel(button.dataset.panel));
}
for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
findById("game-lists").addEventListener("click", ({ target }) => {
  if (target.matches("a")) findById("game-lists").close();
});
window.addEventListener("hashchange", showFragment);

// The server says which games and bots it offers.
async function loadOffer() {
  try {
    gameForm.showOffer(await fetchGreeting());
    if (matchView.match === null) showGamePreview(readFragment()[0] === "invite");
  } catch (error) {
    elements.showError(error.message);
    setTimeout(loadOffer, RETRY_DELAY_MS);
  }
}

showFragment();
loadOffer();
