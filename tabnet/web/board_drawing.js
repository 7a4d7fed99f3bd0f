// Draws a board of cells from data, on the page and in reports.

const ANIMATION_MS = 320;
const NAMED_STATES = ["legal", "chosen", "lastMove"];

export function adoptStyles(styles) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles.join("\n"));
  document.adoptedStyleSheets.push(sheet);
}

export class BoardDrawing {
  keys = []; // rows of keys in the visible order
  #cells = new Map(); // key -> its element
  #drawnContents = new Map(); // key -> contents; unchanged ones keep their animation
  #layout = "";

  /**
   * `container` is the element of the board: its role is grid if cells can be chosen, else table.
   * The cells show their labels, which texts use to name cells. `nameState` returns the name of a
   * state for screen readers.
   */
  constructor(container, nameState) {
    Object.assign(this, { container, nameState });
    this.isGrid = container.getAttribute("role") === "grid";
  }

  /**
   * Draw rows of cells; `getStates(key)` returns the states of a cell: legal, chosen, lastMove.
   * Return whether the cells are new elements.
   */
  draw(kind, rows, getStates) {
    const isNew = this.#buildCells(kind, rows);
    for (const cell of rows.flat()) {
      const element = this.#cells.get(cell.key);
      this.#showStates(element, cell, getStates(cell.key));
      const contents = JSON.stringify([cell.count, cell.pieces, cell.label]);
      if (contents === this.#drawnContents.get(cell.key)) continue;
      element.replaceChildren(...this.#createContents(cell));
      this.#drawnContents.set(cell.key, contents);
    }
    return isNew;
  }

  get cells() {
    return [...this.#cells.values()];
  }

  getCell(key) {
    return this.#cells.get(key);
  }

  /** Animate the piece on `to` as coming from `from`. */
  animateMove(from, to) {
    const [start, end] = [this.#cells.get(from), this.#cells.get(to)];
    const piece = end?.querySelector(".piece:last-of-type");
    if (!start || !piece) return;
    const [a, b] = [start, end].map((cell) => cell.getBoundingClientRect());
    const offset = `translate(${a.left - b.left}px, ${a.top - b.top}px)`;
    end.classList.add("arriving");
    const animation = piece.animate([{ transform: offset }, {}], {
      duration: ANIMATION_MS,
      easing: "ease-in-out",
    });
    animation.onfinish = animation.oncancel = () => end.classList.remove("arriving");
  }

  #buildCells(kind, rows) {
    const keys = rows.map((row) => row.map(({ key }) => key));
    const layout = JSON.stringify([kind, keys]);
    if (layout === this.#layout) return false;
    this.#layout = layout;
    this.keys = keys;
    this.#cells.clear();
    this.#drawnContents.clear();
    this.container.className = `board ${kind} labelled`;
    this.container.style.setProperty("--columns", Math.max(...keys.map((row) => row.length)));
    this.container.style.setProperty("--rows", keys.length);
    this.container.replaceChildren(...rows.map((row) => this.#createRow(row)));
    return true;
  }

  #createRow(cells) {
    const row = createElement("div", "row");
    row.setAttribute("role", "row");
    for (const { key, style } of cells) {
      const cell = createElement("div", "cell");
      cell.setAttribute("role", this.isGrid ? "gridcell" : "cell");
      cell.dataset.key = key;
      Object.assign(cell.style, style);
      this.#cells.set(key, cell);
      row.append(cell);
    }
    return row;
  }

  #showStates(element, cell, states) {
    const activeStates = Object.keys(states).filter((name) => states[name]);
    const arriving = element.classList.contains("arriving") ? ["arriving"] : [];
    element.className = ["cell", ...cell.classNames, ...activeStates, ...arriving].join(" ");
    element.setAttribute("aria-label", this.#describeCell(cell, states));
    if (this.isGrid) element.setAttribute("aria-selected", String(Boolean(states.chosen)));
  }

  #describeCell(cell, states) {
    const pieces = cell.pieces.flatMap(({ text }) => text || []).reverse();
    const names = NAMED_STATES.filter((state) => states[state]).map(this.nameState);
    return [cell.name, ...pieces, ...names].join(", ");
  }

  #createContents({ count = 0, pieces, label }) {
    const items = createElement("span", "items");
    items.append(...Array.from({ length: count }, () => createElement("i", "item")));
    const contents = [...(count > 0 ? [items] : []), ...pieces.map(createPiece)];
    if (!label) return contents;
    const labelElement = createElement("b", "label");
    labelElement.dataset.label = label; // shown by CSS: for screen readers, the cell has a name
    return [...contents, labelElement];
  }
}

export function createElement(tag, className, text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

const createPiece = ({ classNames, label = "" }) =>
  createElement("span", ["piece", ...classNames].join(" "), label);
