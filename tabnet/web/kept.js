// The data that this browser stores: seats, results against bots, and preferences.

const MOST_SEATS = 20;
const MOST_RESULTS = 500;

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`tabnet.${name}`)) ?? otherwise;
  } catch {
    return otherwise; // the stored value is damaged, or storage is forbidden
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`tabnet.${name}`, JSON.stringify(value));
  } catch {
    // Without storage the data live until the page is closed.
    unkept.set(name, value);
  }
}

const unkept = new Map();

const kept = (name, otherwise) => unkept.get(name) ?? read(name, otherwise);

/** The seats, the newest first: game, nick, token, and further fields. */
export const seats = () => kept("seats", []);

export const seatIn = (game) => seats().find((seat) => seat.game === game) ?? null;

/** Store a seat, or its new fields. */
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

/** Store the result of a game. */
export function keepResult(result) {
  const others = results().filter(({ game }) => game !== result.game);
  write("results", [result, ...others].slice(0, MOST_RESULTS));
}

/** The latest choices in the form. */
export const likings = () => kept("likings", {});

export const keepLikings = (changes) => write("likings", { ...likings(), ...changes });
