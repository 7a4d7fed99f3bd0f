// The list of running games, and the list of the games of this browser.

import { createElement } from "./board_drawing.js";
import { loadSeats } from "./browser_storage.js";
import { getRankedValue, KINDS } from "./kinds.js";
import { formatNick } from "./match.js";
import { sendCommand } from "./server_connection.js";
import { formatList, getText } from "./texts.js";

/** The names of opponents who are no bots, as new_games.js stores them. */
const PEOPLE = { anyone: "aPerson", friend: "aFriend" };

const createTextItem = (text) => createElement("li", "", text);

function createLinkItem(href, text) {
  const item = createTextItem("");
  item.append(Object.assign(createElement("a", "", text), { href }));
  return item;
}

const createGameItem = ({ game, kind, options, players, seq }) => {
  const title = [KINDS[kind].getText("title"), getRankedValue(kind, options)].filter(Boolean).join(" ");
  const names = formatList(Object.keys(players).map((nick) => formatNick(nick, null)));
  const text = getText("lists.game", { game: title, players: names, step: seq });
  return createLinkItem(`#watch=${game}`, text);
};

const createSeatItem = ({ game, options, kind = options?.kind, opponent, isOver }) => {
  const title = KINDS[kind]?.getText("title") ?? getText("lists.aGame");
  const name = opponent in PEOPLE ? getText(PEOPLE[opponent]) : opponent;
  const text = getText(isOver ? "lists.seat.over" : "lists.seat", { game: title, opponent: name });
  return createLinkItem(`#play=${game}`, text);
};

export async function showGameLists(panel) {
  const [running, own] = [panel.querySelector("#running-games"), panel.querySelector("#own-games")];
  const ownItems = loadSeats().map(createSeatItem);
  own.replaceChildren(...(ownItems.length ? ownItems : [createTextItem(getText("lists.noneOwn"))]));
  running.replaceChildren(createTextItem(getText("oneMoment")));
  try {
    const games = (await sendCommand("games")).games.filter(({ kind }) => kind in KINDS);
    running.replaceChildren(
      ...(games.length ? games.map(createGameItem) : [createTextItem(getText("lists.noneRunning"))]),
    );
  } catch (error) {
    running.replaceChildren(createTextItem(error.message));
  }
}
