// What this browser remembers: the seats it holds, results against bots, and how things are liked.

const MOST_SEATS = 20;
const MOST_RESULTS = 500;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`tabnet.${name}`)) ?? otherwise;
  } catch {
    return otherwise; // another hand has written there, or nothing may be kept
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`tabnet.${name}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing plays as well, until it is closed.
    unkept.set(name, value);
  }
}

const unkept = new Map();

const kept = (name, otherwise) => unkept.get(name) ?? read(name, otherwise);

/** The seats held, the newest first: game, nick, token, and what else belongs to them. */
export const seats = () => kept("seats", []);

export const seatIn = (game) => seats().find((seat) => seat.game === game) ?? null;

/** Remember a seat, or what has changed about it. */
export function keepSeat(seat) {
  const others = seats().filter(({ game }) => game !== seat.game);
  write("seats", [seat, ...others].slice(0, MOST_SEATS));
}

export const dropSeat = (game) =>
  write(
    "seats",
    seats().filter((seat) => seat.game !== game),
  );

/** Results against bots, the newest first: game, kind, size, bot, outcome ("won", "lost", "drawn"). */
export const results = () => kept("results", []);

/** Remember a result, once. */
export function keepResult(result) {
  const others = results().filter(({ game }) => game !== result.game);
  write("results", [result, ...others].slice(0, MOST_RESULTS));
}

/** What was chosen last in the configuration. */
export const likings = () => kept("likings", {});

export const keepLikings = (changes) => write("likings", { ...likings(), ...changes });
