// One match on the table: what comes is shown, what is clicked is played.

import { choose, offer, sources, targets } from "./choice.js";
import * as face from "./face.js";
import { dropSeat, keepResult, keepSeat } from "./kept.js";
import { KINDS } from "./kinds.js";
import { due, heard, houseBot, kindOf, named, nicks, opened, phase, seatOf } from "./match.js";
import { Replay } from "./replay.js";
import { canVerify, verified } from "./verify.js";
import { Stream, Unreachable, ask, history } from "./wire.js";

const NOTHING = new Set();

export class Table {
  #seat = null; // what this browser keeps of the seat
  #stream = null;
  #choice = null;
  #isBusy = false; // a command is on its way, or what it has led to
  #shownAt = 0;
  #openings = 0; // how often a match was opened; what another one brings is too late

  match = null;

  constructor({ grid, sticks, pace }) {
    Object.assign(this, { grid, sticks, pace });
    this.replay = new Replay((update) => this.#review(update));
    setInterval(() => this.#tick(), 1000);
  }

  /** Show the board of a kind as it begins, with nobody at the table. */
  preview(kind, options) {
    this.close();
    const { rows, start, throws } = KINDS[kind];
    this.grid.draw(kind, rows(start(options), 0), () => ({}));
    this.sticks.lay(throws === "dice" ? "dice" : "sticks", null);
    face.showControls(null);
    document.getElementById("throws").hidden = throws === undefined;
  }

  close() {
    this.#openings += 1;
    this.#stream?.close();
    this.pace.clear();
    this.replay.close();
    Object.assign(this, { match: null });
    this.#choice = this.#seat = this.#stream = null;
    this.#isBusy = false;
    face.refuse();
    face.showVerified(null);
    face.showInvitation(null);
    document.getElementById("players").replaceChildren();
  }

  /** Sit down, or without a token watch. */
  async open(seat) {
    this.close();
    const opening = this.#openings;
    this.#seat = seat;
    this.match = opened(seat);
    this.#tell();
    const { update = null, clock, online = {} } = await ask("state", this.#named());
    if (opening !== this.#openings) return;
    this.match = { ...this.match, online };
    if (update !== null) await this.#show({ ...update, ...(clock && { clock }), event: { type: "state" } });
    if (opening === this.#openings && phase(this.match) !== "over") this.#follow(update?.seq);
  }

  #follow(since) {
    const { game, token } = this.#seat;
    this.#stream = new Stream({ game, token, since }, {
      heard: (frame) => this.#hear(frame),
      lost: (isLost) => this.#lose(isLost),
      ended: (error) => face.tell("This match is not there any more", error.message),
    });
  }

  #hear(frame) {
    if (frame.type === "update") this.pace.add(frame);
    else if (frame.type === "notice") face.refuse(frame.text);
    else {
      this.match = heard(this.match, frame);
      if (phase(this.match) === "waiting") this.#tell();
      this.#tick();
    }
  }

  #lose(isLost) {
    document.body.classList.toggle("lost", isLost);
    if (isLost) face.refuse("The connection is lost. It is being sought again; nothing needs to be done.");
    else face.refuse();
    this.#isBusy = false;
    if (!isLost) this.#offer();
  }

  /** Show one update after the other; called by the pace. */
  show = async (update) => {
    if (this.match?.game === update.game) await this.#show(update);
  };

  async #show(update) {
    const opening = this.#openings;
    const before = this.match;
    const now = heard(before, update);
    this.#choice = null;
    this.#shownAt = performance.now();
    if (now.update !== null) await this.#throw(now);
    if (opening !== this.#openings) return;
    this.match = { ...now, online: this.match.online };
    this.#draw();
    this.#slide(update);
    face.refuse();
    this.#isBusy = false;
    this.#tell();
    if (phase(this.match) === "playing") await this.#salt();
    await this.#offer();
    if (phase(this.match) === "over") await this.#end();
    if (phase(this.match) === "gone") dropSeat(this.match.game);
  }

