// The scoreboard: results against bots from this browser, and the server's ranking of people.

import { results } from "./kept.js";
import { KINDS } from "./kinds.js";
import { ask } from "./wire.js";

/** Count results against bots by game and bot, the most played first. */
export function counted(all) {
  const lines = new Map();
  for (const { kind, size, bot, outcome } of all) {
    const what = [KINDS[kind]?.title ?? kind, size].filter(Boolean).join(" ");
    const line = lines.get(`${what} ${bot}`) ?? { what, bot, won: 0, drawn: 0, lost: 0 };
    line[outcome] += 1;
    lines.set(`${what} ${bot}`, line);
  }
  const games = ({ won, drawn, lost }) => won + drawn + lost;
  return [...lines.values()].sort((a, b) => games(b) - games(a));
}

function filled(table, lines) {
  const rows = lines.map((cells) => {
    const row = document.createElement("tr");
    cells.forEach((text) => row.insertCell().append(String(text)));
    return row;
  });
  table.tBodies[0].replaceChildren(...rows);
  table.hidden = lines.length === 0;
}

/** Fill the panel; `wish` has the fields of `ranking`. */
export async function showScoreboard(panel, wish) {
  const own = counted(results());
  filled(
    panel.querySelector("#own-results"),
    own.map(({ what, bot, won, drawn, lost }) => [what, bot, won, drawn, lost]),
  );
  panel.querySelector("#no-results").hidden = own.length > 0;
  const note = panel.querySelector("#ranking-note");
  const table = panel.querySelector("#ranking");
  filled(table, []);
  const { kind, group } = wish;
  const { title, sizes, rankedBy } = KINDS[kind];
  const label = Object.keys(sizes).find(
    (name) => rankedBy && sizes[name][rankedBy] === wish[rankedBy],
  );
  const about = [title, label, group && `group ${group}`];
  panel.querySelector("#ranking-of").textContent = about.filter(Boolean).join(", ");
  note.textContent = "";
  try {
    const { ranking } = await ask("ranking", wish);
    filled(
      table,
      ranking.map(({ nick, victories, games, points }) => [nick, victories, games, points ?? ""]),
    );
    note.textContent = ranking.length
      ? ""
      : "This ranking is empty: only games between people who are signed in count.";
  } catch (error) {
    note.textContent = error.message;
  }
}
