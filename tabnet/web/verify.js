// The throws of a match, recomputed from the secret that its last update tells. protocol.md, Dice.

const bytes = (text) => new TextEncoder().encode(text);
const u32 = (number) => new Uint8Array([24, 16, 8, 0].map((bits) => number >>> bits));
const NO_SALT = new Uint8Array(32);
const DEALT = 0xffffffff; // the seat that a board is dealt for

export const unhex = (text) => new Uint8Array(text.match(/../g).map((pair) => parseInt(pair, 16)));
export const hex = (data) =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const sha256 = async (...parts) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

/** Whether this page may compute it at all: browsers allow it over HTTPS, and on localhost. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/** The hash of a salt that goes with `join`. */
export const saltHash = async (salt) => hex(await sha256(bytes("tabnet-salt-1"), unhex(salt)));

/** A fresh salt, in hex. */
export const freshSalt = () => hex(crypto.getRandomValues(new Uint8Array(32)));

/** The random bytes of throw k of a seat, as many as are asked for. */
function reader(key, mixes, seat, k) {
  let block = [];
  let retry = 0;
  return async () => {
    if (block.length === 0) {
      const text = joined(bytes("tabnet-dice-1"), ...mixes, u32(seat), u32(k), u32(retry));
      block = [...new Uint8Array(await crypto.subtle.sign("HMAC", key, text))];
      retry += 1;
    }
    return block.shift();
  };
}

async function below(next, limit, modulus) {
  let byte = await next();
  while (byte >= limit) byte = await next();
  return byte % modulus;
}

async function sticks(next) {
  const byte = await next();
  return [0, 1, 2, 3].map((bit) => Boolean((byte >> bit) & 1));
}

async function dice(next) {
  const [a, b] = [(await below(next, 252, 6)) + 1, (await below(next, 252, 6)) + 1];
  return a === b ? [a, a, a, a] : [Math.max(a, b), Math.min(a, b)];
}

async function deal(next, { rows, cols, fish, holes }) {
  const left = [...Array(rows * cols).keys()];
  const board = Array(rows * cols).fill(0);
  for (let hole = 0; hole < (holes ?? 0); hole += 1) {
    left.splice(await below(next, 256 - (256 % left.length), left.length), 1);
  }
  for (const tile of left) board[tile] = fish ?? (await below(next, 255, 5)) + 1;
  return Array.from({ length: rows }, (_, row) => board.slice(row * cols, (row + 1) * cols));
}

const READERS = { tab: sticks, plakoto: dice };
const seen = (update) => (update.kind === "tab" ? update.dice?.stickValues : update.dice);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

async function promised(updates, secret, salts, nicks) {
  const [first] = updates;
  if (hex(await sha256(bytes("tabnet-commit-1"), bytes(first.game), secret)) !== first.dice_commit)
    return false;
  for (const nick of nicks) {
    const hash = first.dice_salt_hashes[nick];
    if (salts[nick] !== null && (await saltHash(salts[nick])) !== hash) return false;
  }
  return true;
}

async function dealtAsPromised(first, key, nicks) {
  if (first.kind !== "fish" || first.options.board) return true;
  const nothing = nicks.map(() => NO_SALT);
  return same(await deal(reader(key, nothing, DEALT, 0), first.options), first.state.board);
}

/**
 * Recompute everything random in a match that is over, from all its updates and its nicks in the
 * order of their seats: how many throws there were, and whether all are what was promised.
 */
export async function verified(updates, nicks) {
  const { dice_secret: told, dice_salts: salts } = updates.at(-1);
  if (told === undefined) return null;
  const secret = unhex(told);
  const key = await crypto.subtle.importKey(
    "raw",
    secret,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const mixes = await Promise.all(
    nicks.map((nick) =>
      salts[nick] ? sha256(bytes("tabnet-mix-1"), unhex(salts[nick])) : NO_SALT,
    ),
  );
  const counts = nicks.map(() => 0);
  let isTrue =
    (await promised(updates, secret, salts, nicks)) &&
    (await dealtAsPromised(updates[0], key, nicks));
  for (const update of updates.filter(({ event }) => event.type === "roll")) {
    const seat = nicks.indexOf(update.event.player);
    const computed = await READERS[update.kind](reader(key, mixes, seat, counts[seat]++));
    isTrue &&= same(computed, seen(update));
  }
  return { throws: counts.reduce((sum, count) => sum + count, 0), isTrue };
}
