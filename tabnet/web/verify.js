// Recomputes the throws of a match from the secret in its last update. See protocol.md, Dice.

import { KINDS } from "./kinds.js";

const bytes = (text) => new TextEncoder().encode(text);
const u32 = (number) => new Uint8Array([24, 16, 8, 0].map((bits) => number >>> bits));
const NO_SALT = new Uint8Array(32);
const DEALT = 0xffffffff; // the seat in the key of a dealt board

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

/** Return whether the browser has the functions: only over HTTPS and on localhost. */
export const canVerify = () => globalThis.crypto?.subtle !== undefined;

/** The hash of a salt that goes with `join`. */
export const saltHash = async (salt) => hex(await sha256(bytes("tabnet-salt-1"), unhex(salt)));

/** A fresh salt, in hex. */
export const freshSalt = () => hex(crypto.getRandomValues(new Uint8Array(32)));

/** The random bytes of throw k of a seat, as many as are asked for, and numbers made from them. */
function randomOf(key, mixes, seat, k) {
  let block = [];
  let retry = 0;
  const byte = async () => {
    if (block.length === 0) {
      const text = joined(bytes("tabnet-dice-1"), ...mixes, u32(seat), u32(k), u32(retry));
      block = [...new Uint8Array(await crypto.subtle.sign("HMAC", key, text))];
      retry += 1;
    }
    return block.shift();
  };
  const below = async (count) => {
    let number = await byte();
    while (number >= 256 - (256 % count)) number = await byte();
    return number % count;
  };
  return { byte, below };
}

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
  const { deal } = KINDS[first.kind];
  if (!deal?.isDrawn(first.options)) return true;
  const random = randomOf(
    key,
    nicks.map(() => NO_SALT),
    DEALT,
    0,
  );
  return same(await deal.read(random, first.options), deal.dealt(first));
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
  const { throws } = KINDS[updates[0].kind];
  for (const update of updates.filter(({ event }) => event.type === "roll")) {
    const seat = nicks.indexOf(update.event.player);
    const computed = await throws.read(randomOf(key, mixes, seat, counts[seat]++));
    isTrue &&= same(computed, throws.lying(update));
  }
  return { throws: counts.reduce((sum, count) => sum + count, 0), isTrue };
}
