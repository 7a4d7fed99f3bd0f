"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const id = (name) => document.getElementById(name);
const SHOWN = 300; // games in the list at once

// A game, step by step. A position has the fields of an update that its board reads.

let listed = [], game = null, positions = [], at = 0;

const drawing = new Drawing(id("board"), true);
const sticks = new Sticks(id("sticks"));
adoptStyles(Object.values(BOARDS).map((board) => board.style));

/** The value with another one at the end of a path; a character is changed in a text. */
function changed(value, [name, ...rest], to) {
  if (typeof value === "string") return value.slice(0, name) + to + value.slice(name + 1);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[name] = rest.length ? changed(value[name], rest, to) : to;
  return copy;
}

/** Every position of a game, from the numbers of its steps; see replay_data.py. */
function positionsOf({ options, start, steps }) {
  let position = { ...data.values[start], options, event: null };
  const all = [position];
  for (const [seat, event, ...changes] of steps) {
    position = { ...position, seat, event: data.values[event] };
    for (let index = 0; index < changes.length; index += 2)
      position = changed(position, data.paths[changes[index]], data.values[changes[index + 1]]);
    all.push(position);
  }
  return all;
}

const board = () => BOARDS[game.kind];
const lastStep = () => positions.length - 1;
const nameOf = (seat) => data.names[game.seats[seat]];
const colourOf = (seat) => board().colors[seat];

function said(count) {
  if (!lastStep()) return "Nothing was played.";
  if (!count) return `The beginning, before the first of ${lastStep()} steps.`;
  const [before, after] = [positions[count - 1], positions[count]];
  const gain = after.event.type === "move" && board().gain(before, after);
  const over = count === lastStep() ? ` — ${ending(game)}` : "";
  return `${count} of ${lastStep()}: ${colourOf(after.seat)} (${nameOf(after.seat)}) ${deed(after)}${gain ? `, ${gain}` : ""}${over}`;
}

function deed(position) {
  const { event } = position;
  if (event.type === "pass") return "passed";
  if (event.type === "leave") return "is out";
  if (event.type === "roll") return `threw ${thrown(position)}`;
  return `played ${board().touched(event).join(" to ")}`;
}

function thrown(position) {
  const { text, name } = board().throws;
  return name ? `${text(position)} (${name(position)})` : text(position);
}

function ending(one) {
  const winners = one.winners.map((seat) => data.names[one.seats[seat]]);
  if (one.cause === "error") return `error, counts for nobody (${one.detail})`;
  const result = (winners.length ? `${winners.join(" and ")} won` : "a draw") + behind(one);
  const blame = one.culprit === null ? "" : ` of ${data.names[one.seats[one.culprit]]}`;
  const cause = one.cause === "normal" ? one.reason : `${one.cause}${blame}`;
  return `${result}, ${cause.replaceAll("_", " ")}${one.detail ? ` (${one.detail})` : ""}`;
}

const causesOf = (one) => [one.cause, ...(one.removed ?? []).map((each) => each.cause)];

function behind(one) { // among more than two: who came second, third, and who was removed why
  const order = (one.places ?? []).map((place, seat) => ({ place, seat })).sort((a, b) => a.place - b.place);
  return order.filter(({ place }) => place > 1).map(({ place, seat }) => {
    const why = one.removed.find((each) => each.seat === seat)?.cause;
    return `, ${place}. ${data.names[one.seats[seat]]}${why ? ` (${why.replaceAll("_", " ")})` : ""}`;
  }).join("");
}

// What is on the page

function show(step) {
  at = Math.max(0, Math.min(step, lastStep()));
  id("at").max = lastStep();
  id("at").value = at;
  id("frame").hidden = id("throws").hidden = Boolean(game.missing);
  if (game.missing) {
    id("said").textContent = `${ending(game)}. No replay: ${game.missing}.`;
    return;
  }
  const { event } = positions[at];
  const touched = event?.type === "move" ? board().touched(event) : [];
  drawing.draw(game.kind, board().rows(positions[at], 0), (key) => ({ touched: touched.includes(key) }));
  showThrow(positions.slice(0, at + 1).findLast((position) => position.event?.type === "roll"));
  id("said").textContent = said(at);
}

