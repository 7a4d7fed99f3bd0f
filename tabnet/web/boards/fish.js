// Fish: six-sided tiles, row by row from the top, odd rows half a tile to the right.

const keyOf = ({ row, col }) => `${row},${col}`;

const tileText = (fish) => (fish === 0 ? "hole" : fish === 1 ? "1 fish" : `${fish} fish`);

function rows({ state }) {
  const penguins = new Map();
  for (const { color, places } of state.players) {
    const penguin = { marks: [color, "penguin"], text: `${color} penguin` };
    for (const place of places) penguins.set(keyOf(place), penguin);
  }
  return state.board.map((tiles, row) =>
    tiles.map((fish, col) => {
      const key = keyOf({ row, col });
      const penguin = penguins.get(key);
      return {
        key,
        name: `row ${row + 1}, column ${col + 1}, ${tileText(fish)}`,
        marks: [fish === 0 ? "hole" : "tile"],
        fish,
        pieces: penguin ? [penguin] : [],
        place: {
          gridRow: `${row + 1} / span 2`,
          gridColumn: `${6 * col + 3 * (row % 2) + 1} / span 4`,
        },
      };
    }),
  );
}

const placeOf = (key) => {
  const [row, col] = key.split(",").map(Number);
  return { row, col };
};

const areAllPlaced = ({ state, out, penguins }) =>
  state.players.every(({ places, color }) => out.includes(color) || places.length === penguins);

function tried([from], key, update) {
  if (!areAllPlaced(update)) return { place: placeOf(key) };
  return from ? { from: placeOf(from), to: placeOf(key) } : null;
}

// The fish of a real game are dealt by the server; these only show the ice.
function start({ rows, cols }) {
  const board = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (_, col) => 1 + ((2 * row + 3 * col) % 3)),
  );
  return { state: { players: [], board }, penguins: 4, out: [] };
}

const score = ({ state }, color) => state.players.find((player) => player.color === color).score;

export const fish = {
  title: "Fish",
  colors: ["red", "white", "brown", "black"],
  decisive: 2,
  seatsMost: 4,
  sizes: {
    "25 tiles": { rows: 5, cols: 5 },
    "40 tiles": { rows: 8, cols: 5 },
    "60 tiles": { rows: 12, cols: 5 },
    "84 tiles": { rows: 12, cols: 7 },
  },
  usualSize: "60 tiles",
  start,
  rows,
  path: ({ place, from, to }) => (place ? [keyOf(place)] : [keyOf(from), keyOf(to)]),
  touched: ({ place, from, to }) => (place ? [keyOf(place)] : [keyOf(from), keyOf(to)]),
  tried,
  prompt: (update, chosen) => {
    if (!areAllPlaced(update)) return "choose a tile to place a penguin on";
    return chosen ? "choose a tile in a straight line" : "choose a penguin to move";
  },
  tally: (update, color) =>
    `${score(update, color)} fish${update.out.includes(color) ? ", out" : ""}`,
};
