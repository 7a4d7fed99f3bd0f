// The games against bots that this browser has begun and not finished: one of each kind.

import { loadSeats, removeSeat, storeSeat } from "./browser_storage.js";
import { sendCommand } from "./server_connection.js";

/** The refusals of a game that the server does not have any more. */
const GONE = ["unknown_game", "bad_token"];

const isUnfinished = ({ options, isOver }) => options?.opponent !== undefined && !isOver;

/** Return the seat in the unfinished game of a kind against a bot, or null. */
export const findUnfinishedBotGame = (kind) =>
  loadSeats().find((seat) => isUnfinished(seat) && seat.options.kind === kind) ?? null;

/** Ask the server which of these games have ended meanwhile, and store it. */
export async function updateUnfinishedGames() {
  await Promise.allSettled(loadSeats().filter(isUnfinished).map(updateGame));
}

async function updateGame(seat) {
  try {
    const { status } = await sendCommand("state", { game: seat.game, token: seat.token });
    if (status === "ended") storeSeat({ ...seat, isOver: true });
  } catch (error) {
    if (GONE.includes(error.code)) removeSeat(seat.game);
    else throw error;
  }
}
