"use strict";

// Pictures of the boards. Each kind draws its cells; `changed` are those that the last step changed.

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

const FIRST_FISH = 0x100; // 128 for each seat's penguin, and the fish on its tile
const fishAt = (piece) => (piece.charCodeAt(0) - FIRST_FISH) % 128;
const penguinAt = (piece) => Math.floor((piece.charCodeAt(0) - FIRST_FISH) / 128) - 1; // its seat, or -1

function fish(cells, changed) {
  const cols = cells.indexOf("/") < 0 ? cells.length : cells.indexOf("/"), side = 40, high = 34, parts = [];
  cells.forEach((piece, cell) => {
    if (piece === "/") return;
    const row = Math.floor(cell / (cols + 1)), column = cell % (cols + 1);
    const x = (column + (row % 2) / 2 + 0.5) * side, y = row * high + 20, tile = fishAt(piece), seat = penguinAt(piece);
    const corners = [[0, -21], [19, -11], [19, 11], [0, 21], [-19, 11], [-19, -11]].map(([a, b]) => `${x + a},${y + b}`);
    const look = `${tile ? "ice" : "hole"}${changed.has(cell) ? " changed" : ""}`;
    parts.push(svg("polygon", { points: corners.join(" "), class: look }));
    if (seat >= 0) parts.push(svg("circle", { cx: x, cy: y, r: 12, "stroke-width": 2, class: `penguin-${seat}` }));
    if (tile) parts.push(text(x, y + 5, String(tile), 13));
    if (seat >= 0) parts.at(-1).classList.add(`on-${seat}`);
  });
  const rows = Math.ceil((cells.length + 1) / (cols + 1));
  return svg("svg", { viewBox: `-4 -6 ${(cols + 0.5) * side + 8} ${rows * high + 18}`, role: "img" }, ...parts);
}

function caught(before, after) { // the tile that was left
  const left = before.findIndex((piece, cell) => piece !== "/" && fishAt(piece) && !fishAt(after[cell]));
  return left < 0 ? "" : `, ${fishAt(before[left])} fish`;
}

const FIRST_PLAKOTO = 0x100; // the checkers on a point, 16 if they are Black's, 32 if they pin one
const held = (piece) => {
  const number = piece.charCodeAt(0) - FIRST_PLAKOTO;
  return { count: number % 16, black: Boolean(number & 16), pins: number > 31 };
};

function plakoto(cells, changed, thrown) {
  const side = 34, high = 300, bar = 12, parts = [];
  parts.push(svg("rect", { x: 0, y: 0, width: 13 * side + bar, height: high, class: "table" }));
  cells.slice(0, 24).forEach((piece, cell) => {
    const above = cell >= 12, column = above ? cell - 12 : 11 - cell;
    const x = column * side + (column > 5 ? bar : 0), edge = above ? 0 : high, inward = above ? 1 : -1;
    const tip = `${x + 2},${edge} ${x + side - 2},${edge} ${x + side / 2},${edge + inward * 120}`;
    parts.push(svg("polygon", { points: tip, class: column % 2 === Number(above) ? "point-odd" : "point-even" }));
    parts.push(text(x + side / 2, above ? -5 : high + 14, String(cell + 1), 11));
    parts.push(...checkers(held(piece), x + side / 2, edge + inward * (side / 2), inward * 26));
    if (changed.has(cell)) parts.push(svg("rect", { x: x + 1, y: above ? 1 : high - 148, width: side - 2, height: 147, class: "changed", "stroke-width": 2 }));
  });
  const out = 12 * side + bar + side / 2;
  parts.push(svg("rect", { x: 6 * side, y: 0, width: bar, height: high, class: "bar-across" }));
  for (const [cell, y, look] of [[24, 24, "white"], [25, high - 24, "black"]]) {
    const off = cells[cell].charCodeAt(0) - FIRST_PLAKOTO;
    parts.push(svg("circle", { cx: out, cy: y, r: 13, "stroke-width": 2, class: off ? look : `${look} none` }));
    parts.push(text(out, y + 5, String(off), 13));
    parts.at(-1).classList.add(`on-${look}`);
  }
  if (thrown) parts.push(dice(thrown, high + 24));
  return svg("svg", { viewBox: `-2 -18 ${13 * side + bar + 4} ${high + 78}`, role: "img" }, ...parts);
}

function checkers({ count, black, pins }, cx, cy, step) {
  const disc = (index, dark, n) => {
    const look = { cx, cy: cy + index * step, r: 13, "stroke-width": 2, class: dark ? "black" : "white" };
    return n ? [svg("circle", look), text(cx, look.cy + 5, String(n), 13)] : [svg("circle", look)];
  };
  const pinned = pins ? disc(0, !black, 0) : [], shown = Math.min(count, 5);
  const stack = Array.from({ length: shown }, (_, index) =>
    disc(index + (pins ? 1 : 0), black, index === shown - 1 && count > 5 ? count : 0)).flat();
  for (const part of stack) if (part.tagName === "text") part.classList.add(black ? "on-black" : "on-white");
  return [...pinned, ...stack];
}

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function dice(thrown, y) {
  const shown = thrown.action.slice(1).split("+").map(Number).flatMap((value, die) => [
    svg("rect", { x: 2 + die * 38, y, width: 30, height: 30, rx: 5, class: "white" }),
    ...PIPS[value].map((pip) => svg("circle", { cx: 9 + die * 38 + (pip % 3) * 8, cy: y + 7 + Math.floor(pip / 3) * 8, r: 2.5, class: "black" })),
  ]);
  return svg("g", { class: thrown === steps[at - 1] ? "" : "played" }, ...shown);
}

function pinned(before, after) {
  const pins = (cells) => cells.slice(0, 24).filter((piece) => held(piece).pins).length;
  return pins(after) > pins(before) ? ", a pin" : "";
}

const GAINS = { fish: caught, plakoto: pinned };
const DRAW = { tab, draughts, fish, plakoto };
const LEGEND = {
  fish: "A number is the fish on a tile; a disc is a penguin, in its player's colour.",
  tab: "A ring has not moved yet, a disc is in motion, one with a dot has been in the last row.",
  draughts: "A crown is a king.",
  plakoto: "White runs from 1 to 24, Black from 24 to 1; the lowest of a stack in two colours is pinned. Aside: what is borne off.",
};
