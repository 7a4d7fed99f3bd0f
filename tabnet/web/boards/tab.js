// Tab: four rows in alternating directions; 0 is at the bottom left as Blue sees the board.

const counted = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

/** The names of throws, by their values. */
const NAMES = { 1: "Tab", 2: "Itneyn", 3: "Telateh", 4: "Arba’ah", 6: "Sitteh" };

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
    label: String(number),
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

const count = ({ pieces }) => pieces.filter((piece) => piece !== null).length;

function gain(before, after) {
  const taken = count(before) - count(after);
  return taken > 1 ? `${taken} captures` : taken === 1 ? "a capture" : "";
}

// Four sticks, each with the light side up or not.
const throws = {
  things: "sticks",
  lying: ({ dice }) => dice?.stickValues ?? null,
  text: ({ dice }) => String(dice.value),
  name: ({ dice }) => NAMES[dice.value],
  read: async ({ byte }) => {
    const bits = await byte();
    return [0, 1, 2, 3].map((bit) => Boolean((bits >> bit) & 1));
  },
};

const STYLE = `
.board.tab { gap: 3px; max-width: calc((100dvh - 17rem) * var(--columns) / 4); min-width: 20rem; }
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
  throws,
  decisive: 1,
  sizes: Object.fromEntries([7, 9, 11, 13, 15].map((size) => [`${size} columns`, { size }])),
  usualSize: "9 columns",
  rankedBy: "size",
  start,
  rows,
  path: ({ cell, to }) => [String(cell), String(to)],
  touched: ({ cell, to }) => [String(cell), String(to)],
  held: ({ step, cell }) => (step === "to" ? [String(cell)] : []),
  tried: ([cell], key) => (cell ? { cell: Number(cell), to: Number(key) } : { cell: Number(key) }),
  letGo: ({ cell }) => ({ cell }),
  prompt: ({ dice }, chosen) =>
    chosen ? "choose the destination" : `choose a piece to move by ${dice.value}`,
  reasons: { all_captured: "the last piece is captured" },
  legend:
    "A hollow piece has not moved yet, a full one is in motion, a ringed one has been in the last row.",
  gain,
  tally: ({ pieces }, color) =>
    counted(pieces.filter((piece) => piece?.color === color).length, "piece"),
};
