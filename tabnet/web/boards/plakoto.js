// Plakoto: 24 points around the board. A player's own way begins at the bottom right, goes left,
// and ends at the top right, where the checkers are borne off.

import { counted } from "./words.js";

const SHOWN = 5; // so many checkers of a point are drawn; their number tells the rest

const other = (color) => (color === "White" ? "Black" : "White");

function checkers({ owner, count, pinned }) {
  const base = pinned
    ? [{ marks: [other(owner), "pinned"], text: `on a pinned ${other(owner)}` }]
    : [];
  const text = counted(count, `${owner} checker`);
  const stack = Array.from({ length: Math.min(count, SHOWN) }, (_, at) => ({
    marks: [owner],
    text: at === 0 ? text : "",
    label: at === SHOWN - 1 && count > SHOWN ? String(count) : "",
  }));
  return [...base, ...stack];
}

function pointAt(update, seat, way) {
  const number = seat === 0 ? way : 25 - way;
  if (number === 0 || number === 25) return trayAt(update, number);
  const point = update.points[number - 1];
  return {
    key: String(number),
    name: `point ${number}`,
    marks: ["point", number % 2 ? "odd" : "even", way > 12 ? "upper" : "lower"],
    pieces: point ? checkers(point) : [],
  };
}

// White's checkers leave for 25, Black's for 0.
function trayAt(update, number) {
  const [color, off] = number === 25 ? ["White", update.off[0]] : ["Black", update.off[1]];
  const disc = { marks: [color], text: `${off} borne off`, label: String(off) };
  return {
    key: String(number),
    name: `${color}’s tray`,
    marks: ["tray"],
    pieces: off ? [disc] : [],
  };
}

function rows(update, seat) {
  const upper = Array.from({ length: 13 }, (_, at) => pointAt(update, seat, 13 + at));
  const lower = Array.from({ length: 13 }, (_, at) => pointAt(update, seat, 12 - at));
  return [upper, lower];
}

// The position that a game begins with.
function start() {
  const points = Array(24).fill(null);
  points[0] = { owner: "White", count: 15, pinned: false };
  points[23] = { owner: "Black", count: 15, pinned: false };
  return { points, off: [0, 0] };
}

export const plakoto = {
  title: "Plakoto",
  colors: ["White", "Black"],
  throws: "dice",
  decisive: 2,
  sizes: { "24 points": {} },
  usualSize: "24 points",
  start,
  rows,
  path: ({ from, to }) => [String(from), String(to)],
  touched: ({ from, to }) => [String(from), String(to)],
  tried: ([from], key) => (from ? { from: Number(from), to: Number(key) } : null),
  prompt: ({ dice }, chosen) =>
    chosen
      ? "choose the point it goes to"
      : `choose a checker to move by ${[...new Set(dice)].join(" or ")}`,
  tally: ({ off }, color) => `${off[color === "White" ? 0 : 1]} borne off`,
};
