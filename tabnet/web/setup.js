// The form for a new game: kind, size, opponent and starting player.

import { keepLikings, likings } from "./kept.js";
import { KINDS } from "./kinds.js";

const LEVELS = { random: "easy", greedy: "medium", expectimax: "hard" };
const PEOPLE = { anyone: "A person: the first to join", friend: "A person: a friend, by a link" };

function options(select, labels) {
  select.replaceChildren(...Object.entries(labels).map(([value, text]) => new Option(text, value)));
}

/** The numbers of players, from 2 on, as texts. */
const countsUpTo = (most) => Array.from({ length: most - 1 }, (_, at) => String(at + 2));

/** The label of a bot: its name, and its level if that is known. */
function botLabel(name) {
  const level = LEVELS[name.split(":")[0]];
  return level ? `Bot ${name}, ${level}` : `Bot ${name}`;
}

export class Setup {
  /** The chosen speed is stored in `pace`. */
  constructor(form, pace) {
    this.form = form;
    this.fields = form.elements;
    form.addEventListener("change", () => {
      this.#follow();
      keepLikings(Object.fromEntries(new FormData(form)));
      pace.speed = this.fields.pace.value;
    });
    this.offer({ games: Object.keys(KINDS).slice(0, 1) });
    pace.speed = this.fields.pace.value;
  }

  /** Offer the games and the bots of this server. */
  offer({ games, opponents = [] }) {
    const known = games.filter((kind) => kind in KINDS);
    options(this.fields.kind, Object.fromEntries(known.map((kind) => [kind, KINDS[kind].title])));
    const bots = Object.fromEntries(opponents.map((name) => [name, botLabel(name)]));
    options(this.fields.opponent, { ...bots, ...PEOPLE });
    this.#restore();
  }

  get kind() {
    return this.fields.kind.value;
  }

  /** The fields of `ranking` for the chosen game. */
  get wish() {
    const { rankedBy } = KINDS[this.kind];
    const ranked = rankedBy && { [rankedBy]: this.#size[rankedBy], group: this.#group };
    return { kind: this.kind, ...ranked };
  }

  /** The fields of `join` for the chosen game. */
  get join() {
    const { opponent, seat, seats } = this.fields;
    const isBot = !(opponent.value in PEOPLE);
    return {
      kind: this.kind,
      ...this.#size,
      ...(KINDS[this.kind].rankedBy && { group: this.#group }),
      ...(KINDS[this.kind].seatsMost > 2 && { seats: Number(seats.value) }),
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

  // The other choices depend on the kind.
  #follow() {
    const { sizes, usualSize, rankedBy, seatsMost } = KINDS[this.kind];
    const { size } = this.fields;
    const [before, labels] = [size.value, Object.keys(sizes)];
    options(size, Object.fromEntries(labels.map((label) => [label, label])));
    size.value = before in sizes ? before : usualSize;
    size.disabled = labels.length === 1;
    this.form.querySelector("#group-field").hidden = rankedBy === undefined;
    this.form.querySelector("#seats-field").hidden = seatsMost === undefined;
    const { seats } = this.fields;
    const [seatsBefore, counts] = [seats.value, countsUpTo(seatsMost ?? 2)];
    options(seats, Object.fromEntries(counts.map((count) => [count, count])));
    if (counts.includes(seatsBefore)) seats.value = seatsBefore;
  }

  #restore() {
    const liked = likings();
    const set = (name) => {
      const field = this.fields[name];
      const values = [...(field.options ?? [])].map(({ value }) => value);
      if (name in liked && (!field.options || values.includes(liked[name])))
        field.value = liked[name];
    };
    for (const name of ["kind", "opponent", "seat", "group", "pace"]) set(name);
    this.#follow();
    for (const name of ["size", "seats"]) set(name);
  }
}
