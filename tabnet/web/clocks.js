// The clocks that a player can choose, and clocks in words. Pure.

import { KINDS } from "./kinds.js";
import { getText } from "./texts.js";

/** The clock of games against bots. */
export const BOT_CLOCK = { move: 600 };

/** The clocks with a name; the standard clock of a kind is in the file of its board. */
const NAMED_CLOCKS = {
  blitz: { total: 180, increment: 2 },
  rapid: { total: 900, increment: 10 },
  long: { total: 3600, increment: 30 },
};

/** Return a time in words. */
export const formatDuration = (seconds) =>
  seconds % 60 === 0
    ? getText("minutes", { count: seconds / 60 })
    : getText("seconds", { count: seconds });

/** Return a clock, in the form of `join`, in words. */
export function describeClock({ move, total, increment }) {
  if (total === undefined) return getText("clock.move", { duration: formatDuration(move) });
  const duration = formatDuration(total);
  if (!increment) return getText("clock.total", { duration });
  return getText("clock.increment", { duration, seconds: increment });
}

/** Return the labels of the clocks of a kind, by name. */
export function listClockLabels(kind) {
  const clocks = Object.entries({ standard: KINDS[kind].clock, ...NAMED_CLOCKS });
  const label = (name, clock) => getText(`clock.${name}`, { clock: describeClock(clock) });
  const labels = clocks.map(([name, clock]) => [name, label(name, clock)]);
  return { ...Object.fromEntries(labels), custom: getText("clock.custom") };
}

/** Return the clock of that name; `minutes` and `seconds` are the player's own clock. */
export function getClock(kind, name, minutes, seconds) {
  if (name !== "custom") return NAMED_CLOCKS[name] ?? KINDS[kind].clock;
  const total = Math.min(Math.max(10, Math.round(60 * minutes) || 600), 86_400);
  return { total, increment: Math.min(Math.max(0, Math.round(seconds) || 0), 3600) };
}
