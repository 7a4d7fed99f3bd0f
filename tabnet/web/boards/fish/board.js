// Fish: six-sided tiles, row by row from the top, odd rows half a tile to the right.

// A tile is named by a letter for its place in the row, and the number of the row: d0.
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const formatKey = ({ row, col }) => LETTERS[col] + row;

const describeTile = (getText, fish) =>
  fish === 0 ? getText("hole") : getText("fish", { count: fish });

function createRows(getText, { state }) {
  const penguins = new Map();
  for (const { color, places } of state.players) {
    const penguin = { classNames: [color, "penguin"], text: getText(`penguin.${color}`) };
    for (const place of places) penguins.set(formatKey(place), penguin);
  }
  return state.board.map((tiles, row) =>
    tiles.map((fish, col) => {
      const key = formatKey({ row, col });
      const penguin = penguins.get(key);
      return {
        key,
        name: `${key}, ${describeTile(getText, fish)}`,
        classNames: [fish === 0 ? "hole" : "tile"],
        count: fish,
        pieces: penguin ? [penguin] : [],
        label: fish ? key : "",
        style: {
          gridRow: `${row + 1} / span 2`,
          gridColumn: `${6 * col + 3 * (row % 2) + 1} / span 4`,
        },
      };
    }),
  );
}

const parseKey = (key) => ({ row: Number(key.slice(1)), col: LETTERS.indexOf(key[0]) });

const areAllPenguinsPlaced = ({ state, out, penguins }) =>
  state.players.every(({ places, color }) => out.includes(color) || places.length === penguins);

function getNotifyFields([from], key, update) {
  if (!areAllPenguinsPlaced(update)) return { place: parseKey(key) };
  return from ? { from: parseKey(from), to: parseKey(key) } : null;
}

// The preview has this board, because the server deals the board of a game.
function createStart({ rows, cols }) {
  const board = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (_, col) => 1 + ((2 * row + 3 * col) % 3)),
  );
  return { state: { players: [], board }, penguins: 4, out: [] };
}

function describeGain(getText, { state: { board: before } }, { state: { board: after } }) {
  const removedTiles = before.flatMap((tiles, row) =>
    tiles.filter((fish, col) => fish > 0 && after[row][col] === 0),
  );
  return removedTiles.length ? getText("fish", { count: removedTiles[0] }) : "";
}

// The board that the server deals: first the holes, then the fish of every other tile.
const deal = {
  isRandom: ({ board }) => !board,
  getBoard: ({ state }) => state.board,
  compute: async ({ below }, { rows, cols, fish, holes }) => {
    const freeTiles = [...Array(rows * cols).keys()];
    const board = Array(rows * cols).fill(0);
    for (let hole = 0; hole < (holes ?? 0); hole += 1) {
      freeTiles.splice(await below(freeTiles.length), 1);
    }
    for (const tile of freeTiles) board[tile] = fish ?? (await below(5)) + 1;
    return Array.from({ length: rows }, (_, row) => board.slice(row * cols, (row + 1) * cols));
  },
};

const getScore = ({ state }, color) => state.players.find((player) => player.color === color).score;

// Pictures of a fish and of a penguin, used as masks.
const FISH =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 18'%3E%3Cpath fill-rule='evenodd' d='M1 9C5 3 11 1 16 2c4 1 6 3 8 5l7-5c-1 5-1 9 0 14l-7-5c-2 2-4 4-8 5C11 17 5 15 1 9zm6-2a1.300 1.300 0 1 0 0 2.600A1.300 1.300 0 0 0 7 7z'/%3E%3C/svg%3E";
const PENGUIN =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'%3E%3Cpath fill-rule='evenodd' d='M20 2c-5 0-8 4-8 9 0 3-1 5-3 8-2 4-3 7-1 7 1 0 2-1 3-2 0 6 2 10 5 12h-4c-1 0-1 2 0 2h6l2-1 2 1h6c1 0 1-2 0-2h-4c3-2 5-6 5-12 1 1 2 2 3 2 2 0 1-3-1-7-2-3-3-5-3-8 0-5-3-9-8-9zm-3 7a1.4 1.4 0 1 1 0 2.800 1.400 1.400 0 0 1 0-2.800zm6 0a1.400 1.400 0 1 1 0 2.800 1.400 1.400 0 0 1 0-2.800zM18 13h4l-2 3zM20 18c4 0 5 5 5 9s-2 7-5 7-5-3-5-7 1-9 5-9z'/%3E%3C/svg%3E";

