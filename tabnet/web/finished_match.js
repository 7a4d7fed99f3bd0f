// What the page offers after the end of a match: its verification, a link, a file, and another game.

import { storeResult } from "./browser_storage.js";
import { canVerifyDice, verifyDice } from "./dice_verification.js";
import { getRankedValue } from "./kinds.js";
import { findHouseBot, formatNick, listNicks } from "./match.js";
import * as elements from "./page_elements.js";
import { findById } from "./page_elements.js";
import { PlayAgainOffers } from "./play_again.js";
import { formatList, getText } from "./texts.js";

const getOutcome = ({ me, update: { result } }) => {
  if (result.winners.length === 0) return "drawn";
  return result.winners.includes(me) ? "won" : "lost";
};

export class FinishedMatch {
  #match = null;
  #updates = [];
  #verification = null;
  #nicks = []; // the other players who want to play again

  constructor() {
    this.offers = new PlayAgainOffers((nicks) => {
      this.#nicks = nicks;
      this.#showOffer();
    });
    findById("copy-link").addEventListener("click", () => this.#copyLink());
    findById("download").addEventListener("click", () => this.#download());
  }

  close() {
    this.offers.close();
    this.#match = null;
    this.#updates = [];
    this.#verification = null;
    this.#nicks = [];
  }

  /** Store the result, and watch for players who want to play again. */
  open(match) {
    this.#match = match;
    if (match.me === null) return;
    const { kind, options, game } = match.update;
    const bot = findHouseBot(match);
    if (bot === null) return this.offers.watch(game, match.me);
    const size = getRankedValue(kind, options);
    storeResult({ game, kind, size, bot: formatNick(bot, null), outcome: getOutcome(match) });
  }

  /** Verify the throws in all updates of the match. */
  async showUpdates(updates) {
    if (this.#match === null || this.#updates.length > 0) return;
    this.#updates = updates;
    const match = this.#match;
    const verification = await verifyThrows(updates, listNicks(match));
    if (match !== this.#match) return;
    this.#verification = verification;
    elements.showVerification(verification);
  }

  /** Show the verification and the offer in the language of the page. */
  showLanguage() {
    if (this.#match === null) return;
    elements.showVerification(this.#verification);
    this.#showOffer();
  }

  #showOffer() {
    const { me } = this.#match;
    const nicks = this.#nicks;
    const players = formatList(nicks.map((nick) => formatNick(nick, me)));
    const isOffered = nicks.length > 0;
    findById("play-again").textContent = getText(isOffered ? "again.accept" : "again", { players });
    findById("offer").hidden = !isOffered;
    findById("offer").textContent = isOffered
      ? getText("again.offered", { players, count: nicks.length })
      : "";
  }

  async #copyLink() {
    const link = new URL(`#watch=${this.#match.game}`, location.href).href;
    await elements.copyText(findById("copy-link"), link);
  }

  // The file has an update a line, as `tabnet verify` and `tabnet replay` read it.
  #download() {
    const lines = this.#updates.map((update) => `${JSON.stringify(update)}\n`);
    const url = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
    const link = Object.assign(document.createElement("a"), {
      href: url,
      download: `${this.#match.game}.jsonl`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
}

async function verifyThrows(updates, nicks) {
  if (updates.at(-1).dice_secret === undefined) return null;
  if (canVerifyDice()) return verifyDice(updates, nicks);
  return { isPossible: false };
}
