// Events one after the other, slowly enough to be seen: a bot plays faster than anybody can look.

const REST_MS = { roll: 650, pass: 650, move: 550 };
const MOST_BEHIND = 24; // further behind, what lies between is passed over
const SPEEDS = { calm: 1, brisk: 0.35, instant: 0 };

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Pace {
  speed = "calm";
  #waiting = [];
  #running = false;
  #restsUntil = 0;

  /** `show` is called with one update after the other, and may take its time. */
  constructor(show) {
    this.show = show;
  }

  /** Nothing is to be animated now. */
  get isInstant() {
    return this.speed === "instant" || document.hidden || this.#waiting.length > MOST_BEHIND;
  }

  add(update) {
    this.#waiting.push(update);
    if (!this.#running) this.#run();
  }

  /** Forget what has not been shown. */
  clear() {
    this.#waiting.length = 0;
    this.#restsUntil = 0;
  }

  async #run() {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#rest();
      if (this.#waiting.length > MOST_BEHIND) this.#waiting.splice(0, this.#waiting.length - 1);
      const update = this.#waiting.shift();
      if (update === undefined) break;
      await this.show(update);
      const rest = (REST_MS[update.event?.type] ?? 0) * SPEEDS[this.speed];
      this.#restsUntil = performance.now() + rest;
    }
    this.#running = false;
  }

  async #rest() {
    const left = this.#restsUntil - performance.now();
    if (left > 0 && !this.isInstant) await pause(left);
  }
}
