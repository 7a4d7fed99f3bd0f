// Offers to play a finished match again: the server names the players who ask, and the page polls it.

import { sendCommand } from "./server_connection.js";

const POLL_INTERVAL_MS = 3000;
const POLL_DURATION_MS = 600_000;

export class PlayAgainOffers {
  #timer = null;
  #nicks = [];

  /** `onChange` is called with the nicks of the other players who ask, when these change. */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** Watch a finished match for the player `me`. */
  watch(game, me) {
    this.close();
    const until = performance.now() + POLL_DURATION_MS;
    const poll = async () => {
      if (performance.now() > until) return this.close();
      await this.#poll(game, me);
    };
    this.#timer = setInterval(poll, POLL_INTERVAL_MS);
    poll();
  }

  close() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#nicks = [];
  }

  async #poll(game, me) {
    const timer = this.#timer;
    let nicks;
    try {
      nicks = ((await sendCommand("state", { game })).again ?? []).filter((nick) => nick !== me);
    } catch {
      return; // the next poll may succeed
    }
    if (timer !== this.#timer || String(nicks) === String(this.#nicks)) return;
    this.#nicks = nicks;
    this.onChange(nicks);
  }
}
