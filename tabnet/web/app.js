// The page. The fragment of its address decides what it shows:
//   #play=GAME  a seat of this browser      #watch=GAME  any match, running or finished
//   #invite=INVITE  a friend's invitation   nothing: the form for a new game

import { adoptStyles } from "./board_drawing.js";
import { findSeat } from "./browser_storage.js";
import { ignoreHeldKeys } from "./focus.js";
import { GameForm } from "./game_form.js";
import { showGameLists } from "./game_lists.js";
import { InteractiveBoard } from "./interactive_board.js";
import { findOwnWait, loadInvitation } from "./invitation.js";
import { KINDS } from "./kinds.js";
import { LanguageMenu } from "./language_menu.js";
import { isPlaying } from "./match.js";
import { MatchView } from "./match_view.js";
import { Navigation, readFragment } from "./navigation.js";
import { NewGames } from "./new_games.js";
import * as elements from "./page_elements.js";
import { findById } from "./page_elements.js";
import { showScoreboard } from "./scoreboard.js";
import { fetchGreeting, UnreachableError } from "./server_connection.js";
import { SignIn } from "./sign_in.js";
import { getText } from "./texts.js";
import { ThrowCanvas } from "./throw_canvas.js";
import { updateUnfinishedGames } from "./unfinished_games.js";
import { UpdateQueue } from "./update_queue.js";

const RETRY_DELAY_MS = 2000; // before the next attempt to reach the server

const languageMenu = new LanguageMenu(findById("language"), showLanguage);
await languageMenu.load();
adoptStyles(Object.values(KINDS).map(({ style }) => style));
ignoreHeldKeys();

const board = new InteractiveBoard(findById("board"), (key) => matchView.chooseCell(key));
const queue = new UpdateQueue((update) => matchView.showUpdate(update));
const gameForm = new GameForm(findById("game-form"), queue, () => {
  if (document.body.dataset.view === "form") showPreview();
});
const signIn = new SignIn(findById("account"), findById("sign-in"));
const matchView = new MatchView({ board, throwCanvas: new ThrowCanvas(findById("throw-canvas")), queue });
const navigation = new Navigation(showFragment, () => isPlaying(matchView.match));
const newGames = new NewGames(signIn, (game) => navigation.goTo(`#play=${game}`));
signIn.showAccount();
let invitedWait = null; // the friend's wait that the page shows

/** Show the form, an invitation or a match; the rest of the page is hidden. */
function setView(view) {
  document.body.dataset.view = view;
}

async function showFragment() {
  const [action, id] = readFragment();
  try {
    if (action === "play") await showMatch(findSeat(id) ?? { game: id });
    else if (action === "watch") await showMatch({ game: id });
    else if (action === "invite") await showInvitation(id);
    else await showForm();
  } catch (error) {
    elements.showMessage(getText("error.notShownYet"), error.message);
    if (error instanceof UnreachableError) setTimeout(showFragment, RETRY_DELAY_MS);
  }
}

async function showMatch(seat) {
  setView("match");
  await matchView.open(seat);
}

async function showInvitation(invite) {
  const own = findOwnWait(invite);
  if (own !== null) return navigation.goTo(`#play=${own.game}`);
  setView("invited");
  matchView.close();
  invitedWait = await loadInvitation(invite);
  if (invitedWait === null || readFragment()[1] !== invite) return;
  const messages = [findById("message").textContent, findById("latest-event").textContent];
  matchView.preview(invitedWait.kind, invitedWait.options);
  elements.showMessage(...messages);
}

// The form is shown at once, and again when the server has said which games have ended meanwhile.
async function showForm() {
  const isFromElsewhere = document.body.dataset.view !== "form";
  setView("form");
  matchView.close();
  if (!gameForm.isReady) return elements.showMessage(getText("oneMoment"));
  showPreview();
  if (isFromElsewhere) gameForm.fields.kind.focus({ preventScroll: true });
  await updateUnfinishedGames();
  gameForm.update();
}

function showPreview() {
  gameForm.update();
  matchView.preview(gameForm.kind, gameForm.joinFields);
  elements.showMessage(getText("chooseGame"));
}

// Show everything in another language. A match stays open: a guest who left a wait would lose it.
function showLanguage() {
  signIn.showAccount();
  gameForm.showLanguage();
  if (matchView.isShown) matchView.showLanguage();
  else showFragment();
}

function openPanel(id) {
  const panel = findById(id);
  if (id === "scoreboard") showScoreboard(panel, gameForm.rankingFields);
  if (id === "game-lists") showGameLists(panel);
  if (id === "instructions") {
    const kind = matchView.match?.update?.kind ?? invitedWait?.kind ?? gameForm.kind;
    findById("rules").innerHTML = KINDS[kind].getText("rules");
  }
  panel.showModal();
}

findById("game-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (gameForm.isReady) newGames.start(gameForm.joinFields);
});
findById("join-friend").addEventListener("click", () =>
  newGames.joinFriend(readFragment()[1], invitedWait),
);
findById("throw-button").addEventListener("click", () => matchView.moveInput.sendMatchCommand("roll"));
findById("pass").addEventListener("click", () => matchView.moveInput.sendMatchCommand("pass"));
findById("draw").addEventListener("click", () => matchView.toggleDrawOffer());
findById("play-again").addEventListener("click", () =>
  newGames.playAgain(matchView.match, matchView.moveInput.seat),
);
findById("look-through").addEventListener("click", () => {
  matchView.replay.goToStep(1);
  document.querySelector("[data-step=next]").focus();
});
findById("resign").addEventListener("click", () => {
  if (matchView.match.update === null) matchView.moveInput.sendMatchCommand("leave");
  else findById("resign-dialog").showModal();
});
findById("confirm-resign").addEventListener("click", () => {
  findById("resign-dialog").close();
  matchView.moveInput.sendMatchCommand("leave");
});
findById("copy-invitation").addEventListener("click", ({ currentTarget }) =>
  elements.copyText(currentTarget, findById("invitation-link").value),
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

// The server says which games and bots it offers.
async function loadOffer() {
  try {
    gameForm.showOffer(await fetchGreeting());
    if (document.body.dataset.view === "form") await showForm();
  } catch (error) {
    elements.showError(error.message);
    setTimeout(loadOffer, RETRY_DELAY_MS);
  }
}

showFragment();
loadOffer();
