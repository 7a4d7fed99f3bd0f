// Plakoto: 24 points around the board. Each player's checkers start at the bottom right, move left,
// and end at the top right, where they are borne off.

const MAX_DRAWN = 5; // the number of checkers drawn on a point; a label shows larger numbers

function createCheckers(getText, { owner, count, pinned }) {
  const other = owner === "White" ? "Black" : "White";
  const base = pinned ? [{ classNames: [other, "pinned"], text: getText(`pinned.${other}`) }] : [];
  const text = getText(`checkers.${owner}`, { count });
  const stack = Array.from({ length: Math.min(count, MAX_DRAWN) }, (_, index) => ({
    classNames: [owner],
    text: index === 0 ? text : "",
    label: index === MAX_DRAWN - 1 && count > MAX_DRAWN ? String(count) : "",
  }));
  return [...base, ...stack];
}

function createPoint(getText, update, seat, step) {
  const number = seat === 0 ? step : 25 - step;
  if (number === 0 || number === 25) return createTray(getText, update, number);
  const point = update.points[number - 1];
  return {
    key: String(number),
    name: getText("point", { number: String(number) }),
    classNames: ["point", number % 2 ? "odd" : "even", step > 12 ? "upper" : "lower"],
    pieces: point ? createCheckers(getText, point) : [],
    label: String(number),
  };
}

// Return the tray of borne-off checkers: 25 for White, 0 for Black.
function createTray(getText, update, number) {
  const [color, off] = number === 25 ? ["White", update.off[0]] : ["Black", update.off[1]];
  const text = getText("progress", { count: off });
  const disc = { classNames: [color], text, label: String(off) };
  return {
    key: String(number),
    name: getText(`tray.${color}`),
    classNames: ["tray"],
    pieces: off ? [disc] : [],
  };
}

function createRows(getText, update, seat) {
  const indexes = [...Array(13).keys()];
  const upper = indexes.map((index) => createPoint(getText, update, seat, 13 + index));
  const lower = indexes.map((index) => createPoint(getText, update, seat, 12 - index));
  return [upper, lower];
}

function createStart() {
  const points = Array(24).fill(null);
  points[0] = { owner: "White", count: 15, pinned: false };
  points[23] = { owner: "Black", count: 15, pinned: false };
  return { points, off: [0, 0] };
}

const countPins = ({ points }) => points.filter((point) => point?.pinned).length;

// Two dice, the higher first; a double counts four times.
async function computeThrow({ below }) {
  const [a, b] = [(await below(6)) + 1, (await below(6)) + 1];
  return a === b ? [a, a, a, a] : [Math.max(a, b), Math.min(a, b)];
}

function describeThrow(getText, { dice }) {
  if (dice.length > 2) return `${dice.length} × ${dice[0]}`;
  const [first, second] = dice;
  return dice.length === 2 ? getText("throw", { first, second }) : String(first);
}

function describeDueMove(getText, { dice }) {
  const [first, second] = [...new Set(dice)];
  return second === undefined
    ? getText("prompt.one", { first })
    : getText("prompt.two", { first, second });
}

const STYLE = `
:root { --groove: #b98f60; }
@media (prefers-color-scheme: dark) { :root { --groove: #7a5837; } }
.board.plakoto { grid-template-columns: repeat(6, 1fr) 1.2cqi repeat(6, 1fr) 1.2cqi 1fr; max-width: calc(var(--board-height) * 1.22); min-width: 20rem; gap: 1.5cqi 0; }
.plakoto .cell { display: flex; flex-direction: column; align-items: center; height: 36cqi; aspect-ratio: auto; background: var(--wood); }
.plakoto .lower, .plakoto .row:last-child .tray { flex-direction: column-reverse; }
.plakoto .cell:nth-child(7) { grid-column: 8; }
.plakoto .cell:nth-child(13) { grid-column: 15; }
.plakoto .tray { background: color-mix(in srgb, var(--wood-edge) 70%, var(--wood)); }
.plakoto .point::after { content: ""; position: absolute; inset: auto 8%; height: 82%; z-index: 0; border: 0; border-radius: 0; background: var(--groove); }
.plakoto .even::after { background: var(--wood-dark); }
.plakoto .upper::after { top: 0; clip-path: polygon(0 0, 100% 0, 50% 100%); }
.plakoto .lower::after { bottom: 0; clip-path: polygon(50% 0, 100% 100%, 0 100%); }
.plakoto .lastMove::after { background: color-mix(in srgb, var(--highlight) 55%, var(--wood-dark)); }
.plakoto .piece { position: relative; z-index: 1; width: 88%; margin-block: .2cqi; font-size: 2.6cqi; flex: none; }
.plakoto .pinned { box-shadow: none; }
.plakoto .upper .pinned { margin-bottom: -3.6cqi; }
.plakoto .lower .pinned { margin-top: -3.6cqi; }
.plakoto .legal.target::before { inset: auto; z-index: 2; }
.plakoto .upper.target::before { bottom: 5%; }
.plakoto .lower.target::before { top: 5%; }
.plakoto .label { inset: auto; color: var(--wood); }
.plakoto .upper .label { bottom: calc(100% + .3cqi); }
.plakoto .lower .label { top: calc(100% + .3cqi); }
.labelled.plakoto { padding-block: 3.2cqi; }
`;

export const createBoard = (getText) => ({
  style: STYLE,
  colors: ["White", "Black"],
  clock: { move: 120 },
  throws: {
    equipment: "dice",
    getValues: ({ dice }) => dice,
    describe: (update) => describeThrow(getText, update),
    compute: computeThrow,
  },
  autoPlayAfter: 2,
  sizes: { 24: {} },
  defaultSize: "24",
  nameSize: (id) => getText("size", { count: Number(id) }),
  createStart,
  createRows: (update, seat) => createRows(getText, update, seat),
  listCells: ({ from, to }) => [String(from), String(to)],
  nameCell: (key) => (key === "0" || key === "25" ? getText("off") : key),
  getNotifyFields: ([from], key) => (from ? { from: Number(from), to: Number(key) } : null),
  prompt: (update, chosen) =>
    chosen ? getText("prompt.destination") : describeDueMove(getText, update),
  describeGain: (before, after) => (countPins(after) > countPins(before) ? getText("gain") : ""),
  describeProgress: ({ off }, color) =>
    getText("progress", { count: off[color === "White" ? 0 : 1] }),
});