  async #throw({ update }) {
    const { throws } = KINDS[update.kind];
    if (throws === undefined) return;
    const values = throws === "sticks" ? (update.dice?.stickValues ?? null) : update.dice;
    const isStill = this.pace.isInstant || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (update.event.type === "roll") await this.sticks.throw(throws, values, isStill);
    else this.sticks.lay(throws, values);
  }

  #slide({ event }) {
    if (event?.type !== "move" || this.pace.isInstant) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const cells = kindOf(this.match).touched(event);
    if (cells.length > 1) this.grid.slide(cells[0], cells.at(-1));
  }

  #draw() {
    const { update } = this.match;
    if (update === null) return;
    const kind = kindOf(this.match);
    const legal = this.#choice ? targets(this.#choice) : NOTHING;
    const taken = this.#choice?.taken ?? [];
    const movable = this.#choice && taken.length > 0 ? sources(this.#choice) : NOTHING;
    const touched = update.event.type === "move" ? kind.touched(update.event) : [];
    this.grid.draw(update.kind, kind.rows(update, seatOf(this.match)), (key) => ({
      legal: legal.has(key),
      target: legal.has(key) && taken.length > 0,
      movable: movable.has(key),
      chosen: taken.includes(key),
      touched: touched.includes(key),
    }));
  }

  #tell() {
    face.tellMatch(this.match, this.#choice?.taken.length ?? 0);
    face.showControls(this.match);
    face.showInvitation(this.match);
    this.#tick();
  }

  #tick() {
    if (this.match === null || this.replay.isOpen) return;
    face.showPlayers(this.match, (performance.now() - this.#shownAt) / 1000);
  }

  // Playing

  #named() {
    const { game, token } = this.#seat;
    return { game, ...(token && { token }) };
  }

  async #salt() {
    if (!this.#seat.salt) return;
    try {
      await ask("salt", { ...this.#named(), salt: this.#seat.salt });
    } catch (error) {
      if (error.code !== "no_salt" && error.code !== "game_over") throw error; // it is told already
    }
    keepSeat({ ...this.#seat, salt: null });
    this.#seat = { ...this.#seat, salt: null };
  }

  async #offer() {
    const { match } = this;
    if (match === null || this.#choice !== null || due(match) !== "notify") return;
    try {
      const { moves } = await ask("moves", { ...this.#named(), player: match.me });
      if (this.match.update !== match.update) return;
      const kind = kindOf(match);
      this.#choice = offer(moves, kind, kind.held?.(match.update) ?? []);
    } catch (error) {
      return face.refuse(error.message);
    }
    this.#draw();
    this.#tell();
  }

  /** Play a command for this seat; why it was refused is told. */
  async play(cmd, fields = {}) {
    if (this.#isBusy || this.match === null || this.replay.isOpen) return;
    this.#isBusy = true;
    face.refuse();
    try {
      await ask(cmd, { ...this.#named(), ...fields });
    } catch (error) {
      this.#isBusy = false;
      const doubt = error instanceof Unreachable ? " Whether this was played shows when it is back." : "";
      face.refuse(error.message + doubt);
    }
  }

  /** A cell was chosen on the board. */
  async chosen(key) {
    if (this.match === null || this.match.me === null || this.replay.isOpen || this.#isBusy) return;
    if (this.#choice === null) return face.refuse(this.#whyNot());
    const kind = kindOf(this.match);
    const held = kind.held?.(this.match.update) ?? [];
    if (held[0] === key) return this.play("notify", kind.letGo(this.match.update));
    const next = choose(this.#choice, key);
    if (next === null) return this.#explain(key);
    this.#choice = next.choice;
    face.refuse();
    this.#draw();
    this.#tell();
    if (next.move !== null) await this.play("notify", next.move);
  }

  #whyNot() {
    const { match } = this;
    if (phase(match) !== "playing") return "";
    if (match.update.turn !== match.me) return `It is not your turn: ${named(match.update.turn, match.me)} plays.`;
    return { roll: "Throw first.", pass: "Nothing can move: pass." }[due(match)] ?? "";
  }

  // The rules are the server's: it says why this cannot be played.
  async #explain(key) {
    const tried = kindOf(this.match).tried(this.#choice.taken, key, this.match.update);
    if (tried === null) return face.refuse("Nothing of yours can be moved from there.");
    try {
      const { reason } = await ask("check", { ...this.#named(), command: "notify", ...tried });
      face.refuse(reason ?? "");
    } catch (error) {
      face.refuse(error.message);
    }
  }

  /** Give up, or stop waiting. */
  async leave() {
    await this.play("leave");
  }

  /** Offer a draw, agree to one, or take the offer back. */
  async draw() {
    const { me, update } = this.match;
    await this.play("draw", { offer: !update.draw_offers.includes(me) });
  }

  // Afterwards

  async #end() {
    const { match } = this;
    const opening = this.#openings;
    const bot = houseBot(match);
    const { result, kind, options, game, seq } = match.update;
    if (match.me !== null) {
      const outcome = result.winners.length === 0 ? "drawn" : result.winners.includes(match.me) ? "won" : "lost";
      if (bot) keepResult({ game, kind, size: options.size ?? "", bot: named(bot, null), outcome });
      keepSeat({ ...this.#seat, isOver: true });
    }
    const updates = await history(game, seq);
    if (opening !== this.#openings) return;
    this.replay.open(updates);
    face.showVerified(await this.#check(updates));
  }

  async #check(updates) {
    const hasLuck = updates[0].dice_commit !== undefined && updates.at(-1).dice_secret !== undefined;
    if (!hasLuck) return null;
    if (!canVerify()) return { text: "Open this page over HTTPS, or on this machine, to have the throws verified." };
    return verified(updates, nicks(this.match));
  }

  #review(update) {
    const isLast = update.seq === this.match.update.seq;
    this.match = { ...this.match, update: isLast ? update : update };
    const { throws } = KINDS[update.kind];
    if (throws) this.sticks.lay(throws, throws === "sticks" ? (update.dice?.stickValues ?? null) : update.dice);
    this.#draw();
    face.tellMatch(this.match, 0);
    face.showPlayers(this.match, 0);
    face.showControls(this.match, !("winner" in update));
  }
}
