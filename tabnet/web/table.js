// Shows one match: its updates one after the other, its end, and its replay.

import * as face from "./face.js";
import { Hand } from "./hand.js";
import { dropSeat, keepResult, keepSeat } from "./kept.js";
import { KINDS, rankedValue } from "./kinds.js";
import { heard, houseBot, kindOf, lying, named, nicks, opened, phase, seatOf } from "./match.js";
import { Replay } from "./replay.js";
import { canVerify, verified } from "./verify.js";
import { Refused, Stream, ask, history } from "./wire.js";

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

const outcome = ({ me, update: { result } }) => {
  if (result.winners.length === 0) return "drawn";
  return result.winners.includes(me) ? "won" : "lost";
};

export class Table {
  match = null;
  hand = null;
  #stream = null;
  #shownAt = 0;
  #openings = 0; // frames of a match that was opened before are ignored

  constructor({ grid, sticks, pace }) {
    Object.assign(this, { grid, sticks, pace });
    this.replay = new Replay((update) => this.#review(update));
    setInterval(() => this.#tick(), 1000);
  }

  /** Show the first position of a kind, without players. */
  preview(kind, options) {
    this.close();
    const { rows, start, throws } = KINDS[kind];
    this.grid.draw(kind, rows(start(options), 0), () => ({}));
    this.sticks.lay(throws?.things, null);
    face.showControls(null, throws);
  }

  /** Clear the table. */
  close() {
    this.#openings += 1;
    this.#stream?.close();
    this.pace.clear();
    this.replay.close();
    this.match = this.hand = this.#stream = null;
    face.clear();
  }

  /** Open a match, as a player or without a token as a spectator. */
  async open(seat) {
    if (seat.options) this.preview(seat.options.kind, seat.options);
    else this.close();
    const opening = this.#openings;
    this.match = opened(seat);
    this.hand = new Hand(
      seat,
      () => this.match,
      () => this.#show(),
    );
    face.tell("One moment");
    const told = await this.#learn();
    if (told === null || opening !== this.#openings) return;
    const { update = null, clock, online = {} } = told;
    this.match = { ...this.match, online };
    if (update === null) this.#show();
    else await this.#hear({ ...update, ...(clock && { clock }) }, true);
    if (opening === this.#openings && phase(this.match) !== "over") this.#follow(update?.seq);
  }

  async #learn() {
    try {
      return await ask("state", this.hand.named);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#miss(error);
      return null;
    }
  }

  // The server has no such match. A wait that ended is forgotten.
  #miss(error) {
    if (this.match.me === null || this.match.update !== null || this.hand.seat.isOver)
      return face.tell("This match cannot be shown", error.message);
    this.match = { ...this.match, gone: true };
    dropSeat(this.match.game);
    this.#show();
  }

  #follow(since) {
    const { game, token } = this.hand.named;
    const follower = {
      heard: (frame) => this.#listen(frame),
      lost: (isLost) => this.#lose(isLost),
      ended: (error) => this.#miss(error),
    };
    this.#stream = new Stream({ game, token, since }, follower);
  }

  #listen(frame) {
    if (frame.type === "update") return this.pace.add(frame);
    if (frame.type === "notice") return face.refuse(frame.text);
    this.match = heard(this.match, frame);
    if (phase(this.match) === "waiting") this.#show();
    else this.#tick();
  }

  async #lose(isLost) {
    document.body.classList.toggle("lost", isLost);
    face.refuse(
      isLost ? "The connection is lost. Reconnecting…" : "",
    );
    if (isLost) return;
    this.hand.renew();
    await this.hand.prepare();
  }

  /** Show one update; the pace calls this at the right time. */
  take = async (update) => {
    if (this.match?.game === update.game) await this.#hear(update);
  };

  async #hear(update, isOld = false) {
    const opening = this.#openings;
    const next = heard(this.match, update);
    this.hand.renew();
    if (next.update !== null) await this.#throw(next.update, isOld);
    if (opening !== this.#openings) return;
    this.match = { ...next, online: this.match.online };
    this.#shownAt = performance.now();
    face.refuse();
    this.#show();
    if (!isOld) this.#slide(update.event);
    const now = phase(this.match);
    if (now === "gone") dropSeat(this.match.game);
    if (now === "over") await this.#end();
    else await this.hand.prepare();
  }

  get #isStill() {
    return this.pace.isInstant || stillness.matches;
  }

  async #throw(update, isOld) {
    const things = KINDS[update.kind].throws?.things;
    const isThrown = update.event.type === "roll" && !isOld && !this.#isStill;
    if (isThrown) await this.sticks.throw(things, lying(update));
    else this.sticks.lay(things, lying(update));
  }

  #slide(event) {
    if (event?.type !== "move" || this.#isStill) return;
    const cells = kindOf(this.match).touched(event);
    if (cells.length > 1) this.grid.slide(cells[0], cells.at(-1));
  }

  // Show a whole match, or an earlier step of it in a replay.
  #show(match = this.match) {
    const isReplay = match !== this.match;
    const { update } = match;
    if (update !== null) {
      const kind = kindOf(match);
      const touched = update.event.type === "move" ? kind.touched(update.event) : [];
      this.grid.draw(update.kind, kind.rows(update, seatOf(match)), (key) => ({
        ...(isReplay ? {} : this.hand.marks(key)),
        touched: touched.includes(key),
      }));
    }
    face.tellMatch(match, isReplay ? 0 : this.hand.taken);
    face.showControls(isReplay ? { ...match, me: null } : match);
    face.showInvitation(match);
    face.showPlayers(match, isReplay ? 0 : this.#elapsed);
  }

  get #elapsed() {
    return (performance.now() - this.#shownAt) / 1000;
  }

  #tick() {
    if (this.match === null || this.replay.isBack) return;
    face.showPlayers(this.match, this.#elapsed);
  }

  /** A cell was chosen on the board. */
  choose(key) {
    if (this.match !== null && !this.replay.isBack) this.hand.choose(key);
  }

  /** Offer or accept a draw, or withdraw the offer. */
  async draw() {
    const { me, update } = this.match;
    await this.hand.play("draw", { offer: !update.draw_offers.includes(me) });
  }

  // Afterwards

  async #end() {
    const opening = this.#openings;
    const { match } = this;
    const { kind, options, game, seq } = match.update;
    const bot = houseBot(match);
    if (match.me !== null) {
      const size = rankedValue(kind, options);
      if (bot) keepResult({ game, kind, size, bot: named(bot, null), outcome: outcome(match) });
      keepSeat({ ...this.hand.seat, kind, isOver: true });
    }
    const updates = await history(game, seq);
    if (opening !== this.#openings) return;
    this.replay.open(updates);
    face.showVerified(await this.#check(updates));
  }

  async #check(updates) {
    const hadLuck =
      updates[0].dice_commit !== undefined && updates.at(-1).dice_secret !== undefined;
    if (!hadLuck) return null;
    if (canVerify()) return verified(updates, nicks(this.match));
    return { text: "This page can verify throws only over HTTPS, or on the server’s own machine." };
  }

  #review(update) {
    this.sticks.lay(KINDS[update.kind].throws?.things, lying(update));
    this.#show(update.seq === this.match.update.seq ? this.match : { ...this.match, update });
  }
}
