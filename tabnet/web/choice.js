// Choosing one of the moves that the server lists, cell by cell.

/** A choice among these moves, each with its path of cells. */
export const offer = (moves, kind, taken = []) => ({
  options: moves.map((move) => ({ move, path: kind.path(move) })),
  decisive: kind.decisive,
  taken,
});

const begins = (path, taken) => taken.every((key, at) => path[at] === key);

const open = ({ options, taken }) => options.filter(({ path }) => begins(path, taken));

/** The cells that can be chosen next. */
export const targets = (choice) =>
  new Set(open(choice).map(({ path }) => path[choice.taken.length]));

/** The cells that a choice can begin with. */
export const sources = ({ options }) => new Set(options.map(({ path }) => path[0]));

/**
 * Choose a cell: return the next choice, and the move if it is complete. A cell that begins another
 * move starts over, the first cell again cancels; null if the cell has no meaning.
 */
export function choose(choice, key) {
  if (targets(choice).has(key)) return settled({ ...choice, taken: [...choice.taken, key] });
  if (choice.taken[0] === key) return { choice: { ...choice, taken: [] }, move: null };
  if (sources(choice).has(key)) return settled({ ...choice, taken: [key] });
  return null;
}

function settled(choice) {
  const left = open(choice);
  const done = left.find(({ path }) => path.length === choice.taken.length);
  if (done) return { choice, move: done.move };
  const only = left.length === 1 && choice.taken.length >= choice.decisive;
  return { choice, move: only ? left[0].move : null };
}
