// Shows one match: its updates one after the other, its end, and its replay.

import { removeSeat, storeResult, storeSeat } from "./browser_storage.js";
import { canVerifyDice, verifyDice } from "./dice_verification.js";
import { getRankedValue, KINDS } from "./kinds.js";
import {
  applyFrame,
  createMatch,
  findHouseBot,
  formatNick,
  getBottomSeat,
  getKind,
  getPhase,
  getThrow,
  listNicks,
} from "./match.js";
import { MoveInput } from "./move_input.js";
import * as elements from "./page_elements.js";
import { Replay } from "./replay.js";
import { fetchUpdates, MatchStream, RefusedError, sendCommand } from "./server_connection.js";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

const getOutcome = ({ me, update: { result } }) => {
  if (result.winners.length === 0) return "drawn";
  return result.winners.includes(me) ? "won" : "lost";
};

export class MatchView {
  match = null;
  moveInput = null;
  #stream = null;
  #updateShownAt = 0;
  #openings = 0; // the number of opened matches; work for an earlier one is dropped

  constructor({ board, throwCanvas, queue }) {
    Object.assign(this, { board, throwCanvas, queue });
    this.replay = new Replay((update) => this.#showStep(update));
    setInterval(() => this.#showClocks(), 1000);
  }

  /** Show the first position of a kind, without players. */
  preview(kind, options) {
    this.close();
    const { createRows, createStart, throws } = KINDS[kind];
    this.board.draw(kind, createRows(createStart(options), 0), () => ({}));
    this.throwCanvas.showThrow(throws?.equipment, null);
    elements.showControls(null, throws);
  }

  close() {
    this.#openings += 1;
    this.#stream?.close();
    this.queue.clear();
    this.replay.close();
    this.match = this.moveInput = this.#stream = null;
    elements.clearMatch();
  }

  /** Open a match, as a player or without a token as a spectator. */
  async open(seat) {
    if (seat.options) this.preview(seat.options.kind, seat.options);
    else this.close();
    const opening = this.#openings;
    this.match = createMatch(seat);
    this.moveInput = new MoveInput(seat, () => this.match, () => this.#show());
    elements.showMessage("One moment");
    const state = await this.#loadState();
    if (state === null || opening !== this.#openings) return;
    const { update = null, clock, online = {} } = state;
    this.match = { ...this.match, online };
    if (update === null) this.#show();
    else await this.#showUpdate({ ...update, ...(clock && { clock }) }, true);
    if (opening === this.#openings && getPhase(this.match) !== "over") this.#openStream(update?.seq);
  }

  async #loadState() {
    try {
      return await sendCommand("state", this.moveInput.seatFields);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#showMissing(error);
      return null;
    }
  }

  // Show that the server has no such match. A seat whose wait ended is removed.
  #showMissing(error) {
    if (this.match.me === null || this.match.update !== null || this.moveInput.seat.isOver)
      return elements.showMessage("This match cannot be shown", error.message);
    this.match = { ...this.match, gone: true };
    removeSeat(this.match.game);
    this.#show();
  }

  #openStream(since) {
    const { game, token } = this.moveInput.seatFields;
    this.#stream = new MatchStream(
      { game, token, since },
      {
        onFrame: (frame) => this.#receive(frame),
        onConnectionChange: (isDisconnected) => this.#showConnection(isDisconnected),
        onEnd: (error) => this.#showMissing(error),
      },
    );
  }

  #receive(frame) {
    if (frame.type === "update") return this.queue.add(frame);
    if (frame.type === "notice") return elements.showError(frame.text);
    this.match = applyFrame(this.match, frame);
    if (getPhase(this.match) === "waiting") this.#show();
    else this.#showClocks();
  }

