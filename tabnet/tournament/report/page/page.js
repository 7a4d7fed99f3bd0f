"use strict";

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const MAX_LISTED = 300; // games in the list at once

// The replay of a game. A position has the fields of an update that its board reads.

let listedGames = [];
let currentGame = null;
let positions = [];
let currentStep = 0;

const boardDrawing = new BoardDrawing(byId("board"), () => "last move");
const throwCanvas = new ThrowCanvas(byId("throw-canvas"));
adoptStyles(Object.values(BOARDS).map(({ style }) => style));

/** Return a value in which `part` is at the end of the path; in a text, it replaces a character. */
function replaceAt(value, [name, ...rest], part) {
  if (typeof value === "string") return value.slice(0, name) + part + value.slice(name + 1);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name] = rest.length ? replaceAt(value[name], rest, part) : part;
  return copy;
}

/** Return every position of a game, from the numbers of its steps; see replay_data.py. */
function listPositions({ options, start, steps }) {
  let position = { ...data.values[start], options, event: null };
  const all = [position];
  for (const [seat, event, ...changes] of steps) {
    position = { ...position, seat, event: data.values[event] };
    for (let index = 0; index < changes.length; index += 2)
      position = replaceAt(position, data.paths[changes[index]], data.values[changes[index + 1]]);
    all.push(position);
  }
  return all;
}

const getBoard = () => BOARDS[currentGame.kind];
const getLastStep = () => positions.length - 1;
const getBotName = (seat) => data.names[currentGame.seats[seat]];
const getColor = (seat) => getBoard().getText(`color.${getBoard().colors[seat]}`);

function describeStep(step) {
  if (!getLastStep()) return "Nothing was played.";
  if (!step) return `The beginning, before the first of ${getLastStep()} steps.`;
  const [before, after] = [positions[step - 1], positions[step]];
  const gain = after.event.type === "move" && getBoard().describeGain(before, after);
  const action = describeAction(after) + (gain ? `, ${gain}` : "");
  const end = step === getLastStep() ? ` — ${describeEnd(currentGame)}` : "";
  return `${step} of ${getLastStep()}: ${getColor(after.seat)} (${getBotName(after.seat)}) ${action}${end}`;
}

function describeAction(position) {
  const { event } = position;
  if (event.type === "pass") return "passed";
  if (event.type === "leave") return "is out";
  if (event.type === "roll") return `threw ${describeThrow(position)}`;
  const { listCells, nameCell = String } = getBoard();
  return `played ${listCells(event).map(nameCell).join(" to ")}`;
}

function describeThrow(position) {
  const { describe, getName } = getBoard().throws;
  return getName ? `${describe(position)} (${getName(position)})` : describe(position);
}

function describeEnd(game) {
  const winners = game.winners.map((seat) => data.names[game.seats[seat]]);
  if (game.cause === "error") return `error, counts for nobody (${game.detail})`;
  const result = (winners.length ? `${winners.join(" and ")} won` : "a draw") + describePlaces(game);
  const culprit = game.culprit === null ? "" : ` of ${data.names[game.seats[game.culprit]]}`;
  const cause = game.cause === "normal" ? game.reason : `${game.cause}${culprit}`;
  return `${result}, ${cause.replaceAll("_", " ")}${game.detail ? ` (${game.detail})` : ""}`;
}

const listCauses = (game) => [game.cause, ...(game.removed ?? []).map((player) => player.cause)];

// Return the places from the second on in a game of more than two, with the causes of removals.
function describePlaces(game) {
  const places = (game.places ?? []).map((place, seat) => ({ place, seat }));
  const order = places.sort((a, b) => a.place - b.place);
  return order.filter(({ place }) => place > 1).map(({ place, seat }) => {
    const cause = game.removed.find((player) => player.seat === seat)?.cause;
    return `, ${place}. ${data.names[game.seats[seat]]}${cause ? ` (${cause.replaceAll("_", " ")})` : ""}`;
  }).join("");
}

function showStep(step) {
  currentStep = Math.max(0, Math.min(step, getLastStep()));
  byId("step").max = getLastStep();
  byId("step").value = currentStep;
  byId("board-frame").hidden = byId("throws").hidden = Boolean(currentGame.missing);
  if (currentGame.missing) {
    byId("step-text").textContent = `${describeEnd(currentGame)}. No replay: ${currentGame.missing}.`;
    return;
  }
  const position = positions[currentStep];
  const { event } = position;
  const lastMove = event?.type === "move" ? getBoard().listCells(event) : [];
  const rows = getBoard().createRows(position, 0);
  boardDrawing.draw(currentGame.kind, rows, (key) => ({ lastMove: lastMove.includes(key) }));
  showThrow(positions.slice(0, currentStep + 1).findLast((each) => each.event?.type === "roll"));
  byId("step-text").textContent = describeStep(currentStep);
}

