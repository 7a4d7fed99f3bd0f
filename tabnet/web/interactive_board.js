// A board for the mouse, touch, and the arrow keys with Enter.

import { BoardDrawing } from "./board_drawing.js";
import { getText } from "./texts.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class InteractiveBoard extends BoardDrawing {
  #awaitsLegalCell = false; // the board has the focus, and the legal cells have not come yet

  /** `onChoose` is called with the key of each chosen cell. */
  constructor(container, onChoose) {
    super(container, (state) => getText(`state.${state}`));
    container.addEventListener("click", ({ target }) => {
      const cell = target.closest("[data-key]");
      if (cell === null) return;
      this.#awaitsLegalCell = false;
      this.#focus(cell);
      onChoose(cell.dataset.key);
    });
    container.addEventListener("keydown", (event) => {
      const cell = event.target.closest("[data-key]");
      if (cell === null) return;
      this.#awaitsLegalCell = false;
      if (event.key in ARROWS) this.#moveFocus(cell.dataset.key, ARROWS[event.key]);
      else if (event.key === "Enter" || event.key === " ") onChoose(cell.dataset.key);
      else return;
      event.preventDefault();
    });
  }

  draw(kind, rows, getStates) {
    if (super.draw(kind, rows, getStates)) this.#makeFocusable(this.cells[0]);
    if (this.#awaitsLegalCell && this.hasFocus && this.#findLegalCell()) this.focus();
  }

  get hasFocus() {
    return this.container.contains(document.activeElement);
  }

  /** Focus the first cell that can be chosen, now or as soon as there is one. */
  focus() {
    const legal = this.#findLegalCell();
    this.#awaitsLegalCell = legal === undefined;
    this.#focus(legal ?? this.cells.find((cell) => cell.tabIndex === 0));
  }

  #findLegalCell() {
    return this.cells.find((cell) => cell.classList.contains("legal"));
  }

  // One cell is in the focus order of the page; the arrow keys lead from it to the others.
  #makeFocusable(cell) {
    for (const other of this.cells) other.tabIndex = -1;
    cell.tabIndex = 0;
  }

  #focus(cell) {
    this.#makeFocusable(cell);
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #moveFocus(key, [down, right]) {
    const row = this.keys.findIndex((keys) => keys.includes(key));
    const column = this.keys[row].indexOf(key);
    const target = this.keys[row + down]?.[column + right];
    if (target !== undefined) this.#focus(this.getCell(target));
  }
}
