// The form for a new game: kind, size, opponent and starting player.

import { loadPreferences, storePreferences } from "./browser_storage.js";
import { KINDS } from "./kinds.js";

const LEVELS = { random: "easy", greedy: "medium", expectimax: "hard" };
const PEOPLE = { anyone: "A person: the first to join", friend: "A person: a friend, by a link" };

function setOptions(select, labels) {
  select.replaceChildren(...Object.entries(labels).map(([value, text]) => new Option(text, value)));
}

const listSeatCounts = (max) => Array.from({ length: max - 1 }, (_, index) => String(index + 2));

function formatBotLabel(name) {
  const level = LEVELS[name.split(":")[0]];
  return level ? `Bot ${name}, ${level}` : `Bot ${name}`;
}

export class GameForm {
  /** The chosen speed is stored in `queue`. */
  constructor(form, queue) {
    this.form = form;
    this.fields = form.elements;
    form.addEventListener("change", () => {
      this.#updateFields();
      storePreferences(Object.fromEntries(new FormData(form)));
      queue.speed = this.fields.pace.value;
    });
    this.showOffer({ games: Object.keys(KINDS).slice(0, 1) });
    queue.speed = this.fields.pace.value;
  }

  showOffer({ games, opponents = [] }) {
    const kinds = games.filter((kind) => kind in KINDS);
    const titles = Object.fromEntries(kinds.map((kind) => [kind, KINDS[kind].title]));
    setOptions(this.fields.kind, titles);
    const bots = Object.fromEntries(opponents.map((name) => [name, formatBotLabel(name)]));
    setOptions(this.fields.opponent, { ...bots, ...PEOPLE });
    this.#restore();
  }

  get kind() {
    return this.fields.kind.value;
  }

  get rankingFields() {
    const { rankedBy } = KINDS[this.kind];
    const rankedFields = rankedBy && { [rankedBy]: this.#size[rankedBy], group: this.#group };
    return { kind: this.kind, ...rankedFields };
  }

  get joinFields() {
    const { opponent, seat, seats } = this.fields;
    const isBot = !(opponent.value in PEOPLE);
    return {
      kind: this.kind,
      ...this.#size,
      ...(KINDS[this.kind].rankedBy && { group: this.#group }),
      ...(KINDS[this.kind].maxSeats > 2 && { seats: Number(seats.value) }),
      ...(isBot && { opponent: opponent.value }),
      ...(opponent.value === "friend" && { private: true }),
      ...(seat.value !== "" && { seat: Number(seat.value) }),
    };
  }

  get #size() {
    return KINDS[this.kind].sizes[this.fields.size.value];
  }

  get #group() {
    return Math.max(1, Math.trunc(Number(this.fields.group.value)) || 1);
  }

  #updateFields() {
    const { sizes, defaultSize, rankedBy, maxSeats } = KINDS[this.kind];
    const { size } = this.fields;
    const [previous, labels] = [size.value, Object.keys(sizes)];
    setOptions(size, Object.fromEntries(labels.map((label) => [label, label])));
    size.value = previous in sizes ? previous : defaultSize;
    size.disabled = labels.length === 1;
    this.form.querySelector("#group-field").hidden = rankedBy === undefined;
    this.form.querySelector("#seats-field").hidden = maxSeats === undefined;
    const { seats } = this.fields;
    const [previousSeats, counts] = [seats.value, listSeatCounts(maxSeats ?? 2)];
    setOptions(seats, Object.fromEntries(counts.map((count) => [count, count])));
    if (counts.includes(previousSeats)) seats.value = previousSeats;
  }

  #restore() {
    const preferences = loadPreferences();
    const restoreField = (name) => {
      const field = this.fields[name];
      const values = [...(field.options ?? [])].map(({ value }) => value);
      if (name in preferences && (!field.options || values.includes(preferences[name])))
        field.value = preferences[name];
    };
    for (const name of ["kind", "opponent", "seat", "group", "pace"]) restoreField(name);
    this.#updateFields();
    for (const name of ["size", "seats"]) restoreField(name);
  }
}
