// The refusals of the server in the language of the player.

import { formatDuration } from "./clocks.js";
import { KINDS } from "./kinds.js";
import { getText, hasText } from "./texts.js";

/** The codes for which the server's text tells more: the reason of a ban, or a limit. */
const DETAILED = [
  "banned",
  "bad_value",
  "reserved_nick",
  "too_many_games",
  "too_many_waits",
  "too_many_house_games",
  "too_many_registrations",
];
const LONG_S = 120; // a longer time is rounded up to minutes

// A code is one of all kinds, or of a single kind.
function findText(code) {
  const key = `code.${code}`;
  const source = [{ getText, hasText }, ...Object.values(KINDS)].find((each) => each.hasText(key));
  return source?.getText(key);
}

function describeRetry(seconds) {
  const rounded = seconds > LONG_S ? Math.ceil(seconds / 60) * 60 : seconds;
  return getText("retry", { duration: formatDuration(rounded) });
}

/**
 * Return a refusal as sentences: the text of its code, the time until the next attempt, and the
 * server's hint. The first sentence ends with the field, and with the server's text if this tells
 * more. The server's text stands for an unknown code.
 */
export function describeRefusal({ code, text, field, hint, retry_after: seconds }) {
  const sentence = findText(code) ?? text.replace(/\.?$/, ".");
  const detail = [field, DETAILED.includes(code) ? text : ""].filter(Boolean).join(": ");
  return [
    detail ? sentence.replace(".", () => ` (${detail}).`) : sentence,
    seconds ? describeRetry(seconds) : "",
    hint,
  ]
    .filter(Boolean)
    .join(" ");
}
