// What one side plays: the moves that the server lists, what is chosen of them, and what is sent.

import { choose, offer, sources, targets } from "./choice.js";
import * as face from "./face.js";
import { keepSeat } from "./kept.js";
import { due, kindOf, named, phase } from "./match.js";
import { Unreachable, ask } from "./wire.js";

const NOTHING = new Set();
const PAUSE_MS = 2000; // before a server that cannot be reached is asked again
const TOLD = ["no_salt", "game_over", "waiting"]; // the salt is told already, or not wanted

export class Hand {
  #choice = null;
  #isBusy = false; // a command is on its way, or what it has led to

  /** `matchNow` tells the match, `changed` is called when something else can be chosen. */
  constructor(seat, matchNow, changed) {
    Object.assign(this, { seat, matchNow, changed });
  }

  /** The fields that say for which seat a command is. */
  get named() {
    const { game, token } = this.seat;
    return { game, ...(token && { token }) };
  }

  /** How many cells of a move are chosen. */
  get taken() {
    return this.#choice?.taken.length ?? 0;
  }

  /** What can be done with a cell now. */
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

  /** Something has happened: what was chosen before counts no more. */
  renew() {
    this.#choice = null;
    this.#isBusy = false;
  }

  /** Tell the salt that the seat has brought, and learn what can be played, as far as it is due. */
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

  /** Play a command; why it was refused is told. */
  async play(cmd, fields = {}) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    face.refuse();
    try {
      await ask(cmd, { ...this.named, ...fields });
    } catch (error) {
      this.#isBusy = false;
      const isInDoubt = error instanceof Unreachable;
      const doubt = isInDoubt ? " Whether this was played shows when it is back." : "";
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

  // The rules are the server's: it says why this cannot be played.
  async #explain(key) {
    const { update } = this.matchNow();
    const tried = kindOf(this.matchNow()).tried(this.#choice.taken, key, update);
    if (tried === null) return face.refuse("Nothing of yours can be moved from there.");
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
  if (turn !== match.me) return `It is not your turn: ${named(turn, match.me)} plays.`;
  return { roll: "Throw first.", pass: "Nothing can move: pass." }[due(match)] ?? "";
}
