// Draughts: the 32 dark squares of 64; White sees a1 at the bottom left.

const PIECES = {
  w: ["White", "man"],
  W: ["White", "king"],
  b: ["Black", "man"],
  B: ["Black", "king"],
};
const START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0";
const INDEXES = [...Array(8).keys()];

function createSquare(getText, board, fromTop, file) {
  const name = "abcdefgh"[file] + (8 - fromTop);
  const classNames = PIECES[board[fromTop * 8 + file]];
  const isDark = (fromTop + file) % 2 === 1;
  return {
    key: name,
    name,
    classNames: [isDark ? "dark" : "light"],
    pieces: classNames ? [{ classNames, text: getText(`piece.${classNames.join(".")}`) }] : [],
    label: isDark ? name : "",
  };
}

function createRows(getText, { board }, seat) {
  const ranks = INDEXES.map((rank) =>
    INDEXES.map((file) => createSquare(getText, board, rank, file)),
  );
  return seat === 0 ? ranks : ranks.reverse().map((rank) => rank.reverse());
}

const countPiecesOf = (board, letter) =>
  [...board].filter((piece) => piece.toLowerCase() === letter).length;

const countPieces = ({ board }) => [...board].filter((piece) => piece !== "0").length;

function describeGain(getText, before, after) {
  const captures = countPieces(before) - countPieces(after);
  return captures > 0 ? getText("gain", { count: captures }) : "";
}

const STYLE = `
.board.draughts { max-width: var(--board-height); min-width: 14rem; }
.draughts .light { background: var(--wood); }
.draughts .dark { background: var(--wood-dark); }
.draughts .piece { width: 76%; background: radial-gradient(circle, var(--fill) 0 40%, color-mix(in srgb, var(--fill) 82%, #808080) 42% 50%, var(--fill) 52%); font-size: 5cqi; line-height: 1; }
.draughts .king::before { content: "♛"; }
@media (prefers-color-scheme: dark) { .draughts .label { color: #fff0d7; } }
`;

export const createBoard = (getText) => ({
  style: STYLE,
  colors: ["White", "Black"],
  clock: { total: 600 },
  autoPlayAfter: 2,
  sizes: { "8x8": {} },
  defaultSize: "8x8",
  nameSize: () => "8 × 8",
  createStart: () => ({ board: START }),
  createRows: (update, seat) => createRows(getText, update, seat),
  listCells: ({ route }) => route,
  getNotifyFields: (route, key) => (route.length ? { route: [...route, key] } : null),
  prompt: (_, chosen) => getText(chosen ? "prompt.destination" : "prompt.piece"),
  describeGain: (before, after) => describeGain(getText, before, after),
  describeProgress: ({ board }, color) =>
    getText("progress", { count: countPiecesOf(board, color === "White" ? "w" : "b") }),
});
