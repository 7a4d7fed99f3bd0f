// The scoreboard: results against bots from this browser, and the server's ranking of people.

import { loadResults } from "./browser_storage.js";
import { KINDS } from "./kinds.js";
import { sendCommand } from "./server_connection.js";
import { getText } from "./texts.js";

/** Count results against bots by game and bot, the most played first. */
function countResults(results) {
  const rows = new Map();
  for (const { kind, size, bot, outcome } of results) {
    const game = [KINDS[kind]?.getText("title") ?? kind, size].filter(Boolean).join(" ");
    const row = rows.get(`${game} ${bot}`) ?? { game, bot, won: 0, drawn: 0, lost: 0 };
    row[outcome] += 1;
    rows.set(`${game} ${bot}`, row);
  }
  const countGames = ({ won, drawn, lost }) => won + drawn + lost;
  return [...rows.values()].sort((a, b) => countGames(b) - countGames(a));
}

function fillTable(table, rows) {
  const [body] = table.tBodies;
  body.replaceChildren();
  for (const texts of rows) {
    const row = body.insertRow();
    for (const text of texts) row.insertCell().append(String(text));
  }
  table.hidden = rows.length === 0;
}

/** Fill the panel; `rankingFields` are the fields of the command `ranking`. */
export async function showScoreboard(panel, rankingFields) {
  const own = countResults(loadResults()).map(Object.values);
  fillTable(panel.querySelector("#own-results"), own);
  panel.querySelector("#no-results").hidden = own.length > 0;
  const note = panel.querySelector("#ranking-note");
  const table = panel.querySelector("#ranking");
  fillTable(table, []);
  const { kind, group } = rankingFields;
  const { sizes, nameSize, rankedBy, getText: getKindText } = KINDS[kind];
  const size = Object.keys(sizes).find(
    (id) => rankedBy && sizes[id][rankedBy] === rankingFields[rankedBy],
  );
  const game = [getKindText("title"), size && nameSize(size)].filter(Boolean).join(", ");
  panel.querySelector("#ranking-of").textContent = group
    ? getText("ranking.group", { game, group: String(group) })
    : game;
  note.textContent = "";
  try {
    const { ranking } = await sendCommand("ranking", rankingFields);
    // Only kinds in which a win may be worth more have points.
    const hasPoints = ranking.some(({ points }) => points !== undefined);
    table.querySelector(".points").hidden = !hasPoints;
    fillTable(
      table,
      ranking.map(({ nick, victories, games, points }) =>
        hasPoints ? [nick, victories, games, points] : [nick, victories, games],
      ),
    );
    note.textContent = ranking.length ? "" : getText("ranking.empty");
  } catch (error) {
    note.textContent = error.message;
  }
}
