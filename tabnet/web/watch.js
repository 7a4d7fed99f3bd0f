// The list of running games, and of the own games.

import { seats } from "./kept.js";
import { KINDS, rankedValue } from "./kinds.js";
import { named } from "./match.js";
import { ask } from "./wire.js";

function link(href, text) {
  const item = document.createElement("li");
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.textContent = text;
  item.append(anchor);
  return item;
}

function note(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

const described = ({ game, kind, options, players, seq }) => {
  const title = [KINDS[kind].title, rankedValue(kind, options)].filter(Boolean).join(" ");
  const names = Object.keys(players)
    .map((nick) => named(nick, null))
    .join(" and ");
  return link(`#watch=${game}`, `${title}: ${names}, step ${seq}`);
};

const ownSeat = ({ game, options, kind = options?.kind, opponent, isOver }) =>
  link(
    `#play=${game}`,
    `${KINDS[kind]?.title ?? "A game"} against ${opponent}${isOver ? ", over: replay" : ""}`,
  );

/** Fill the panel. */
export async function showMatches(panel) {
  const [running, own] = [panel.querySelector("#running"), panel.querySelector("#own")];
  const mine = seats();
  own.replaceChildren(...(mine.length ? mine.map(ownSeat) : [note("You have no games yet.")]));
  running.replaceChildren(note("One moment…"));
  try {
    const games = (await ask("games")).games.filter(({ kind }) => kind in KINDS);
    running.replaceChildren(
      ...(games.length ? games.map(described) : [note("No game is being played.")]),
    );
  } catch (error) {
    running.replaceChildren(note(error.message));
  }
}
