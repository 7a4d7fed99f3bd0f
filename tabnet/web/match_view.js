// Shows one match: its updates one after the other, and earlier steps of it.

import { removeSeat, storeSeat } from "./browser_storage.js";
import { FinishedMatch } from "./finished_match.js";
import { focusDueControl } from "./focus.js";
import { KINDS } from "./kinds.js";
import {
  applyFrame,
  createMatch,
  getBottomSeat,
  getDueCommand,
  getKind,
  getPhase,
} from "./match.js";
import { MatchAnimations } from "./match_animations.js";
import { describeEvent } from "./messages.js";
import { MoveInput } from "./move_input.js";
import { MoveList } from "./move_list.js";
import * as elements from "./page_elements.js";
import { describeRefusal } from "./refusals.js";
import { MatchHistory, Replay } from "./replay.js";
import {
  fetchUpdates,
  MatchStream,
  RefusedError,
  sendCommand,
  UnreachableError,
} from "./server_connection.js";
import { getText } from "./texts.js";

const RETRY_DELAY_MS = 2000; // before the next attempt to load the updates

export class MatchView {
  match = null;
  moveInput = null;
  #stream = null;
  #history = null;
  #updateShownAt = 0;
  #openings = 0; // the number of opened matches; work for an earlier one is dropped

  constructor({ board, throwCanvas, queue }) {
    Object.assign(this, { board, throwCanvas, queue });
    this.animations = new MatchAnimations({ board, throwCanvas, queue });
    this.replay = new Replay((update) => this.#showStep(update));
    this.moveList = new MoveList((seq) => this.replay.goToStep(seq));
    this.finished = new FinishedMatch();
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
    this.#stopAsking();
    this.#openings += 1;
    this.#stream?.close();
    this.queue.clear();
    this.replay.close();
    this.finished.close();
    this.moveList.show([], 0);
    this.match = this.moveInput = this.#stream = null;
    this.#history = new MatchHistory();
    elements.clearMatch();
  }

  // A player who goes elsewhere does not wait for the others to play again.
  #stopAsking() {
    if (this.match?.again && getPhase(this.match) === "waiting")
      sendCommand("leave", this.moveInput.seatFields).catch(() => {}); // the wait ends by itself, too
  }

  /** Open a match, as a player or without a token as a spectator. */
  async open(seat) {
    if (seat.options) this.preview(seat.options.kind, seat.options);
    else this.close();
    const opening = this.#openings;
    this.match = createMatch(seat);
    this.moveInput = new MoveInput(seat, () => this.match, () => this.#show());
    elements.showMessage(getText("oneMoment"));
    const state = await this.#loadState();
    if (state === null || opening !== this.#openings) return;
    const { update = null, clock, online = {} } = state;
    this.match = { ...this.match, online };
    if (update === null) this.#show();
    else {
      this.#loadHistory(update);
      await this.#showUpdate({ ...update, ...(clock && { clock }) }, true);
    }
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

  // Load the updates up to one, for the list of moves and the replay.
  async #loadHistory({ game, seq }) {
    if (this.match?.game !== game) return;
    try {
      const updates = await fetchUpdates(game, seq);
      if (this.match?.game !== game) return;
      this.#history.add(...updates);
      this.#openReplay();
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      setTimeout(() => this.#loadHistory({ game, seq }), RETRY_DELAY_MS);
    }
  }

  // Show that the server has no such match. A seat whose wait ended is removed.
  #showMissing(error) {
    if (this.match.me === null || this.match.update !== null || this.moveInput.seat.isOver)
      return elements.showMessage(getText("error.notShown"), error.message);
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
    if (frame.type === "update") {
      if ("kind" in frame) this.#history.add(frame);
      return this.queue.add(frame);
    }
    if (frame.type === "notice") return elements.showError(describeRefusal(frame));
    this.match = applyFrame(this.match, frame);
    if (getPhase(this.match) === "waiting") this.#show();
    else this.#showClocks();
  }

  async #showConnection(isDisconnected) {
    document.body.classList.toggle("disconnected", isDisconnected);
    elements.showError(isDisconnected ? getText("error.lost") : "");
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
    if (next.update !== null) await this.animations.showThrow(next.update, isCurrentState);
    if (opening !== this.#openings) return;
    this.match = { ...next, online: this.match.online };
    this.#updateShownAt = performance.now();
    elements.showError();
    this.#openReplay();
    this.#show();
    if (!isCurrentState) this.animations.showMove(update);
    const phase = getPhase(this.match);
    if (phase === "gone") removeSeat(this.match.game);
    if (phase === "over") this.#finish();
    else await this.moveInput.prepareTurn();
  }

  #finish() {
    const { match } = this;
    if (match.me !== null) storeSeat({ ...this.moveInput.seat, kind: match.update.kind, isOver: true });
    this.finished.open(match, this.moveInput.seat);
    this.#openReplay();
  }

  // Let the replay and the list of moves have all updates up to the shown one.
  #openReplay() {
    const { update } = this.match;
    if (update === null) return;
    const updates = this.#history.getUntil(update.seq);
    const isOver = getPhase(this.match) === "over";
    this.replay.open(updates, isOver);
    this.moveList.show(updates, update.seq);
    if (isOver && updates.length > 0) this.finished.showUpdates(updates);
  }

  // Show a whole match, or an earlier step of it.
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
    if (isReplay) elements.showMessage(describeEvent(match));
    else elements.showMatchMessage(match, this.moveInput.chosenCount);
    elements.showControls(match, KINDS[update?.kind]?.throws, isReplay);
    elements.showInvitation(match);
    elements.showPlayers(match, isReplay ? 0 : this.#elapsedSeconds);
    if (match.me !== null && !isReplay) focusDueControl(this.board, getDueCommand(match));
  }

  /** Whether the page shows the match; otherwise it is being loaded, or cannot be shown. */
  get isShown() {
    return this.match !== null && (this.#stream !== null || getPhase(this.match) !== "waiting");
  }

  /** Show the match in the language of the page, at the same step. */
  showLanguage() {
    const { step, isAtEarlierStep } = this.replay;
    const isDisconnected = document.body.classList.contains("disconnected");
    elements.showError(isDisconnected ? getText("error.lost") : "");
    this.moveList.show([], 0);
    this.#openReplay();
    this.finished.showLanguage();
    if (isAtEarlierStep) this.replay.goToStep(step);
    else this.#show();
  }

  get #elapsedSeconds() {
    return (performance.now() - this.#updateShownAt) / 1000;
  }

  #showClocks() {
    if (this.match === null || this.replay.isAtEarlierStep) return;
    elements.showPlayers(this.match, this.#elapsedSeconds);
  }

  chooseCell(key) {
    if (this.match === null) return;
    if (!this.replay.isAtEarlierStep) this.moveInput.chooseCell(key);
    else if (getPhase(this.match) === "playing") elements.showError(getText("replay.earlier"));
  }

  /** Offer or accept a draw, or withdraw the offer. */
  async toggleDrawOffer() {
    const { me, update } = this.match;
    await this.moveInput.sendMatchCommand("draw", { offer: !update.draw_offers.includes(me) });
  }

  #showStep(update) {
    this.animations.showThrow(update, true);
    this.#show(update.seq === this.match.update.seq ? this.match : { ...this.match, update });
    this.moveList.mark(update.seq);
    if (update.seq === this.match.update.seq) elements.showError();
  }
}
