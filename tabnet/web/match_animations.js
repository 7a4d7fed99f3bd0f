// The animations of throws and moves, unless the player or the system wants none.

import { KINDS } from "./kinds.js";
import { getThrow } from "./match.js";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class MatchAnimations {
  constructor({ board, throwCanvas, queue }) {
    Object.assign(this, { board, throwCanvas, queue });
  }

  get #isOff() {
    return this.queue.isInstant || reducedMotion.matches;
  }

  /** Show the throw of an update, and return at the end of its animation, if there is one. */
  async showThrow(update, isStill) {
    const equipment = KINDS[update.kind].throws?.equipment;
    const isThrown = update.event.type === "roll" && !isStill && !this.#isOff;
    if (isThrown) await this.throwCanvas.animateThrow(equipment, getThrow(update));
    else this.throwCanvas.showThrow(equipment, getThrow(update));
  }

  /** Animate the move of an update that the board shows. */
  showMove({ kind, event }) {
    if (event?.type !== "move" || this.#isOff) return;
    const cells = KINDS[kind].listCells(event);
    if (cells.length > 1) this.board.animateMove(cells[0], cells.at(-1));
  }
}
