// The input of moves: the server's list of moves, the chosen cells, and the commands to send.

import { storeSeat } from "./browser_storage.js";
import { formatNick, getDueCommand, getKind, getPhase } from "./match.js";
import { chooseCell, createChoice, listFirstCells, listNextCells } from "./move_choice.js";
import * as elements from "./page_elements.js";
import { describeRefusal } from "./refusals.js";
import { sendCommand, UnreachableError } from "./server_connection.js";
import { getText } from "./texts.js";

const NO_CELLS = new Set();
const RETRY_DELAY_MS = 2000; // before the next attempt to reach the server
/** The refusals of a salt that was sent before or is not expected. */
const SALT_NOT_NEEDED = ["no_salt", "game_over", "waiting"];

export class MoveInput {
  #choice = null;
  #isBusy = false; // a command was sent, and its update has not come yet

  /** `getMatch` returns the match; `onChange` is called when the choice changes. */
  constructor(seat, getMatch, onChange) {
    Object.assign(this, { seat, getMatch, onChange });
  }

  get seatFields() {
    const { game, token } = this.seat;
    return { game, ...(token && { token }) };
  }

  get chosenCount() {
    return this.#choice?.chosen.length ?? 0;
  }

  getCellStates(key) {
    const chosen = this.#choice?.chosen ?? [];
    const isLegal = this.#choice ? listNextCells(this.#choice).has(key) : false;
    const firstCells = chosen.length > 0 ? listFirstCells(this.#choice) : NO_CELLS;
    return {
      legal: isLegal,
      target: isLegal && chosen.length > 0,
      movable: firstCells.has(key),
      chosen: chosen.includes(key),
    };
  }

  /** Forget the chosen cells after an update. */
  reset() {
    this.#choice = null;
    this.#isBusy = false;
  }

  /** Send the seat's salt and request the legal moves, if they are due. */
  async prepareTurn() {
    const match = this.getMatch();
    if (match?.game !== this.seat.game || getPhase(match) !== "playing") return;
    try {
      await this.#sendSalt();
      await this.#loadMoves(match);
    } catch (error) {
      elements.showError(error.message);
      if (error instanceof UnreachableError) setTimeout(() => this.prepareTurn(), RETRY_DELAY_MS);
    }
  }

  async #sendSalt() {
    const { salt, ...rest } = this.seat;
    if (!salt) return;
    try {
      await sendCommand("salt", { ...this.seatFields, salt });
    } catch (error) {
      if (!SALT_NOT_NEEDED.includes(error.code)) throw error;
    }
    this.seat = rest;
    storeSeat(rest);
  }

  async #loadMoves(match) {
    if (this.#choice !== null || getDueCommand(match) !== "notify") return;
    const { moves } = await sendCommand("moves", { ...this.seatFields, player: match.me });
    if (this.getMatch()?.update !== match.update) return;
    const kind = getKind(match);
    this.#choice = createChoice(moves, kind, kind.getSelectedCells?.(match.update) ?? []);
    elements.showError();
    this.onChange();
  }

  /** Send a command; a refusal is shown. */
  async sendMatchCommand(cmd, fields = {}) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    elements.showError();
    try {
      await sendCommand(cmd, { ...this.seatFields, ...fields });
    } catch (error) {
      this.#isBusy = false;
      const isUnreachable = error instanceof UnreachableError;
      elements.showError(isUnreachable ? getText("error.perhapsPlayed") : error.message);
    }
  }

  async chooseCell(key) {
    const match = this.getMatch();
    if (match.me === null || this.#isBusy) return;
    if (this.#choice === null) return elements.showError(describeMissingChoice(match));
    const kind = getKind(match);
    if (kind.getSelectedCells?.(match.update)[0] === key)
      return this.sendMatchCommand("notify", kind.getDeselectFields(match.update));
    const next = chooseCell(this.#choice, key);
    if (next === null) return this.#showIllegalMove(key);
    this.#choice = next.choice;
    elements.showError();
    this.onChange();
    if (next.move !== null) await this.sendMatchCommand("notify", next.move);
  }

  // Only the server knows the rules and the reason why a move is illegal.
  async #showIllegalMove(key) {
    const match = this.getMatch();
    const fields = getKind(match).getNotifyFields(this.#choice.chosen, key, match.update);
    if (fields === null) return elements.showError(getText("error.noPiece"));
    try {
      const command = { ...this.seatFields, command: "notify", ...fields };
      const { ok, reason: text, reason_code: code, reason_hint: hint } = await sendCommand("check", command);
      elements.showError(ok ? "" : describeRefusal({ code, text, hint }));
    } catch (error) {
      elements.showError(error.message);
    }
  }
}

function describeMissingChoice(match) {
  if (getPhase(match) !== "playing") return "";
  const { turn } = match.update;
  if (turn !== match.me)
    return getText("error.notYourTurn", { player: formatNick(turn, match.me) });
  const key = { roll: "error.throwFirst", pass: "error.passNow" }[getDueCommand(match)];
  return key ? getText(key) : "";
}
