// A friend's invitation: the game to which a link leads, and one button to join it.

import { createElement } from "./board_drawing.js";
import { loadSeats } from "./browser_storage.js";
import { describeClock } from "./clocks.js";
import { KINDS } from "./kinds.js";
import { formatNick } from "./match.js";
import * as elements from "./page_elements.js";
import { findById } from "./page_elements.js";
import { sendCommand } from "./server_connection.js";
import { formatList, getText } from "./texts.js";

/** Return the player's own game that waits under this invite, or null. */
export const findOwnWait = (invite) => loadSeats().find((seat) => seat.invite === invite) ?? null;

function listFacts({ kind, options, clock, seats }, players) {
  const { sizes, nameSize, getText: getKindText } = KINDS[kind];
  const isSize = (size) => Object.entries(size).every(([name, value]) => options[name] === value);
  const size = Object.keys(sizes).find((id) => isSize(sizes[id]));
  return [
    ["invited.by", players],
    ["invited.game", [getKindText("title"), size && nameSize(size)].filter(Boolean).join(", ")],
    ["invited.clock", describeClock(clock)],
    ...(seats ? [["invited.players", String(seats)]] : []),
  ];
}

/** Load an invitation and show it; return its wait, or null if the link is used up. */
export async function loadInvitation(invite) {
  const joinButton = findById("join-friend");
  const list = findById("invited-game");
  joinButton.hidden = true;
  list.replaceChildren();
  let state;
  try {
    state = await sendCommand("state", { invite });
  } catch (error) {
    if (error.code !== "unknown_invite") throw error;
    elements.showMessage(getText("invited.gone"), getText("invited.gone.why"));
    return null;
  }
  const names = Object.keys(state.online).map((nick) => formatNick(nick, null));
  const players = formatList(names);
  elements.showMessage(getText("invited", { players, count: names.length }));
  list.replaceChildren(
    ...listFacts(state.wait, players).flatMap(([key, value]) => [
      createElement("dt", "", getText(key)),
      createElement("dd", "", value),
    ]),
  );
  joinButton.textContent = getText("invited.join", { players });
  joinButton.hidden = false;
  return state.wait;
}
