// Shows updates one after the other, slowly enough to be seen, because bots play fast.

const REST_MS = { roll: 650, pass: 650, move: 550 };
const MOST_BEHIND = 24; // beyond this, updates are skipped
const SPEEDS = { calm: 1, brisk: 0.35, instant: 0 };

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Pace {
  speed = "calm";
  #waiting = [];
  #running = false;
  #restsUntil = 0;

  /** `show` is awaited for one update after the other. */
  constructor(show) {
    this.show = show;
  }

  /** Return whether animations are off now. */
  get isInstant() {
    return this.speed === "instant" || document.hidden || this.#waiting.length > MOST_BEHIND;
  }

  add(update) {
    this.#waiting.push(update);
    if (!this.#running) this.#run();
  }

  /** Drop the updates that are not shown yet. */
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
