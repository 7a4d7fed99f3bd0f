// The replay of a finished match, step by step.

import { findById } from "./page_elements.js";

export class Replay {
  #updates = [];

  /** `onStep` is called with the update of each selected step. */
  constructor(onStep) {
    this.onStep = onStep;
    const slider = findById("replay-step");
    slider.addEventListener("input", () => this.#goToStep(Number(slider.value)));
    for (const button of document.querySelectorAll("[data-step]")) {
      const { step } = button.dataset;
      button.addEventListener("click", () => this.#goToStep(this.#getStepNumber(step)));
    }
  }

  get isAtEarlierStep() {
    return this.#updates.length > 0 && Number(findById("replay-step").value) < this.#updates.length;
  }

  open(updates) {
    this.#updates = updates;
    findById("replay-step").max = updates.length;
    findById("replay-step").value = updates.length;
    findById("replay").hidden = false;
    this.#showStepNumber();
  }

  close() {
    this.#updates = [];
    findById("replay").hidden = true;
  }

  #getStepNumber(step) {
    const current = Number(findById("replay-step").value);
    return { first: 1, previous: current - 1, next: current + 1, last: this.#updates.length }[step];
  }

  #goToStep(step) {
    const selected = Math.min(Math.max(step, 1), this.#updates.length);
    findById("replay-step").value = selected;
    this.#showStepNumber();
    this.onStep(this.#updates[selected - 1]);
  }

  #showStepNumber() {
    findById("replay-position").textContent = `${findById("replay-step").value} of ${this.#updates.length}`;
  }
}
