// The replay of a finished match, step by step.

const at = (id) => document.getElementById(id);

export class Replay {
  #updates = [];

  /** `show` is called with the update of each selected step. */
  constructor(show) {
    this.show = show;
    at("step").addEventListener("input", () => this.#go(Number(at("step").value)));
    for (const button of document.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.#go(this.#where(button.dataset.step)));
    }
  }

  /** Return whether a step before the last one is shown. */
  get isBack() {
    return this.#updates.length > 0 && Number(at("step").value) < this.#updates.length;
  }

  open(updates) {
    this.#updates = updates;
    at("step").max = updates.length;
    at("step").value = updates.length;
    at("replay").hidden = false;
    this.#count();
  }

  close() {
    this.#updates = [];
    at("replay").hidden = true;
  }

  #where(step) {
    const now = Number(at("step").value);
    return { first: 1, back: now - 1, on: now + 1, last: this.#updates.length }[step];
  }

  #go(step) {
    const there = Math.min(Math.max(step, 1), this.#updates.length);
    at("step").value = there;
    this.#count();
    this.show(this.#updates[there - 1]);
  }

  #count() {
    at("step-of").textContent = `${at("step").value} of ${this.#updates.length}`;
  }
}
