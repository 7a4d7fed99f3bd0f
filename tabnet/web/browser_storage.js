// The data that this browser stores: seats, results against bots, and preferences.

const unstored = new Map(); // values while storage is forbidden or full, until the page is closed
const MAX_SEATS = 20;
const MAX_RESULTS = 500;
const PREFERENCES = "likings"; // the name that browsers have stored since the first version

function read(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`tabnet.${name}`)) ?? fallback;
  } catch {
    return fallback; // the stored value is damaged, or storage is forbidden
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`tabnet.${name}`, JSON.stringify(value));
  } catch {
    unstored.set(name, value);
  }
}

const load = (name, fallback) => unstored.get(name) ?? read(name, fallback);

/** Return the seats, the newest first: game, nick, token, and further fields. */
export const loadSeats = () => load("seats", []);

export const findSeat = (game) => loadSeats().find((seat) => seat.game === game) ?? null;

/** Store a seat, or its new fields. */
export function storeSeat(seat) {
  const others = loadSeats().filter(({ game }) => game !== seat.game);
  write("seats", [seat, ...others].slice(0, MAX_SEATS));
}

export function removeSeat(game) {
  const others = loadSeats().filter((seat) => seat.game !== game);
  write("seats", others);
}

/**
 * Return the results against bots, the newest first: game, kind, size, bot, and outcome ("won",
 * "lost" or "drawn").
 */
export const loadResults = () => load("results", []);

export function storeResult(result) {
  const others = loadResults().filter(({ game }) => game !== result.game);
  write("results", [result, ...others].slice(0, MAX_RESULTS));
}

/** Return the latest nick and choices in the form. */
export const loadPreferences = () => load(PREFERENCES, {});

export const storePreferences = (changes) => write(PREFERENCES, { ...loadPreferences(), ...changes });
