// Tab: four rows in alternating directions; 0 is at the bottom left as Blue sees the board.

const formatCount = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

const NAMES = { 1: "Tab", 2: "Itneyn", 3: "Telateh", 4: "Arba’ah", 6: "Sitteh" };

function describePiece({ color, inMotion, reachedLastRow }) {
  if (reachedLastRow)
    return { classNames: [color, "veteran"], text: `${color}, been on the last row` };
  if (inMotion) return { classNames: [color, "moved"], text: `${color}, moved` };
  return { classNames: [color, "fresh"], text: `${color}, not moved yet` };
}

function createCell(update, seat, row, column) {
  const { size } = update.options;
  const isEven = row % 2 === 0;
  const number = row * size + (isEven ? column : size - 1 - column);
  const piece = update.pieces[number];
  const home = { 0: "Blue-home", 3: "Red-home" }[row];
  return {
    key: String(number),
    name: `cell ${number}`,
    classNames: [isEven === (seat === 0) ? "rightward" : "leftward", ...(home ? [home] : [])],
    pieces: piece ? [describePiece(piece)] : [],
    label: String(number),
  };
}

// Return the rows as a seat sees them: for the second player the board is turned half round.
function createRows(update, seat) {
  const { size } = update.options;
  const columns = [...Array(size).keys()];
  const fromTop = [3, 2, 1, 0].map((row) =>
    columns.map((column) => createCell(update, seat, row, column)),
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

function describeGain(before, after) {
  const captures = countPieces(before) - countPieces(after);
  return captures > 1 ? `${captures} captures` : captures === 1 ? "a capture" : "";
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

const RULES = `
<h3>Tab</h3>
<p>Capture all of the opponent’s pieces. Each turn throws four sticks. The value is the number of light sides that are up; no light side counts 6.</p>
<table>
  <thead><tr><th scope="col">Light sides</th><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Throw again</th><th scope="col">Probability</th></tr></thead>
  <tbody>
    <tr><td>0</td><td>Sitteh</td><td>6</td><td>yes</td><td>6 %</td></tr>
    <tr><td>1</td><td>Tab</td><td>1</td><td>yes</td><td>25 %</td></tr>
    <tr><td>2</td><td>Itneyn</td><td>2</td><td>no</td><td>38 %</td></tr>
    <tr><td>3</td><td>Telateh</td><td>3</td><td>no</td><td>25 %</td></tr>
    <tr><td>4</td><td>Arba’ah</td><td>4</td><td>yes</td><td>6 %</td></tr>
  </tbody>
</table>
<ul>
  <li>The first move of a piece needs a throw of 1, a Tab. A hollow piece has not moved yet; a ringed one has been on the last row.</li>
  <li>Pieces move along the rows as the arrows on the board show. From the third row a piece goes on to the fourth, or back to the second: you choose.</li>
  <li>A piece enters the last row only once, and stays there while any of your pieces is in your home row. It never returns to the home row.</li>
  <li>A move to an opponent’s piece captures it. You cannot move to your own piece.</li>
  <li>If you have a legal move, you must move. After 1, 4 and 6 you throw again. After 2 and 3 without a legal move, you pass.</li>
</ul>
`;

export const board = {
  style: STYLE,
  rules: RULES,
  title: "Tab",
  colors: ["Blue", "Red"],
  clock: { move: 120 },
  throws,
  autoPlayAfter: 1,
  sizes: Object.fromEntries([7, 9, 11, 13, 15].map((size) => [`${size} columns`, { size }])),
  defaultSize: "9 columns",
  rankedBy: "size",
  createStart,
  createRows,
  listCells: ({ cell, to }) => [String(cell), String(to)],
  getSelectedCells: ({ step, cell }) => (step === "to" ? [String(cell)] : []),
  getNotifyFields: ([cell], key) =>
    cell ? { cell: Number(cell), to: Number(key) } : { cell: Number(key) },
  getDeselectFields: ({ cell }) => ({ cell }),
  prompt: ({ dice }, chosen) =>
    chosen ? "Choose the destination." : `Choose a piece to move by ${dice.value}.`,
  reasons: { all_captured: "The last piece is captured." },
  legend:
    "A hollow piece has not moved yet, a full one is in motion, a ringed one has been in the last row.",
  describeGain,
  describeProgress: ({ pieces }, color) =>
    formatCount(pieces.filter((piece) => piece?.color === color).length, "piece"),
};
