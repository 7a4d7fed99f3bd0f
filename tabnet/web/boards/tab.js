// Tab: four rows, walked back and forth; 0 is at the bottom left as Blue sees the board.

import { counted } from "./words.js";

/** What a throw is called, by its value. */
export const NAMES = { 1: "Tab", 2: "Itneyn", 3: "Telateh", 4: "Arba’ah", 6: "Sitteh" };

function described({ color, inMotion, reachedLastRow }) {
  if (reachedLastRow) return { marks: [color, "veteran"], text: `${color}, been on the last row` };
  if (inMotion) return { marks: [color, "moved"], text: `${color}, moved` };
  return { marks: [color, "fresh"], text: `${color}, not moved yet` };
}

function cellAt(update, seat, row, column) {
  const { size } = update.options;
  const isEven = row % 2 === 0;
  const number = row * size + (isEven ? column : size - 1 - column);
  const piece = update.pieces[number];
  const home = { 0: "Blue-home", 3: "Red-home" }[row];
  return {
    key: String(number),
    name: `cell ${number}`,
    marks: [isEven === (seat === 0) ? "rightward" : "leftward", ...(home ? [home] : [])],
    pieces: piece ? [described(piece)] : [],
  };
}

// The second player sees the board turned half round, with the own pieces at the bottom too.
function rows(update, seat) {
  const { size } = update.options;
  const columns = [...Array(size).keys()];
  const fromTop = [3, 2, 1, 0].map((row) =>
    columns.map((column) => cellAt(update, seat, row, column)),
  );
  return seat === 0 ? fromTop : fromTop.reverse().map((row) => row.reverse());
}

// The position that a game begins with.
function start({ size }) {
  const pieces = Array(4 * size).fill(null);
  for (let at = 0; at < size; at += 1) {
    pieces[at] = { color: "Blue", inMotion: false, reachedLastRow: false };
    pieces[3 * size + at] = { color: "Red", inMotion: false, reachedLastRow: false };
  }
  return { options: { size }, pieces };
}

export const tab = {
  title: "Tab",
  colors: ["Blue", "Red"],
  throws: "sticks",
  decisive: 1,
  sizes: Object.fromEntries([7, 9, 11, 13, 15].map((size) => [`${size} columns`, { size }])),
  usualSize: "9 columns",
  needsGroup: true,
  start,
  rows,
  path: ({ cell, to }) => [String(cell), String(to)],
  touched: ({ cell, to }) => [String(cell), String(to)],
  held: ({ step, cell }) => (step === "to" ? [String(cell)] : []),
  tried: ([cell], key) => (cell ? { cell: Number(cell), to: Number(key) } : { cell: Number(key) }),
  letGo: ({ cell }) => ({ cell }),
  prompt: ({ dice }, chosen) =>
    chosen ? "choose where the piece goes" : `choose a piece to move by ${dice.value}`,
  tally: ({ pieces }, color) =>
    counted(pieces.filter((piece) => piece?.color === color).length, "piece"),
};
