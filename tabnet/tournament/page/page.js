"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const id = (name) => document.getElementById(name);
const SHOWN = 300; // games in the list at once

// A game, step by step. A board is a list of characters; a step is who, what, and the changes.

let listed = [], game = null, steps = [], at = 0;

function parse(step) {
  const [acted, changes = ""] = step.split("|");
  const changed = [...changes.matchAll(/(\d+)(\D)/g)].map(([, cell, piece]) => [Number(cell), piece]);
  return { seat: Number(acted[0]), action: acted.slice(1), changed };
}

function boardAt(count) {
  const cells = [...game.board];
  for (const step of steps.slice(0, count)) for (const [cell, piece] of step.changed) cells[cell] = piece;
  return cells;
}

const nameOf = (seat) => data.names[game.seats[seat]];
const colourOf = (seat) => data.colours[game.kind][seat];
const pieces = (cells) => cells.filter((piece) => piece !== ".").length;

function said(count) {
  if (!steps.length) return "Nothing was played.";
  if (!count) return `The beginning, before the first of ${steps.length} steps.`;
  const step = steps[count - 1], gain = GAINS[game.kind] ?? captures;
  const capture = step.action.startsWith("!") ? "" : gain(boardAt(count - 1), boardAt(count));
  const over = count === steps.length ? ` — ${ending(game)}` : "";
  return `${count} of ${steps.length}: ${colourOf(step.seat)} (${nameOf(step.seat)}) ${deed(step.action)}${capture}${over}`;
}

function captures(before, after) {
  const taken = pieces(before) - pieces(after);
  return taken ? `, ${taken > 1 ? `${taken} captures` : "a capture"}` : "";
}

function deed(action) {
  if (action === ".") return "passed";
  if (action.startsWith("!")) return "is out";
  if (!action.startsWith("=")) return `played ${action.replaceAll("-", " to ")}`;
  if (game.kind !== "tab") return `threw ${action.slice(1).replaceAll("+", " and ")}`;
  const value = VALUES[lights(action).filter(Boolean).length];
  return `threw ${value} (${THROWS[value]})`;
}

function ending(one) {
  const winners = one.winners.map((seat) => data.names[one.seats[seat]]);
  if (one.cause === "error") return `error, counts for nobody (${one.detail})`;
  const result = (winners.length ? `${winners.join(" and ")} won` : "a draw") + behind(one);
  const blame = one.culprit === null ? "" : ` of ${data.names[one.seats[one.culprit]]}`;
  const cause = one.cause === "normal" ? one.reason : `${one.cause}${blame}`;
  return `${result}, ${cause.replaceAll("_", " ")}${one.detail ? ` (${one.detail})` : ""}`;
}

const causesOf = (one) => [one.cause, ...(one.removed ?? []).map((each) => each.cause)];

function behind(one) { // among more than two: who came second, third, and who was removed why
  const order = (one.places ?? []).map((place, seat) => ({ place, seat })).sort((a, b) => a.place - b.place);
  return order.filter(({ place }) => place > 1).map(({ place, seat }) => {
    const why = one.removed.find((each) => each.seat === seat)?.cause;
    return `, ${place}. ${data.names[one.seats[seat]]}${why ? ` (${why.replaceAll("_", " ")})` : ""}`;
  }).join("");
}

// What is on the page

function show(step) {
  at = Math.max(0, Math.min(step, steps.length));
  const last = steps[at - 1];
  id("at").max = steps.length;
  id("at").value = at;
  if (game.missing) {
    id("board").replaceChildren();
    id("said").textContent = `${ending(game)}. No replay: ${game.missing}.`;
    return;
  }
  const changed = new Set(last?.changed.map(([cell]) => cell));
  id("board").className = game.kind;
  const thrown = steps.slice(0, at).findLast((step) => step.action.startsWith("="));
  id("board").replaceChildren(DRAW[game.kind](boardAt(at), changed, thrown));
  id("said").textContent = said(at);
}

function open(one) {
  game = one;
  steps = one.steps ? one.steps.split(" ").map(parse) : [];
  const seats = one.seats.map((bot, seat) => `${data.names[bot]}${one.kind ? ` (${colourOf(seat)})` : ""}`);
  id("who").textContent = `${seats.join(" – ")}: ${ending(one)}`;
  id("legend").textContent = LEGEND[one.kind] ?? "";
  for (const button of id("games").querySelectorAll("button")) {
    button.toggleAttribute("aria-current", button.dataset.id === one.id);
  }
  history.replaceState(null, "", `#${one.id}`);
  show(0);
}

function row(one) {
  const button = document.createElement("button"), more = document.createElement("small");
  button.dataset.id = one.id;
  button.append(one.seats.map((bot) => data.names[bot]).join(" – "), more);
  more.textContent = `${ending(one)}; ${one.moves} steps; ${one.id}`;
  button.onclick = () => open(one);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function list() {
  const bot = id("of").value, cause = id("by").value;
  listed = data.games.filter((one) =>
    (!bot || one.seats.includes(Number(bot))) && (!cause || causesOf(one).includes(cause)));
  id("games").replaceChildren(...listed.slice(0, SHOWN).map(row));
  if (listed.length > SHOWN) id("games").append(`and ${listed.length - SHOWN} more`);
  if (listed.length) open(listed[0]);
}

function choices(select, everything, options) {
  select.append(new Option(everything, ""), ...options.map(([value, label]) => new Option(label, value)));
  select.onchange = list;
}

function neighbour(by) {
  const reachable = listed.slice(0, SHOWN), to = reachable[reachable.indexOf(game) + by];
  if (!to) return;
  open(to);
  id("games").querySelector("[aria-current]").scrollIntoView({ block: "nearest" });
}

const wantedGame = () => data.games.find((one) => `#${one.id}` === location.hash); // report.html#GAME

const STEPPING = {
  ArrowRight: () => show(at + 1),
  ArrowLeft: () => show(at - 1),
};
const INSIDE = { // elsewhere these scroll the page
  Home: () => show(0),
  End: () => show(steps.length),
  ArrowDown: () => neighbour(1),
  ArrowUp: () => neighbour(-1),
};

document.addEventListener("keydown", (event) => {
  const inside = event.target.closest?.("#replay"), held = event.ctrlKey || event.altKey || event.metaKey;
  const does = STEPPING[event.key] ?? (inside && INSIDE[event.key]);
  if (!does || !game || held || event.target.closest?.("select")) return;
  event.preventDefault();
  does();
});

if (data.games.length) {
  const causes = [...new Set(data.games.flatMap(causesOf))].sort();
  choices(id("of"), "any", data.names.map((name, number) => [String(number), name]));
  choices(id("by"), "anyhow", causes.map((cause) => [cause, cause.replaceAll("_", " ")]));
  id("first").onclick = INSIDE.Home;
  id("back").onclick = STEPPING.ArrowLeft;
  id("next").onclick = STEPPING.ArrowRight;
  id("last").onclick = INSIDE.End;
  id("at").oninput = () => show(Number(id("at").value));
  window.onhashchange = () => wantedGame() && open(wantedGame());
  const wanted = wantedGame();
  list();
  if (wanted) open(wanted);
} else {
  document.querySelector(".replay").remove();
}
