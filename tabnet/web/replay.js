// The steps of a match: its updates so far, and the one that is shown.

import { findById } from "./page_elements.js";
import { getText } from "./texts.js";

/** The updates of a match in order, whichever come first: the stored ones or the new ones. */
export class MatchHistory {
  #updates = [];
  #later = []; // updates after a gap, until the updates before them come

  add(...updates) {
    this.#later.push(...updates);
    this.#later.sort((a, b) => a.seq - b.seq);
    while (this.#later.length > 0 && this.#later[0].seq <= this.#updates.length + 1) {
      const update = this.#later.shift();
      if (update.seq === this.#updates.length + 1) this.#updates.push(update);
    }
  }

  /** Return the updates from the first to number `seq`; none if some of them are missing. */
  getUntil(seq) {
    return this.#updates.length < seq ? [] : this.#updates.slice(0, seq);
  }
}

export class Replay {
  #updates = [];
  #isOver = false;

  /** `onStep` is called with the update of each selected step. */
  constructor(onStep) {
    this.onStep = onStep;
    const slider = findById("replay-step");
    slider.addEventListener("input", () => this.goToStep(Number(slider.value)));
    for (const button of document.querySelectorAll("[data-step]")) {
      const { step } = button.dataset;
      button.addEventListener("click", () => this.goToStep(this.#getStepNumber(step)));
    }
  }

  get step() {
    return Number(findById("replay-step").value);
  }

  get isAtEarlierStep() {
    return this.#updates.length > 0 && this.step < this.#updates.length;
  }

  /** Show the latest of these updates. The steps of a running match appear with an earlier one. */
  open(updates, isOver) {
    this.#updates = updates;
    this.#isOver = isOver;
    findById("replay-step").max = updates.length;
    findById("replay-step").value = updates.length;
    this.#showStepNumber();
  }

  close() {
    this.open([], false);
  }

  goToStep(step) {
    const selected = Math.min(Math.max(step, 1), this.#updates.length);
    findById("replay-step").value = selected;
    this.#showStepNumber();
    this.onStep(this.#updates[selected - 1]);
  }

  #getStepNumber(step) {
    const current = this.step;
    return { first: 1, previous: current - 1, next: current + 1, last: this.#updates.length }[step];
  }

  #showStepNumber() {
    const [step, steps] = [this.step, this.#updates.length];
    findById("replay").hidden = steps === 0 || !(this.#isOver || this.isAtEarlierStep);
    findById("replay-position").textContent = getText("replay.position", { step, steps });
  }
}
