// The list of moves beside the board; each item leads to its position.

import { createElement } from "./board_drawing.js";
import { formatMove, nameColor } from "./match.js";
import { KINDS } from "./kinds.js";
import { findById } from "./page_elements.js";

export class MoveList {
  #list = findById("move-list");
  #game = null;
  #count = 0; // the updates whose moves are in the list

  /** `onSelect` is called with the number of the update of the selected move. */
  constructor(onSelect) {
    this.#list.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button !== null) onSelect(Number(button.dataset.seq));
    });
  }

  /** Show the moves of these updates of one match, and mark the latest up to number `seq`. */
  show(updates, seq) {
    const game = updates[0]?.game ?? null;
    if (game !== this.#game || updates.length < this.#count) {
      this.#list.replaceChildren();
      this.#game = game;
      this.#count = 0;
    }
    const added = updates.slice(this.#count).filter(({ event }) => event.type === "move");
    this.#list.append(...added.map(createItem));
    this.#count = updates.length;
    this.mark(seq);
    findById("moves").hidden = this.#list.children.length === 0;
  }

  /** Mark the latest move up to the update number `seq`. */
  mark(seq) {
    const buttons = [...this.#list.querySelectorAll("button")];
    const current = buttons.findLast((button) => Number(button.dataset.seq) <= seq);
    for (const button of this.#list.querySelectorAll("[aria-current]"))
      if (button !== current) button.removeAttribute("aria-current");
    if (current === undefined) return;
    current.setAttribute("aria-current", "step");
    const [item, list] = [current.getBoundingClientRect(), this.#list.getBoundingClientRect()];
    if (item.bottom > list.bottom) this.#list.scrollTop += item.bottom - list.bottom;
    else if (item.top < list.top) this.#list.scrollTop -= list.top - item.top;
  }
}

function createItem(update) {
  const { seq, kind, event, players } = update;
  const item = createElement("li", "");
  const button = createElement("button", "");
  button.type = "button";
  button.dataset.seq = seq;
  const marker = createElement("span", `marker piece ${players[event.player]}`);
  marker.setAttribute("role", "img");
  marker.setAttribute("aria-label", nameColor(update, event.player));
  button.append(marker, createElement("span", "", formatMove(KINDS[kind], event)));
  item.append(button);
  return item;
}
