// Joins games: a new one, a friend's, and the same one again. A join is sent once at a time.

import { storeSeat } from "./browser_storage.js";
import { canVerifyDice, createSalt, hashSalt } from "./dice_verification.js";
import { KINDS } from "./kinds.js";
import { listNicks } from "./match.js";
import * as elements from "./page_elements.js";
import { sendCommand } from "./server_connection.js";
import { findUnfinishedBotGame } from "./unfinished_games.js";

// A salt of this browser, so that the player need not trust the server's dice. It is sent when the
// game begins.
async function createSaltFields(kind) {
  if (!canVerifyDice() || !KINDS[kind].throws) return {};
  const salt = createSalt();
  return { salt, salt_hash: await hashSalt(salt) };
}

/** Return the kind and options of a wait or of an update, as fields of a join. */
const getTerms = ({ kind, options }) => ({ kind, ...options });

export class NewGames {
  #isBusy = false;

  /** `showGame` is called with the id of each game that was joined. */
  constructor(signIn, showGame) {
    Object.assign(this, { signIn, showGame });
  }

  /** Join with the fields of the form. An unfinished game against a bot is continued instead. */
  async start(fields) {
    const isAgainstBot = fields.opponent !== undefined;
    const unfinished = isAgainstBot ? findUnfinishedBotGame(fields.kind) : null;
    if (unfinished !== null) return this.showGame(unfinished.game);
    const opponent = fields.opponent ?? (fields.private ? "friend" : "anyone");
    await this.#join({ ...this.signIn.credentials, ...fields }, { opponent, options: fields });
  }

  /** Join a friend's wait; `wait` has its terms. */
  async joinFriend(invite, wait) {
    const stored = { opponent: "friend", options: getTerms(wait) };
    await this.#join({ ...this.signIn.credentials, invite }, stored);
  }

  /** Ask for the same game again, with rotated seats: a bot at once, people by an offer. */
  async playAgain(match, seat) {
    const { update, me, game } = match;
    const nicks = listNicks(match);
    const { opponent, options } = seat;
    if (options?.opponent !== undefined) {
      const rotated = (nicks.indexOf(me) + nicks.length - 1) % nicks.length;
      return this.start({ ...options, seat: rotated });
    }
    const stored = { opponent, options: getTerms(update), again: true };
    await this.#join({ again: game, token: seat.token }, stored);
  }

  async #join(fields, stored) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    elements.showError();
    try {
      const { salt, ...hashField } = await createSaltFields(stored.options.kind);
      const { game, nick, token, invite } = await sendCommand("join", { ...fields, ...hashField });
      storeSeat({ game, nick, token, invite, salt, ...stored });
      this.showGame(game);
    } catch (error) {
      elements.showError(error.message);
    } finally {
      this.#isBusy = false;
    }
  }
}