// Show the latest throw, pale after a later step.
function showThrow(position) {
  byId("throws").hidden = !position;
  if (!position) return;
  byId("throws").className = position === positions[currentStep] ? "" : "played";
  byId("throw-text").textContent = describeThrow(position);
  const { equipment, getValues } = getBoard().throws;
  throwCanvas.showThrow(equipment, getValues(position));
}

function openGame(game) {
  currentGame = game;
  positions = game.missing ? [null] : listPositions(game);
  const seats = game.seats.map((bot, seat) =>
    data.names[bot] + (game.kind ? ` (${getColor(seat)})` : ""));
  byId("game-title").textContent = `${seats.join(" – ")}: ${describeEnd(game)}`;
  byId("legend").textContent = BOARDS[game.kind]?.getText("legend") ?? "";
  for (const button of byId("games").querySelectorAll("button")) {
    button.toggleAttribute("aria-current", button.dataset.id === game.id);
  }
  history.replaceState(null, "", `#${game.id}`);
  showStep(0);
}

function createGameItem(game) {
  const button = document.createElement("button");
  const details = document.createElement("small");
  button.dataset.id = game.id;
  button.append(game.seats.map((bot) => data.names[bot]).join(" – "), details);
  details.textContent = `${describeEnd(game)}; ${game.moves} steps; ${game.id}`;
  button.onclick = () => openGame(game);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function showGames() {
  const bot = byId("bot-filter").value;
  const cause = byId("cause-filter").value;
  listedGames = data.games.filter((game) =>
    (!bot || game.seats.includes(Number(bot))) && (!cause || listCauses(game).includes(cause)));
  byId("games").replaceChildren(...listedGames.slice(0, MAX_LISTED).map(createGameItem));
  const hiddenCount = listedGames.length - MAX_LISTED;
  if (hiddenCount > 0) byId("games").append(`and ${hiddenCount} more`);
  if (listedGames.length) openGame(listedGames[0]);
}

function fillFilter(select, allLabel, options) {
  select.append(new Option(allLabel, ""));
  select.append(...options.map(([value, label]) => new Option(label, value)));
  select.onchange = showGames;
}

function openNeighbour(offset) {
  const reachable = listedGames.slice(0, MAX_LISTED);
  const neighbour = reachable[reachable.indexOf(currentGame) + offset];
  if (!neighbour) return;
  openGame(neighbour);
  byId("games").querySelector("[aria-current]").scrollIntoView({ block: "nearest" });
}

// The address of a game is report.html#GAME.
const findLinkedGame = () => data.games.find(({ id }) => `#${id}` === location.hash);

const STEP_KEYS = {
  ArrowRight: () => showStep(currentStep + 1),
  ArrowLeft: () => showStep(currentStep - 1),
};
const REPLAY_KEYS = { // outside the replay these scroll the page
  Home: () => showStep(0),
  End: () => showStep(getLastStep()),
  ArrowDown: () => openNeighbour(1),
  ArrowUp: () => openNeighbour(-1),
};

document.addEventListener("keydown", (event) => {
  const isInReplay = event.target.closest?.("#replay");
  const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
  const action = STEP_KEYS[event.key] ?? (isInReplay && REPLAY_KEYS[event.key]);
  if (!action || !currentGame || hasModifier || event.target.closest?.("select")) return;
  event.preventDefault();
  action();
});

// On a narrow screen each cell shows the head of its column.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent);
  for (const cell of table.querySelectorAll("td")) cell.dataset.head = heads[cell.cellIndex];
}

if (data.games.length) {
  const causes = [...new Set(data.games.flatMap(listCauses))].sort();
  fillFilter(byId("bot-filter"), "any", data.names.map((name, number) => [String(number), name]));
  fillFilter(byId("cause-filter"), "anyhow", causes.map((cause) => [cause, cause.replaceAll("_", " ")]));
  byId("first").onclick = REPLAY_KEYS.Home;
  byId("previous").onclick = STEP_KEYS.ArrowLeft;
  byId("next").onclick = STEP_KEYS.ArrowRight;
  byId("last").onclick = REPLAY_KEYS.End;
  byId("step").oninput = () => showStep(Number(byId("step").value));
  window.onhashchange = () => findLinkedGame() && openGame(findLinkedGame());
  const linkedGame = findLinkedGame(); // before showGames changes the address
  showGames();
  if (linkedGame) openGame(linkedGame);
} else {
  document.querySelector(".replay").remove();
}
