// A board for the mouse, touch, and the arrow keys with Enter.

import { Drawing } from "./drawing.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Grid {
  #drawing;

  /** `chosen` is called with the key of each chosen cell. */
  constructor(host, chosen) {
    this.#drawing = new Drawing(host);
    host.addEventListener("click", ({ target }) => {
      const cell = target.closest("[data-key]");
      if (cell === null) return;
      this.#focus(cell);
      chosen(cell.dataset.key);
    });
    host.addEventListener("keydown", (event) => {
      const cell = event.target.closest("[data-key]");
      if (cell === null) return;
      if (event.key in ARROWS) this.#step(cell.dataset.key, ARROWS[event.key]);
      else if (event.key === "Enter" || event.key === " ") chosen(cell.dataset.key);
      else return;
      event.preventDefault();
    });
  }

  /** Draw rows of cells; `marked(key)` returns the marks of a cell: legal, chosen, touched. */
  draw(kind, rows, marked) {
    if (this.#drawing.draw(kind, rows, marked)) this.#makeReachable(this.#drawing.cells[0]);
  }

  /** Animate the piece on `to` as coming from `from`. */
  slide(from, to) {
    this.#drawing.slide(from, to);
  }

  // One cell is in the focus order of the page; the arrow keys lead from it to the others.
  #makeReachable(cell) {
    for (const other of this.#drawing.cells) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  #focus(cell) {
    this.#makeReachable(cell);
    cell.focus();
  }

  #step(key, [down, right]) {
    const { keys } = this.#drawing;
    const row = keys.findIndex((some) => some.includes(key));
    const column = keys[row].indexOf(key);
    const next = keys[row + down]?.[column + right];
    if (next !== undefined) this.#focus(this.#drawing.cellOf(next));
  }
}
