// The form for a new game: kind, size, opponent, starting player and clock.

import { loadPreferences, storePreferences } from "./browser_storage.js";
import { BOT_CLOCK, describeClock, getClock, listClockLabels } from "./clocks.js";
import { KINDS } from "./kinds.js";
import { getText } from "./texts.js";
import { findUnfinishedBotGame } from "./unfinished_games.js";

const LEVELS = { random: "easy", greedy: "medium", expectimax: "hard" };
const PEOPLE = ["anyone", "friend"];
/** The fields that the choice of other fields fills; they are restored after those. */
const DEPENDENT_FIELDS = ["size", "seats", "clock"];

function setOptions(select, labels) {
  const previous = select.value;
  select.replaceChildren(...Object.entries(labels).map(([value, text]) => new Option(text, value)));
  if (previous in labels) select.value = previous;
}

const listSeatCounts = (max) => Array.from({ length: max - 1 }, (_, index) => String(index + 2));

function formatBotLabel(name) {
  const level = LEVELS[name.split(":")[0]];
  return getText(level ? `bot.${level}` : "bot", { name });
}

export class GameForm {
  #offer = { games: [] };

  /** The chosen speed is stored in `queue`; `onChange` is called after each change of the game. */
  constructor(form, queue, onChange) {
    Object.assign(this, { form, queue, onChange, fields: form.elements });
    this.startButton = form.querySelector("#start");
    for (const field of this.fields) field.addEventListener("change", () => this.#change());
    this.fields.pace.value = loadPreferences().pace ?? "calm";
    queue.speed = this.fields.pace.value;
  }

  #change() {
    this.queue.speed = this.fields.pace.value;
    if (!this.isReady) return;
    this.update();
    storePreferences(Object.fromEntries(new FormData(this.form)));
    this.onChange();
  }

  /** Whether the server has said which games and bots it offers. */
  get isReady() {
    return this.fields.kind.options.length > 0;
  }

  showOffer(offer) {
    this.#offer = offer;
    this.showLanguage();
    this.#restore();
    this.startButton.disabled = false;
  }

  /** Name the games and opponents in the language of the page; `update` does so for the rest. */
  showLanguage() {
    const { games, opponents = [] } = this.#offer;
    const kinds = games.filter((kind) => kind in KINDS);
    setOptions(this.fields.kind, Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind].getText("title")])));
    const bots = opponents.map((name) => [name, formatBotLabel(name)]);
    const people = PEOPLE.map((name) => [name, getText(`people.${name}`)]);
    setOptions(this.fields.opponent, Object.fromEntries([...bots, ...people]));
  }

  get kind() {
    return this.fields.kind.value;
  }

  /** The unfinished game against a bot that Start continues, or null. */
  get unfinishedGame() {
    return this.#isBot ? findUnfinishedBotGame(this.kind) : null;
  }

  get rankingFields() {
    const { rankedBy } = KINDS[this.kind];
    const rankedFields = rankedBy && { [rankedBy]: this.#size[rankedBy], group: this.#group };
    return { kind: this.kind, ...rankedFields };
  }

  get joinFields() {
    const { opponent, seat, seats } = this.fields;
    return {
      kind: this.kind,
      ...this.#size,
      ...(KINDS[this.kind].rankedBy && { group: this.#group }),
      ...(KINDS[this.kind].maxSeats > 2 && { seats: Number(seats.value) }),
      ...(this.#isBot && { opponent: opponent.value }),
      ...(opponent.value === "friend" && { private: true }),
      ...(seat.value !== "" && { seat: Number(seat.value) }),
      clock: this.#clock,
    };
  }

  get #isBot() {
    return !PEOPLE.includes(this.fields.opponent.value);
  }

  get #size() {
    return KINDS[this.kind].sizes[this.fields.size.value];
  }

  get #group() {
    return Math.max(1, Math.trunc(Number(this.fields.group.value)) || 1);
  }

  get #clock() {
    if (this.#isBot) return BOT_CLOCK;
    const { clock, minutes, increment } = this.fields;
    return getClock(this.kind, clock.value, Number(minutes.value), Number(increment.value));
  }

  /** Show the fields that the chosen kind and opponent have, and the game that Start continues. */
  update() {
    const { sizes, defaultSize, nameSize, rankedBy, maxSeats, getText: getKindText } = KINDS[this.kind];
    const { size, seats, clock, opponent } = this.fields;
    const isOtherKind = !(size.value in sizes);
    setOptions(size, Object.fromEntries(Object.keys(sizes).map((id) => [id, nameSize(id)])));
    if (isOtherKind) size.value = defaultSize;
    size.disabled = Object.keys(sizes).length === 1;
    this.form.querySelector("#group-field").hidden = rankedBy === undefined;
    this.form.querySelector("#seats-field").hidden = maxSeats === undefined;
    const counts = listSeatCounts(maxSeats ?? 2);
    setOptions(seats, Object.fromEntries(counts.map((count) => [count, count])));
    this.#updateClock();
    const isUnfinished = this.unfinishedGame !== null;
    const note = this.form.querySelector("#unfinished");
    note.hidden = !isUnfinished;
    const bot = isUnfinished ? this.unfinishedGame.options.opponent : opponent.value;
    note.textContent = isUnfinished ? getText("unfinished", { game: getKindText("title"), bot }) : "";
    this.startButton.textContent = getText(isUnfinished ? "continue" : "start");
    clock.disabled = this.#isBot;
  }

  #updateClock() {
    const { clock } = this.fields;
    const labels = listClockLabels(this.kind);
    const botLabel = { standard: describeClock(BOT_CLOCK) };
    const chosen = loadPreferences().clock ?? "standard";
    const wasDisabled = clock.disabled;
    setOptions(clock, this.#isBot ? botLabel : labels);
    if (!this.#isBot && wasDisabled && chosen in labels) clock.value = chosen;
    for (const field of this.form.querySelectorAll(".own-clock"))
      field.hidden = this.#isBot || clock.value !== "custom";
  }

  #restore() {
    const preferences = loadPreferences();
    const names = [...this.fields].map(({ name }) => name);
    const restoreField = (name) => {
      const field = this.fields[name];
      const values = [...(field.options ?? [])].map(({ value }) => value);
      if (name in preferences && (!field.options || values.includes(preferences[name])))
        field.value = preferences[name];
    };
    for (const name of names) if (name && !DEPENDENT_FIELDS.includes(name)) restoreField(name);
    this.update();
    for (const name of DEPENDENT_FIELDS) restoreField(name);
    this.update();
  }
}
