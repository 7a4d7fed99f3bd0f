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
  const step = steps[count - 1];
  const taken = pieces(boardAt(count - 1)) - pieces(boardAt(count));
  const capture = taken ? `, ${taken > 1 ? `${taken} captures` : "a capture"}` : "";
  const over = count === steps.length ? ` — ${ending(game)}` : "";
  return `${count} of ${steps.length}: ${colourOf(step.seat)} (${nameOf(step.seat)}) ${deed(step.action)}${capture}${over}`;
}

function deed(action) {
  if (action === ".") return "passed";
  if (!action.startsWith("=")) return `played ${action.replaceAll("-", " to ")}`;
  if (game.kind !== "tab") return `threw ${action.slice(1).replaceAll("+", " and ")}`;
  const value = VALUES[lights(action).filter(Boolean).length];
  return `threw ${value} (${THROWS[value]})`;
}

function ending(one) {
  const winners = one.winners.map((seat) => data.names[one.seats[seat]]);
  const result = winners.length ? `${winners.join(" and ")} won` : "a draw";
  const blame = one.culprit === null ? "" : ` of ${data.names[one.seats[one.culprit]]}`;
  const cause = one.cause === "normal" ? one.reason : `${one.cause}${blame}`;
  return `${result}, ${cause.replaceAll("_", " ")}${one.detail ? ` (${one.detail})` : ""}`;
}

// Pictures

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const text = (x, y, words, size, anchor = "middle") =>
  svg("text", { x, y, "text-anchor": anchor, style: `font-size:${size}px` }, words);

const VALUES = [6, 1, 2, 3, 4]; // by how many of the four sticks lie light side up
const THROWS = { 1: "Tab", 2: "Itneyn", 3: "Telateh", 4: "Arba'ah", 6: "Sitteh" };
const lights = (action) => [0, 1, 2, 3].map((stick) => Boolean((Number(action.slice(1)) >> stick) & 1));

function tab(cells, changed, thrown) {
  const size = cells.length / 4, side = 40, parts = [];
  cells.forEach((piece, cell) => {
    const row = Math.floor(cell / size), column = row % 2 ? size - 1 - (cell % size) : cell % size;
    const x = column * side, y = (3 - row) * side;
    parts.push(svg("rect", { x, y, width: side, height: side, class: (row + column) % 2 ? "odd" : "even" }));
    parts.push(text(x + 3, y + 9, String(cell), 8, "start"));
    if (piece !== ".") parts.push(...tabPiece(x + side / 2, y + side / 2 + 4, piece));
    if (changed.has(cell)) parts.push(frame(x, y, side));
  });
  if (thrown) parts.push(sticks(thrown, 4 * side + 10));
  return svg("svg", { viewBox: `-2 -2 ${size * side + 4} ${4 * side + 56}`, role: "img" }, ...parts);
}

function sticks(thrown, y) {
  const lying = lights(thrown.action).map((light, stick) =>
    svg("rect", { x: 2 + stick * 16, y, width: 11, height: 40, rx: 5, class: light ? "stick-light" : "stick-dark" }));
  const worth = text(74, y + 25, deed(thrown.action).replace("threw ", ""), 14, "start");
  return svg("g", { class: thrown === steps[at - 1] ? "" : "played" }, ...lying, worth);
}

function tabPiece(cx, cy, piece) {
  const seat = "abc".includes(piece) ? "blue" : "red", stage = "abc".indexOf(piece) + "xyz".indexOf(piece) + 1;
  const disc = svg("circle", { cx, cy, r: 11, "stroke-width": 3, class: stage ? seat : `${seat} unmoved` });
  return stage === 2 ? [disc, svg("circle", { cx, cy, r: 4, class: "star" })] : [disc];
}

function draughts(cells, changed) {
  const side = 40, parts = [];
  cells.forEach((piece, cell) => {
    const column = cell % 8, row = Math.floor(cell / 8), x = column * side, y = row * side;
    parts.push(svg("rect", { x, y, width: side, height: side, class: (row + column) % 2 ? "dark" : "light" }));
    if (piece !== ".") parts.push(...man(x + side / 2, y + side / 2, piece));
    if (changed.has(cell)) parts.push(frame(x, y, side));
  });
  for (let line = 0; line < 8; line++) {
    parts.push(text(line * side + side / 2, 8 * side + 14, "abcdefgh"[line], 12));
    parts.push(text(-10, line * side + side / 2 + 4, String(8 - line), 12));
  }
  return svg("svg", { viewBox: "-20 -2 344 342", role: "img" }, ...parts);
}

function man(cx, cy, piece) {
  const look = { cx, cy, "stroke-width": 2, class: piece.toLowerCase() === "w" ? "white" : "black" };
  const discs = [svg("circle", { ...look, r: 15 }), svg("circle", { ...look, r: 10 })];
  const crown = `M${cx - 8} ${cy + 5}v-10l4 5l4-7l4 7l4-5v10z`;
  return piece === piece.toUpperCase() ? [...discs, svg("path", { d: crown, class: "crown", "stroke-width": 2 })] : discs;
}

const frame = (x, y, side) =>
  svg("rect", { x: x + 1.5, y: y + 1.5, width: side - 3, height: side - 3, class: "changed", "stroke-width": 3 });

const DRAW = { tab, draughts };
const LEGEND = {
  tab: "A ring has not moved yet, a disc is in motion, one with a dot has been in the last row.",
  draughts: "A crown is a king.",
};

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
    (!bot || one.seats.includes(Number(bot))) && (!cause || one.cause === cause));
  id("games").replaceChildren(...listed.slice(0, SHOWN).map(row));
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
  const causes = [...new Set(data.games.map((one) => one.cause))].sort();
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
