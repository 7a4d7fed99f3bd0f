// The list of running games, and the list of the games of this browser.

import { createElement } from "./board_drawing.js";
import { loadSeats } from "./browser_storage.js";
import { getRankedValue, KINDS } from "./kinds.js";
import { formatNick } from "./match.js";
import { sendCommand } from "./server_connection.js";

const createTextItem = (text) => createElement("li", "", text);

function createLinkItem(href, text) {
  const item = createTextItem("");
  item.append(Object.assign(createElement("a", "", text), { href }));
  return item;
}

const createGameItem = ({ game, kind, options, players, seq }) => {
  const title = [KINDS[kind].title, getRankedValue(kind, options)].filter(Boolean).join(" ");
  const names = Object.keys(players).map((nick) => formatNick(nick, null)).join(" and ");
  return createLinkItem(`#watch=${game}`, `${title}: ${names}, step ${seq}`);
};

const createSeatItem = ({ game, options, kind = options?.kind, opponent, isOver }) =>
  createLinkItem(
    `#play=${game}`,
    `${KINDS[kind]?.title ?? "A game"} against ${opponent}${isOver ? ", over: replay" : ""}`,
  );

export async function showGameLists(panel) {
  const [running, own] = [panel.querySelector("#running-games"), panel.querySelector("#own-games")];
  const ownItems = loadSeats().map(createSeatItem);
  own.replaceChildren(...(ownItems.length ? ownItems : [createTextItem("You have no games yet.")]));
  running.replaceChildren(createTextItem("One moment…"));
  try {
    const games = (await sendCommand("games")).games.filter(({ kind }) => kind in KINDS);
    running.replaceChildren(
      ...(games.length ? games.map(createGameItem) : [createTextItem("No game is being played.")]),
    );
  } catch (error) {
    running.replaceChildren(createTextItem(error.message));
  }
}