const STYLE = `
:root { --ice: #cfe3e6; --sea: #6f9aa6; }
@media (prefers-color-scheme: dark) { :root { --ice: #9fbcc2; --sea: #2c4a54; } }
.board.fish {
  --units: calc(var(--columns) * 6 + 1);
  --unit: max(min(calc(96cqi / var(--units)), calc(var(--board-height) / (var(--rows) + 1.3) / 1.732)), .5rem);
  grid-template-columns: repeat(var(--units), var(--unit));
  grid-auto-rows: calc(var(--unit) * 1.732);
  justify-content: center;
  width: 100%;
  min-width: calc(var(--units) * .5rem + 4cqi);
  background: var(--sea);
}
.fish .cell { aspect-ratio: auto; clip-path: polygon(25% 0, 75% 0, 100% 50%, 75% 100%, 25% 100%, 0 50%); }
.fish .cell:not(.hole) { background: linear-gradient(165deg, #fff 0, var(--ice) 60%); margin: 2%; }
.fish .items { position: absolute; display: flex; flex-wrap: wrap; gap: 4%; width: 64%; place-content: center; }
.fish i { width: 30%; aspect-ratio: 1.7; background: #4c7480; mask: url("${FISH}") center / contain no-repeat; }
.fish .piece { width: 50%; margin-bottom: 16%; border: 0; }
.fish .piece::before { content: ""; width: 76%; height: 76%; background: var(--fill-text); mask: url("${PENGUIN}") center / contain no-repeat; }
.fish .legal:not(:has(.piece)) { background: linear-gradient(165deg, #fff6d8 0, #f0cf7e 90%); }
.fish .cell:has(.piece) .items { bottom: 7%; width: 52%; }
.fish .cell:has(.piece) i { width: 18%; }
.fish .lastMove::after, .fish .target::before { display: none !important; }
.fish .hole.lastMove { background: rgb(255 255 255 / 22%); }
.fish .lastMove .piece { outline: 2px dashed rgb(0 0 0 / 60%); outline-offset: 2px; }
.fish .label { inset: 5% 0 auto; color: rgb(22 54 61); text-align: center; }
.fish .cell:focus-visible { outline: 0; background: var(--highlight); }
`;

function describeProgress(getText, update, color) {
  const fish = getText("fish", { count: getScore(update, color) });
  return update.out.includes(color) ? getText("progress.out", { fish }) : fish;
}

export const createBoard = (getText) => ({
  style: STYLE,
  colors: ["red", "white", "brown", "black"],
  clock: { move: 120 },
  deal,
  autoPlayAfter: 2,
  maxSeats: 4,
  sizes: {
    25: { rows: 5, cols: 5 },
    40: { rows: 8, cols: 5 },
    60: { rows: 12, cols: 5 },
    84: { rows: 12, cols: 7 },
  },
  defaultSize: "60",
  nameSize: (id) => getText("size", { count: Number(id) }),
  createStart,
  createRows: (update) => createRows(getText, update),
  listCells: ({ place, from, to }) => (place ? [place] : [from, to]).map(formatKey),
  getNotifyFields,
  prompt: (update, chosen) => {
    if (!areAllPenguinsPlaced(update)) return getText("prompt.place");
    return getText(chosen ? "prompt.destination" : "prompt.penguin");
  },
  describeGain: (before, after) => describeGain(getText, before, after),
  getScore,
  describeProgress: (update, color) => describeProgress(getText, update, color),
});
