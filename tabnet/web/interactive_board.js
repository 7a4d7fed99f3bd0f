// A board for the mouse, touch, and the arrow keys with Enter.

import { BoardDrawing } from "./board_drawing.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class InteractiveBoard {
  #drawing;

  /** `onChoose` is called with the key of each chosen cell. */
  constructor(container, onChoose) {
    this.#drawing = new BoardDrawing(container);
    container.addEventListener("click", ({ target }) => {
      const cell = target.closest("[data-key]");
      if (cell === null) return;
      this.#focus(cell);
      onChoose(cell.dataset.key);
    });
    container.addEventListener("keydown", (event) => {
      const cell = event.target.closest("[data-key]");
      if (cell === null) return;
      if (event.key in ARROWS) this.#moveFocus(cell.dataset.key, ARROWS[event.key]);
      else if (event.key === "Enter" || event.key === " ") onChoose(cell.dataset.key);
      else return;
      event.preventDefault();
    });
  }

  /** Draw rows of cells; `getStates(key)` returns the states of a cell: legal, chosen, lastMove. */
  draw(kind, rows, getStates) {
    if (this.#drawing.draw(kind, rows, getStates)) this.#makeFocusable(this.#drawing.cells[0]);
  }

  /** Animate the piece on `to` as coming from `from`. */
  animateMove(from, to) {
    this.#drawing.animateMove(from, to);
  }

  // One cell is in the focus order of the page; the arrow keys lead from it to the others.
  #makeFocusable(cell) {
    for (const other of this.#drawing.cells) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  #focus(cell) {
    this.#makeFocusable(cell);
    cell.focus();
  }

  #moveFocus(key, [down, right]) {
    const { keys } = this.#drawing;
    const row = keys.findIndex((row) => row.includes(key));
    const column = keys[row].indexOf(key);
    const target = keys[row + down]?.[column + right];
    if (target !== undefined) this.#focus(this.#drawing.getCell(target));
  }
}
