// Tab: four rows in alternating directions; 0 is at the bottom left as Blue sees the board.

const NAMES = { 1: "Tab", 2: "Itneyn", 3: "Telateh", 4: "Arba’ah", 6: "Sitteh" };

function describePiece(getText, { color, inMotion, reachedLastRow }) {
  const state = reachedLastRow ? "veteran" : inMotion ? "moved" : "fresh";
  return { classNames: [color, state], text: getText(`piece.${color}.${state}`) };
}

function createCell(getText, update, seat, row, column) {
  const { size } = update.options;
  const isEven = row % 2 === 0;
  const number = row * size + (isEven ? column : size - 1 - column);
  const piece = update.pieces[number];
  const home = { 0: "Blue-home", 3: "Red-home" }[row];
  return {
    key: String(number),
    name: getText("cell", { number: String(number) }),
    classNames: [isEven === (seat === 0) ? "rightward" : "leftward", ...(home ? [home] : [])],
    pieces: piece ? [describePiece(getText, piece)] : [],
    label: String(number),
  };
}

// Return the rows as a seat sees them: for the second player the board is turned half round.
function createRows(getText, update, seat) {
  const { size } = update.options;
  const columns = [...Array(size).keys()];
  const fromTop = [3, 2, 1, 0].map((row) =>
    columns.map((column) => createCell(getText, update, seat, row, column)),
  );
  return seat === 0 ? fromTop : fromTop.reverse().map((row) => row.reverse());
}

function createStart({ size }) {
  const pieces = Array(4 * size).fill(null);
  for (let index = 0; index < size; index += 1) {
    pieces[index] = { color: "Blue", inMotion: false, reachedLastRow: false };
    pieces[3 * size + index] = { color: "Red", inMotion: false, reachedLastRow: false };
  }
  return { options: { size }, pieces };
}

const countPieces = ({ pieces }) => pieces.filter((piece) => piece !== null).length;

function describeGain(getText, before, after) {
  const captures = countPieces(before) - countPieces(after);
  return captures > 0 ? getText("gain", { count: captures }) : "";
}

// Four sticks, each with the light side up or not.
const throws = {
  equipment: "sticks",
  getValues: ({ dice }) => dice?.stickValues ?? null,
  describe: ({ dice }) => String(dice.value),
  getName: ({ dice }) => NAMES[dice.value],
  compute: async ({ byte }) => {
    const bits = await byte();
    return [0, 1, 2, 3].map((bit) => Boolean((bits >> bit) & 1));
  },
};

const STYLE = `
.board.tab { gap: 3px; max-width: calc(var(--board-height) * var(--columns) / 4); min-width: calc(var(--columns) * 31px + 4cqi); }
.tab .cell { border-radius: 12%; background: var(--wood); }
.tab .Blue-home { background: color-mix(in srgb, var(--wood) 84%, var(--blue)); }
.tab .Red-home { background: color-mix(in srgb, var(--wood) 84%, var(--red)); }
.tab .rightward:not(.target)::before, .tab .leftward:not(.target)::before { content: "›"; position: absolute; color: rgb(60 30 0 / 22%); font-size: 5cqi; line-height: 1; }
.tab .leftward:not(.target)::before { transform: scaleX(-1); }
.tab .piece { z-index: 1; }
.tab .fresh { background: radial-gradient(circle, var(--wood) 0 28%, var(--fill) 31%); }
.tab .veteran { background: radial-gradient(circle, var(--fill) 0 30%, #f4d27a 33% 44%, var(--fill) 47%); }
`;

export const createBoard = (getText) => ({
  style: STYLE,
  colors: ["Blue", "Red"],
  clock: { move: 120 },
  throws,
  autoPlayAfter: 1,
  sizes: Object.fromEntries([7, 9, 11, 13, 15].map((size) => [size, { size }])),
  defaultSize: "9",
  nameSize: (id) => getText("size", { count: Number(id) }),
  rankedBy: "size",
  createStart,
  createRows: (update, seat) => createRows(getText, update, seat),
  listCells: ({ cell, to }) => [String(cell), String(to)],
  getSelectedCells: ({ step, cell }) => (step === "to" ? [String(cell)] : []),
  getNotifyFields: ([cell], key) =>
    cell ? { cell: Number(cell), to: Number(key) } : { cell: Number(key) },
  getDeselectFields: ({ cell }) => ({ cell }),
  prompt: ({ dice }, chosen) =>
    chosen ? getText("prompt.destination") : getText("prompt.piece", { throw: dice.value }),
  describeGain: (before, after) => describeGain(getText, before, after),
  describeProgress: ({ pieces }, color) =>
    getText("progress", { count: pieces.filter((piece) => piece?.color === color).length }),
});
