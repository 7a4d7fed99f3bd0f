// Draughts: 64 squares, of which the dark ones are played on; White sees a1 at the bottom left.

import { counted } from "./words.js";

const PIECES = {
  w: { marks: ["White", "man"], text: "white man" },
  W: { marks: ["White", "king"], text: "white king" },
  b: { marks: ["Black", "man"], text: "black man" },
  B: { marks: ["Black", "king"], text: "black king" },
};
const START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0";
const EIGHT = [...Array(8).keys()];

function squareAt(board, fromTop, file) {
  const name = "abcdefgh"[file] + (8 - fromTop);
  const piece = PIECES[board[fromTop * 8 + file]];
  const isDark = (fromTop + file) % 2 === 1;
  return { key: name, name, marks: [isDark ? "dark" : "light"], pieces: piece ? [piece] : [] };
}

function rows({ board }, seat) {
  const ranks = EIGHT.map((rank) => EIGHT.map((file) => squareAt(board, rank, file)));
  return seat === 0 ? ranks : ranks.reverse().map((rank) => rank.reverse());
}

const men = (board, letter) => [...board].filter((piece) => piece.toLowerCase() === letter).length;

export const draughts = {
  title: "Draughts",
  colors: ["White", "Black"],
  decisive: 2,
  sizes: { "8 × 8": {} },
  usualSize: "8 × 8",
  start: () => ({ board: START }),
  rows,
  path: ({ route }) => route,
  touched: ({ route }) => route,
  tried: (route, key) => (route.length ? { route: [...route, key] } : null),
  prompt: (_, chosen) =>
    chosen ? "choose the square it goes to" : "choose a piece; who can capture must",
  tally: ({ board }, color) => counted(men(board, color === "White" ? "w" : "b"), "piece"),
};