function showThrow(position) { // the last one, pale as soon as something was played with it
  id("throws").hidden = !position;
  if (!position) return;
  id("throws").className = position === positions[at] ? "" : "played";
  id("thrown").textContent = thrown(position);
  sticks.lay(board().throws.things, board().throws.lying(position));
}

function open(one) {
  game = one;
  positions = one.missing ? [null] : positionsOf(one);
  const seats = one.seats.map((bot, seat) => `${data.names[bot]}${one.kind ? ` (${colourOf(seat)})` : ""}`);
  id("who").textContent = `${seats.join(" – ")}: ${ending(one)}`;
  id("legend").textContent = BOARDS[one.kind]?.legend ?? "";
  for (const button of id("games").querySelectorAll("button")) {
    button.toggleAttribute("aria-current", button.dataset.id === one.id);
  }
  history.replaceState(null, "", `#${one.id}`);
  show(0);
}

function row(one) {
  const button = document.createElement("button"), more = document.createElement("small");
  button.dataset.id = one.id;
  button.append(one.seats.map((bot) => data.names[bot]).join(" – "), more);
  more.textContent = `${ending(one)}; ${one.moves} steps; ${one.id}`;
  button.onclick = () => open(one);
  const item = document.createElement("li");
  item.append(button);
  return item;
}

function list() {
  const bot = id("of").value, cause = id("by").value;
  listed = data.games.filter((one) =>
    (!bot || one.seats.includes(Number(bot))) && (!cause || causesOf(one).includes(cause)));
  id("games").replaceChildren(...listed.slice(0, SHOWN).map(row));
  if (listed.length > SHOWN) id("games").append(`and ${listed.length - SHOWN} more`);
  if (listed.length) open(listed[0]);
}

function choices(select, everything, options) {
  select.append(new Option(everything, ""), ...options.map(([value, label]) => new Option(label, value)));
  select.onchange = list;
}

function neighbour(by) {
  const reachable = listed.slice(0, SHOWN), to = reachable[reachable.indexOf(game) + by];
  if (!to) return;
  open(to);
  id("games").querySelector("[aria-current]").scrollIntoView({ block: "nearest" });
}

const wantedGame = () => data.games.find((one) => `#${one.id}` === location.hash); // report.html#GAME

const STEPPING = {
  ArrowRight: () => show(at + 1),
  ArrowLeft: () => show(at - 1),
};
const INSIDE = { // elsewhere these scroll the page
  Home: () => show(0),
  End: () => show(lastStep()),
  ArrowDown: () => neighbour(1),
  ArrowUp: () => neighbour(-1),
};

document.addEventListener("keydown", (event) => {
  const inside = event.target.closest?.("#replay"), held = event.ctrlKey || event.altKey || event.metaKey;
  const does = STEPPING[event.key] ?? (inside && INSIDE[event.key]);
  if (!does || !game || held || event.target.closest?.("select")) return;
  event.preventDefault();
  does();
});

if (data.games.length) {
  const causes = [...new Set(data.games.flatMap(causesOf))].sort();
  choices(id("of"), "any", data.names.map((name, number) => [String(number), name]));
  choices(id("by"), "anyhow", causes.map((cause) => [cause, cause.replaceAll("_", " ")]));
  id("first").onclick = INSIDE.Home;
  id("back").onclick = STEPPING.ArrowLeft;
  id("next").onclick = STEPPING.ArrowRight;
  id("last").onclick = INSIDE.End;
  id("at").oninput = () => show(Number(id("at").value));
  window.onhashchange = () => wantedGame() && open(wantedGame());
  const wanted = wantedGame();
  list();
  if (wanted) open(wanted);
} else {
  document.querySelector(".replay").remove();
}
