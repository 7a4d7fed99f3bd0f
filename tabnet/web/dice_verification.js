// Recomputes the throws of a match from the secret in its last update. See protocol.md, Dice.

import { KINDS } from "./kinds.js";

const encodeText = (text) => new TextEncoder().encode(text);
const encodeUint32 = (number) => new Uint8Array([24, 16, 8, 0].map((bits) => number >>> bits));
const NO_SALT = new Uint8Array(32);
const DEAL_SEAT = 0xffffffff; // the seat in the key of a dealt board

const fromHex = (text) => new Uint8Array(text.match(/../g).map((pair) => parseInt(pair, 16)));
const toHex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const concat = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

const computeSha256 = async (...parts) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", concat(...parts)));

/** Return whether the browser has the hash functions: only over HTTPS and on localhost. */
export const canVerifyDice = () => globalThis.crypto?.subtle !== undefined;

/** Return the hash of a salt, a field of `join`. */
export const hashSalt = async (salt) =>
  toHex(await computeSha256(encodeText("tabnet-salt-1"), fromHex(salt)));

export const createSalt = () => toHex(crypto.getRandomValues(new Uint8Array(32)));

/** Return a source of the random bytes of a seat's throw, and of numbers made from them. */
function createRandom(key, saltHashes, seat, number) {
  let block = [];
  let retry = 0;
  const byte = async () => {
    if (block.length === 0) {
      const numbers = [seat, number, retry].map(encodeUint32);
      const text = concat(encodeText("tabnet-dice-1"), ...saltHashes, ...numbers);
      block = [...new Uint8Array(await crypto.subtle.sign("HMAC", key, text))];
      retry += 1;
    }
    return block.shift();
  };
  const below = async (count) => {
    let value = await byte();
    while (value >= 256 - (256 % count)) value = await byte();
    return value % count;
  };
  return { byte, below };
}

const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

async function areCommitmentsKept(updates, secret, salts, nicks) {
  const [first] = updates;
  const commitment = await computeSha256(encodeText("tabnet-commit-1"), encodeText(first.game), secret);
  if (toHex(commitment) !== first.dice_commit) return false;
  for (const nick of nicks) {
    const hash = first.dice_salt_hashes[nick];
    if (salts[nick] !== null && (await hashSalt(salts[nick])) !== hash) return false;
  }
  return true;
}

async function isDealAsCommitted(first, key, nicks) {
  const { deal } = KINDS[first.kind];
  if (!deal?.isRandom(first.options)) return true;
  const random = createRandom(key, nicks.map(() => NO_SALT), DEAL_SEAT, 0);
  return isEqual(await deal.compute(random, first.options), deal.getBoard(first));
}

/**
 * Recompute everything random in a match that is over, from all its updates and its nicks in seat
 * order. Return the number of throws, null in a kind without throws, and whether everything matches
 * the commitments.
 */
export async function verifyDice(updates, nicks) {
  const { dice_secret: hexSecret, dice_salts: salts } = updates.at(-1);
  if (hexSecret === undefined) return null;
  const secret = fromHex(hexSecret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const saltHashes = await Promise.all(
    nicks.map((nick) =>
      salts[nick] ? computeSha256(encodeText("tabnet-mix-1"), fromHex(salts[nick])) : NO_SALT,
    ),
  );
  const counts = nicks.map(() => 0);
  let isVerified =
    (await areCommitmentsKept(updates, secret, salts, nicks)) &&
    (await isDealAsCommitted(updates[0], key, nicks));
  const { throws } = KINDS[updates[0].kind];
  for (const update of updates.filter(({ event }) => event.type === "roll")) {
    const seat = nicks.indexOf(update.event.player);
    const computed = await throws.compute(createRandom(key, saltHashes, seat, counts[seat]++));
    isVerified &&= isEqual(computed, throws.getValues(update));
  }
  return { throws: throws ? counts.reduce((sum, count) => sum + count, 0) : null, isVerified };
}
