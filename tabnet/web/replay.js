// The replay of a finished match, step by step.

import { byId } from "./page_elements.js";

export class Replay {
  #updates = [];

  /** `onStep` is called with the update of each selected step. */
  constructor(onStep) {
    this.onStep = onStep;
    byId("replay-step").addEventListener("input", () => this.#goToStep(Number(byId("replay-step").value)));
    for (const button of document.querySelectorAll("[data-step]")) {
      const { step } = button.dataset;
      button.addEventListener("click", () => this.#goToStep(this.#getStepNumber(step)));
    }
  }

  get isAtEarlierStep() {
    return this.#updates.length > 0 && Number(byId("replay-step").value) < this.#updates.length;
  }

  open(updates) {
    this.#updates = updates;
    byId("replay-step").max = updates.length;
    byId("replay-step").value = updates.length;
    byId("replay").hidden = false;
    this.#showStepNumber();
  }

  close() {
    this.#updates = [];
    byId("replay").hidden = true;
  }

  #getStepNumber(step) {
    const current = Number(byId("replay-step").value);
    return { first: 1, previous: current - 1, next: current + 1, last: this.#updates.length }[step];
  }

  #goToStep(step) {
    const selected = Math.min(Math.max(step, 1), this.#updates.length);
    byId("replay-step").value = selected;
    this.#showStepNumber();
    this.onStep(this.#updates[selected - 1]);
  }

  #showStepNumber() {
    byId("replay-position").textContent = `${byId("replay-step").value} of ${this.#updates.length}`;
  }
}
