// The input of moves: the server's list of moves, the chosen cells, and the commands to send.

import { choose, offer, sources, targets } from "./choice.js";
import * as face from "./face.js";
import { keepSeat } from "./kept.js";
import { due, kindOf, named, phase } from "./match.js";
import { Unreachable, ask } from "./wire.js";

const NOTHING = new Set();
const PAUSE_MS = 2000; // before the next attempt to reach the server
const TOLD = ["no_salt", "game_over", "waiting"]; // the salt was sent before, or is not expected

export class Hand {
  #choice = null;
  #isBusy = false; // a command was sent, and its update has not come yet

  /** `matchNow` returns the match; `changed` is called when the choice changes. */
  constructor(seat, matchNow, changed) {
    Object.assign(this, { seat, matchNow, changed });
  }

  /** The fields of a command that identify the seat. */
  get named() {
    const { game, token } = this.seat;
    return { game, ...(token && { token }) };
  }

  /** The number of chosen cells of a move. */
  get taken() {
    return this.#choice?.taken.length ?? 0;
  }

  /** The marks of a cell. */
  marks(key) {
    const taken = this.#choice?.taken ?? [];
    const legal = this.#choice ? targets(this.#choice).has(key) : false;
    const begins = taken.length > 0 ? sources(this.#choice) : NOTHING;
    return {
      legal,
      target: legal && taken.length > 0,
      movable: begins.has(key),
      chosen: taken.includes(key),
    };
  }

  /** Forget the chosen cells after an update. */
  renew() {
    this.#choice = null;
    this.#isBusy = false;
  }

  /** Send the seat's salt and request the legal moves, if they are due. */
  async prepare() {
    const match = this.matchNow();
    if (match?.game !== this.seat.game || phase(match) !== "playing") return;
    try {
      await this.#tellSalt();
      await this.#look(match);
    } catch (error) {
      face.refuse(error.message);
      if (error instanceof Unreachable) setTimeout(() => this.prepare(), PAUSE_MS);
    }
  }

  async #tellSalt() {
    const { salt, ...rest } = this.seat;
    if (!salt) return;
    try {
      await ask("salt", { ...this.named, salt });
    } catch (error) {
      if (!TOLD.includes(error.code)) throw error;
    }
    this.seat = rest;
    keepSeat(rest);
  }

  async #look(match) {
    if (this.#choice !== null || due(match) !== "notify") return;
    const { moves } = await ask("moves", { ...this.named, player: match.me });
    if (this.matchNow()?.update !== match.update) return;
    const kind = kindOf(match);
    this.#choice = offer(moves, kind, kind.held?.(match.update) ?? []);
    face.refuse();
    this.changed();
  }

  /** Send a command; a refusal is shown. */
  async play(cmd, fields = {}) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    face.refuse();
    try {
      await ask(cmd, { ...this.named, ...fields });
    } catch (error) {
      this.#isBusy = false;
      const isInDoubt = error instanceof Unreachable;
      const doubt = isInDoubt ? " The next update shows whether this was played." : "";
      face.refuse(error.message + doubt);
    }
  }

  /** Choose a cell of the board. */
  async choose(key) {
    const match = this.matchNow();
    if (match.me === null || this.#isBusy) return;
    if (this.#choice === null) return face.refuse(whyNot(match));
    const kind = kindOf(match);
    if (kind.held?.(match.update)[0] === key) return this.play("notify", kind.letGo(match.update));
    const next = choose(this.#choice, key);
    if (next === null) return this.#explain(key);
    this.#choice = next.choice;
    face.refuse();
    this.changed();
    if (next.move !== null) await this.play("notify", next.move);
  }

  // Only the server knows the rules: it says why a move is illegal.
  async #explain(key) {
    const { update } = this.matchNow();
    const tried = kindOf(this.matchNow()).tried(this.#choice.taken, key, update);
    if (tried === null) return face.refuse("You have no piece there that can move.");
    try {
      const { reason } = await ask("check", { ...this.named, command: "notify", ...tried });
      face.refuse(reason ?? "");
    } catch (error) {
      face.refuse(error.message);
    }
  }
}

function whyNot(match) {
  if (phase(match) !== "playing") return "";
  const { turn } = match.update;
  if (turn !== match.me) return `It is not your turn: ${named(turn, match.me)} is to play.`;
  return { roll: "Throw first.", pass: "You have no legal move: pass." }[due(match)] ?? "";
}