  async #showConnection(isDisconnected) {
    document.body.classList.toggle("disconnected", isDisconnected);
    elements.showError(isDisconnected ? "The connection is lost. Reconnecting…" : "");
    if (isDisconnected) return;
    this.moveInput.reset();
    await this.moveInput.prepareTurn();
  }

  /** Show one update; the queue calls this at the right time. */
  showUpdate = async (update) => {
    if (this.match?.game === update.game) await this.#showUpdate(update);
  };

  async #showUpdate(update, isCurrentState = false) {
    const opening = this.#openings;
    const next = applyFrame(this.match, update);
    this.moveInput.reset();
    if (next.update !== null) await this.#showThrow(next.update, isCurrentState);
    if (opening !== this.#openings) return;
    this.match = { ...next, online: this.match.online };
    this.#updateShownAt = performance.now();
    elements.showError();
    this.#show();
    if (!isCurrentState) this.#animateMove(update.event);
    const phase = getPhase(this.match);
    if (phase === "gone") removeSeat(this.match.game);
    if (phase === "over") await this.#finish();
    else await this.moveInput.prepareTurn();
  }

  get #isAnimationOff() {
    return this.queue.isInstant || reducedMotion.matches;
  }

  async #showThrow(update, isCurrentState) {
    const equipment = KINDS[update.kind].throws?.equipment;
    const isThrown = update.event.type === "roll" && !isCurrentState && !this.#isAnimationOff;
    if (isThrown) await this.throwCanvas.animateThrow(equipment, getThrow(update));
    else this.throwCanvas.showThrow(equipment, getThrow(update));
  }

  #animateMove(event) {
    if (event?.type !== "move" || this.#isAnimationOff) return;
    const cells = getKind(this.match).listCells(event);
    if (cells.length > 1) this.board.animateMove(cells[0], cells.at(-1));
  }

  // Show a whole match, or an earlier step of it in a replay.
  #show(match = this.match) {
    const isReplay = match !== this.match;
    const { update } = match;
    if (update !== null) {
      const kind = getKind(match);
      const lastMove = update.event.type === "move" ? kind.listCells(update.event) : [];
      const rows = kind.createRows(update, getBottomSeat(match));
      this.board.draw(update.kind, rows, (key) => ({
        ...(isReplay ? {} : this.moveInput.getCellStates(key)),
        lastMove: lastMove.includes(key),
      }));
    }
    elements.showMatchMessage(match, isReplay ? 0 : this.moveInput.chosenCount);
    elements.showControls(isReplay ? { ...match, me: null } : match);
    elements.showInvitation(match);
    elements.showPlayers(match, isReplay ? 0 : this.#elapsedSeconds);
  }

  get #elapsedSeconds() {
    return (performance.now() - this.#updateShownAt) / 1000;
  }

  #showClocks() {
    if (this.match === null || this.replay.isAtEarlierStep) return;
    elements.showPlayers(this.match, this.#elapsedSeconds);
  }

  chooseCell(key) {
    if (this.match !== null && !this.replay.isAtEarlierStep) this.moveInput.chooseCell(key);
  }

  /** Offer or accept a draw, or withdraw the offer. */
  async toggleDrawOffer() {
    const { me, update } = this.match;
    await this.moveInput.sendMatchCommand("draw", { offer: !update.draw_offers.includes(me) });
  }

  async #finish() {
    const opening = this.#openings;
    const { match } = this;
    const { kind, options, game, seq } = match.update;
    const bot = findHouseBot(match);
    if (match.me !== null) {
      const size = getRankedValue(kind, options);
      const outcome = getOutcome(match);
      if (bot) storeResult({ game, kind, size, bot: formatNick(bot, null), outcome });
      storeSeat({ ...this.moveInput.seat, kind, isOver: true });
    }
    const updates = await fetchUpdates(game, seq);
    if (opening !== this.#openings) return;
    this.replay.open(updates);
    elements.showVerification(await this.#verifyDice(updates));
  }

  async #verifyDice(updates) {
    if (updates.at(-1).dice_secret === undefined) return null;
    if (canVerifyDice()) return verifyDice(updates, listNicks(this.match));
    return { text: "This page can verify throws only over HTTPS, or on the server’s own machine." };
  }

  #showStep(update) {
    this.throwCanvas.showThrow(KINDS[update.kind].throws?.equipment, getThrow(update));
    this.#show(update.seq === this.match.update.seq ? this.match : { ...this.match, update });
  }
}
