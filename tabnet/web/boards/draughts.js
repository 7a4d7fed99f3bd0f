// Draughts: the 32 dark squares of 64; White sees a1 at the bottom left.

const formatCount = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

const PIECES = {
  w: { classNames: ["White", "man"], text: "white man" },
  W: { classNames: ["White", "king"], text: "white king" },
  b: { classNames: ["Black", "man"], text: "black man" },
  B: { classNames: ["Black", "king"], text: "black king" },
};
const START = "0b0b0b0bb0b0b0b00b0b0b0b0000000000000000w0w0w0w00w0w0w0ww0w0w0w0";
const INDEXES = [...Array(8).keys()];

function createSquare(board, fromTop, file) {
  const name = "abcdefgh"[file] + (8 - fromTop);
  const piece = PIECES[board[fromTop * 8 + file]];
  const isDark = (fromTop + file) % 2 === 1;
  return {
    key: name,
    name,
    classNames: [isDark ? "dark" : "light"],
    pieces: piece ? [piece] : [],
    label: isDark ? name : "",
  };
}

function createRows({ board }, seat) {
  const ranks = INDEXES.map((rank) => INDEXES.map((file) => createSquare(board, rank, file)));
  return seat === 0 ? ranks : ranks.reverse().map((rank) => rank.reverse());
}

const countPiecesOf = (board, letter) =>
  [...board].filter((piece) => piece.toLowerCase() === letter).length;

const countPieces = ({ board }) => [...board].filter((piece) => piece !== "0").length;

function describeGain(before, after) {
  const captures = countPieces(before) - countPieces(after);
  return captures > 1 ? `${captures} captures` : captures === 1 ? "a capture" : "";
}

const STYLE = `
.board.draughts { max-width: var(--board-height); min-width: 14rem; }
.draughts .light { background: var(--wood); }
.draughts .dark { background: var(--wood-dark); }
.draughts .piece { width: 76%; background: radial-gradient(circle, var(--fill) 0 40%, color-mix(in srgb, var(--fill) 82%, #808080) 42% 50%, var(--fill) 52%); font-size: 5cqi; line-height: 1; }
.draughts .king::before { content: "♛"; }
@media (prefers-color-scheme: dark) { .draughts .label { color: #fff0d7; } }
`;

const RULES = `
<h3>Draughts</h3>
<p>Capture or block all pieces of your opponent. Only the dark squares are used. White begins.</p>
<ul>
  <li>Men step and jump diagonally forward; kings also backward.</li>
  <li>If you can capture, you must, and you continue while you can. You may choose any capture: click square after square.</li>
  <li>A man that reaches the far rank becomes a king, and its move ends.</li>
  <li>The game is a draw when a position occurs for the third time, or after forty moves by each side without a capture or a man’s move.</li>
</ul>
`;

export const board = {
  style: STYLE,
  rules: RULES,
  title: "Draughts",
  colors: ["White", "Black"],
  clock: { total: 600 },
  autoPlayAfter: 2,
  sizes: { "8 × 8": {} },
  defaultSize: "8 × 8",
  createStart: () => ({ board: START }),
  createRows,
  listCells: ({ route }) => route,
  getNotifyFields: (route, key) => (route.length ? { route: [...route, key] } : null),
  prompt: (_, chosen) =>
    chosen ? "Choose the destination." : "Choose a piece. Captures are mandatory.",
  reasons: {
    no_pieces: "No piece is left.",
    repetition: "The position occurred for the third time.",
    forty_moves: "Each side made forty moves without a capture or a man’s move.",
  },
  legend: "A crown is a king.",
  describeGain,
  describeProgress: ({ board }, color) =>
    formatCount(countPiecesOf(board, color === "White" ? "w" : "b"), "piece"),
};
