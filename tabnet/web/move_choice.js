// The choice of one of the moves that the server lists, cell by cell. Pure.

/** Return a choice among these moves, each with its cells. */
export const createChoice = (moves, kind, chosen = []) => ({
  options: moves.map((move) => ({ move, cells: kind.listCells(move) })),
  autoPlayAfter: kind.autoPlayAfter,
  chosen,
});

const startsWith = (cells, chosen) => chosen.every((cell, index) => cells[index] === cell);

const listOpenOptions = ({ options, chosen }) =>
  options.filter(({ cells }) => startsWith(cells, chosen));

export const listNextCells = (choice) =>
  new Set(listOpenOptions(choice).map(({ cells }) => cells[choice.chosen.length]));

export const listFirstCells = ({ options }) => new Set(options.map(({ cells }) => cells[0]));

/**
 * Choose a cell: return the next choice, and the move if it is complete. A cell that begins another
 * move starts over. The first cell, chosen again, cancels. Return null if the cell has no meaning.
 */
export function chooseCell(choice, cell) {
  if (listNextCells(choice).has(cell))
    return addDecidedMove({ ...choice, chosen: [...choice.chosen, cell] });
  if (choice.chosen[0] === cell) return { choice: { ...choice, chosen: [] }, move: null };
  if (listFirstCells(choice).has(cell)) return addDecidedMove({ ...choice, chosen: [cell] });
  return null;
}

function addDecidedMove(choice) {
  const options = listOpenOptions(choice);
  const complete = options.find(({ cells }) => cells.length === choice.chosen.length);
  if (complete) return { choice, move: complete.move };
  const isDecided = options.length === 1 && choice.chosen.length >= choice.autoPlayAfter;
  return { choice, move: isDecided ? options[0].move : null };
}
