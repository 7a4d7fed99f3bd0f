// Draws a board of cells from data. The page and the reports draw every position with this.

const SLIDE_MS = 320;

/** Add the CSS texts of the boards to the page. */
export function adoptStyles(styles) {
  const sheets = styles.map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, ...sheets];
}

export class Drawing {
  keys = []; // rows of keys in the visible order
  #cells = new Map(); // key -> its element
  #inside = new Map(); // key -> the drawn contents; unchanged contents keep their animation
  #shape = "";

  /**
   * `host` is the element of the board: its role is grid where cells can be chosen, else table.
   * `isLabelled`: cells show their labels, by which a text names them.
   */
  constructor(host, isLabelled = false) {
    Object.assign(this, { host, isLabelled });
    this.isGrid = host.getAttribute("role") === "grid";
  }

  /**
   * Draw rows of cells; `marked(key)` returns the marks of a cell: legal, chosen, touched.
   * Return whether the cells are new elements.
   */
  draw(kind, rows, marked) {
    const isNew = this.#build(kind, rows);
    for (const cell of rows.flat()) {
      const shown = this.#cells.get(cell.key);
      this.#mark(shown, cell, marked(cell.key));
      const inside = JSON.stringify([cell.count, cell.pieces, cell.label]);
      if (inside !== this.#inside.get(cell.key)) shown.replaceChildren(...this.#contents(cell));
      this.#inside.set(cell.key, inside);
    }
    return isNew;
  }

  /** The elements of all cells. */
  get cells() {
    return [...this.#cells.values()];
  }

  /** The element of a cell. */
  cellOf(key) {
    return this.#cells.get(key);
  }

  /** Animate the piece on `to` as coming from `from`. */
  slide(from, to) {
    const [start, end] = [this.#cells.get(from), this.#cells.get(to)];
    const piece = end?.querySelector(".piece:last-of-type");
    if (!start || !piece) return;
    const [a, b] = [start, end].map((cell) => cell.getBoundingClientRect());
    const away = `translate(${a.left - b.left}px, ${a.top - b.top}px)`;
    end.classList.add("arriving");
    const moving = piece.animate([{ transform: away }, {}], {
      duration: SLIDE_MS,
      easing: "ease-in-out",
    });
    moving.onfinish = moving.oncancel = () => end.classList.remove("arriving");
  }

  #build(kind, rows) {
    const keys = rows.map((row) => row.map(({ key }) => key));
    const shape = JSON.stringify([kind, keys]);
    if (shape === this.#shape) return false;
    this.#shape = shape;
    this.keys = keys;
    this.#cells.clear();
    this.#inside.clear();
    this.host.className = `board ${kind}${this.isLabelled ? " labelled" : ""}`;
    this.host.style.setProperty("--columns", Math.max(...keys.map((row) => row.length)));
    this.host.style.setProperty("--rows", keys.length);
    this.host.replaceChildren(...rows.map((row) => this.#row(row)));
    return true;
  }

  #row(cells) {
    const row = element("div", "row");
    row.setAttribute("role", "row");
    for (const { key, place } of cells) {
      const cell = element("div", "cell");
      cell.setAttribute("role", this.isGrid ? "gridcell" : "cell");
      cell.dataset.key = key;
      Object.assign(cell.style, place);
      this.#cells.set(key, cell);
      row.append(cell);
    }
    return row;
  }

  #mark(shown, cell, marks) {
    const on = Object.keys(marks).filter((name) => marks[name]);
    const arriving = shown.classList.contains("arriving") ? ["arriving"] : [];
    shown.className = ["cell", ...cell.marks, ...on, ...arriving].join(" ");
    shown.setAttribute("aria-label", spoken(cell, marks));
    if (this.isGrid) shown.setAttribute("aria-selected", String(Boolean(marks.chosen)));
  }

  #contents({ count = 0, pieces, label }) {
    const items = element("span", "items");
    items.append(...Array.from({ length: count }, () => element("i", "item")));
    const shown = [...(count > 0 ? [items] : []), ...pieces.map(pieceOf)];
    return this.isLabelled && label ? [...shown, element("b", "label", label)] : shown;
  }
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

const pieceOf = ({ marks, label = "" }) => element("span", ["piece", ...marks].join(" "), label);

function spoken(cell, { legal, chosen, touched }) {
  const pieces = cell.pieces
    .map(({ text }) => text)
    .filter(Boolean)
    .reverse();
  const state = [legal && "can be chosen", chosen && "chosen", touched && "last move"];
  return [cell.name, ...pieces, ...state.filter(Boolean)].join(", ");
}
