// Shows updates one after the other, slowly enough to be seen, because bots play fast.

const DELAYS_MS = { roll: 650, pass: 650, move: 550 };
const MAX_WAITING = 24; // beyond this, updates are skipped
const SPEEDS = { calm: 1, brisk: 0.35, instant: 0 };

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

export class UpdateQueue {
  speed = "calm";
  #waiting = [];
  #isRunning = false;
  #delayedUntil = 0;

  /** `showUpdate` is awaited for one update after the other. */
  constructor(showUpdate) {
    this.showUpdate = showUpdate;
  }

  get isInstant() {
    return this.speed === "instant" || document.hidden || this.#waiting.length > MAX_WAITING;
  }

  add(update) {
    this.#waiting.push(update);
    if (!this.#isRunning) this.#run();
  }

  /** Drop the updates that are not shown yet. */
  clear() {
    this.#waiting.length = 0;
    this.#delayedUntil = 0;
  }

  async #run() {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      await this.#waitForDelay();
      if (this.#waiting.length > MAX_WAITING) this.#waiting.splice(0, this.#waiting.length - 1);
      const update = this.#waiting.shift();
      if (update === undefined) break;
      await this.showUpdate(update);
      const delay = (DELAYS_MS[update.event?.type] ?? 0) * SPEEDS[this.speed];
      this.#delayedUntil = performance.now() + delay;
    }
    this.#isRunning = false;
  }

  async #waitForDelay() {
    const remaining = this.#delayedUntil - performance.now();
    if (remaining > 0 && !this.isInstant) await sleep(remaining);
  }
}
