// A board of cells: drawn from data, played with the mouse, a finger, or the arrow keys and Enter.

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const SLIDE_MS = 320;

export class Grid {
  #cells = new Map(); // key -> its element
  #inside = new Map(); // key -> what is drawn there; what stays is left alone, and may still move
  #shape = "";
  #keys = []; // rows of keys, as they are seen

  /** `chosen` is told the key of the cell that somebody chooses. */
  constructor(host, chosen) {
    this.host = host;
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

  /** Show rows of cells; `marked` says of a key which of its marks are on: legal, chosen, touched. */
  draw(kind, rows, marked) {
    this.#build(kind, rows);
    for (const cell of rows.flat()) {
      const shown = this.#cells.get(cell.key);
      mark(shown, cell, marked(cell.key));
      const inside = JSON.stringify([cell.fish, cell.pieces]);
      if (inside !== this.#inside.get(cell.key)) shown.replaceChildren(...contents(cell));
      this.#inside.set(cell.key, inside);
    }
  }

  /** Let the piece that has come to a cell be seen coming from another. */
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
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#keys = keys;
    this.#cells.clear();
    this.#inside.clear();
    this.host.className = `board ${kind}`;
    this.host.style.setProperty("--columns", Math.max(...keys.map((row) => row.length)));
    this.host.style.setProperty("--rows", keys.length);
    this.host.replaceChildren(...rows.map((row) => this.#row(row)));
    this.#cells.values().next().value.tabIndex = 0;
  }

  #row(cells) {
    const row = element("div", "row");
    row.setAttribute("role", "row");
    for (const { key, place } of cells) {
      const cell = element("div", "cell");
      cell.setAttribute("role", "gridcell");
      cell.dataset.key = key;
      cell.tabIndex = -1;
      Object.assign(cell.style, place);
      this.#cells.set(key, cell);
      row.append(cell);
    }
    return row;
  }

  #focus(cell) {
    for (const other of this.#cells.values()) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  }

  #step(key, [down, right]) {
    const row = this.#keys.findIndex((keys) => keys.includes(key));
    const column = this.#keys[row].indexOf(key);
    const next = this.#keys[row + down]?.[column + right];
    if (next !== undefined) this.#focus(this.#cells.get(next));
  }
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function mark(shown, cell, marks) {
  const on = Object.keys(marks).filter((name) => marks[name]);
  const arriving = shown.classList.contains("arriving") ? ["arriving"] : [];
  shown.className = ["cell", ...cell.marks, ...on, ...arriving].join(" ");
  shown.setAttribute("aria-label", spoken(cell, marks));
  shown.setAttribute("aria-selected", String(Boolean(marks.chosen)));
}

function contents({ fish = 0, pieces }) {
  const shoal = element("span", "shoal");
  shoal.append(...Array.from({ length: fish }, () => element("i", "fish")));
  return [...(fish > 0 ? [shoal] : []), ...pieces.map(pieceOf)];
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
