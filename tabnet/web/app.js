// The page. The fragment of its address decides what it shows:
//   #play=GAME  a seat of this browser      #watch=GAME  any match, running or finished
//   #invite=INVITE  a friend's invitation   nothing: the form for a new game

import { adoptStyles } from "./drawing.js";
import * as face from "./face.js";
import { Grid } from "./grid.js";
import { Identity } from "./identity.js";
import { keepSeat, seatIn } from "./kept.js";
import { KINDS } from "./kinds.js";
import { Pace } from "./pace.js";
import { showScoreboard } from "./ranking.js";
import { Setup } from "./setup.js";
import { Sticks } from "./sticks.js";
import { Table } from "./table.js";
import { canVerify, freshSalt, saltHash } from "./verify.js";
import { showMatches } from "./watch.js";
import { ask, hello, Unreachable } from "./wire.js";

const PAUSE_MS = 2000; // before the next attempt to reach the server

const at = (id) => document.getElementById(id);

adoptStyles(Object.values(KINDS).map(({ style }) => style));

const grid = new Grid(at("board"), (key) => table.choose(key));
const pace = new Pace((update) => table.take(update));
const setup = new Setup(at("setup"), pace);
const identity = new Identity(at("identity"), at("sign-in"));
const table = new Table({ grid, sticks: new Sticks(at("sticks")), pace });

/** The parts of the fragment: ["play", GAME] and so on. */
const whereto = () => location.hash.slice(1).split("=");

async function come() {
  const [what, name] = whereto();
  try {
    if (what === "play") await table.open(seatIn(name) ?? { game: name });
    else if (what === "watch") await table.open({ game: name });
    else rest(what === "invite");
  } catch (error) {
    face.tell("This match cannot be shown yet", error.message);
    if (error instanceof Unreachable) setTimeout(come, PAUSE_MS);
  }
}

function rest(isInvited) {
  table.preview(setup.kind, setup.join);
  at("start").textContent = isInvited ? "Join your friend" : "Start";
  face.tell(isInvited ? "A friend is waiting for you" : "Choose a game and press Start");
}

// A salt of this browser, so that the player need not trust the server's dice. It is sent when the game begins.
async function luck() {
  if (!canVerify() || !KINDS[setup.kind].throws) return {};
  const salt = freshSalt();
  return { salt, salt_hash: await saltHash(salt) };
}

async function start() {
  const [what, invite] = whereto();
  const isInvited = what === "invite";
  const { salt, ...hash } = isInvited ? {} : await luck();
  const wish = isInvited ? { invite } : { ...setup.join, ...hash };
  face.refuse();
  try {
    const reply = await ask("join", { ...identity.credentials, ...wish });
    const { game, nick, token } = reply;
    const opponent = wish.opponent ?? (isInvited || wish.private ? "a friend" : "a person");
    const options = isInvited ? undefined : setup.join;
    keepSeat({ game, nick, token, invite: reply.invite, salt, opponent, options });
    location.hash = `#play=${game}`;
  } catch (error) {
    face.refuse(error.message);
  }
}

function openPanel(id) {
  const panel = at(id);
  if (id === "scoreboard") showScoreboard(panel, setup.wish);
  if (id === "watch") showMatches(panel);
  if (id === "instructions") {
    at("rules").innerHTML = KINDS[table.match?.update?.kind ?? setup.kind].rules;
  }
  panel.showModal();
}

at("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
at("setup").addEventListener("change", () => {
  if (["", "invite"].includes(whereto()[0])) rest(whereto()[0] === "invite");
});
at("throw").addEventListener("click", () => table.hand.play("roll"));
at("pass").addEventListener("click", () => table.hand.play("pass"));
at("draw").addEventListener("click", () => table.draw());
at("again").addEventListener("click", () => start());
at("give-up").addEventListener("click", () => {
  if (table.match.update === null) table.hand.play("leave");
  else at("sure").showModal();
});
at("surely").addEventListener("click", () => {
  at("sure").close();
  table.hand.play("leave");
});
at("copy").addEventListener("click", () => navigator.clipboard?.writeText(at("link").value));
at("identity").addEventListener("click", () => at("sign-in").showModal());
for (const button of document.querySelectorAll("[data-panel]")) {
  button.addEventListener("click", () => openPanel(button.dataset.panel));
}
for (const button of document.querySelectorAll("[data-close]")) {
  button.addEventListener("click", () => button.closest("dialog").close());
}
at("watch").addEventListener("click", ({ target }) => {
  if (target.matches("a")) at("watch").close();
});
window.addEventListener("hashchange", come);

// The server says which games and bots it offers.
async function learn() {
  try {
    setup.offer(await hello());
    if (table.match === null) rest(whereto()[0] === "invite");
  } catch (error) {
    face.refuse(error.message);
    setTimeout(learn, PAUSE_MS);
  }
}

come();
learn();
