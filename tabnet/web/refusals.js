// The refusals of the server in the language of the player.

import { KINDS } from "./kinds.js";
import { getText, hasText } from "./texts.js";

/**
 * Return a refusal as sentences: the text of its code, then the field and the hint of the server. A
 * code is one of all kinds, or of a single kind. The text of the server stands for an unknown code.
 */
export function describeRefusal({ code, text, field, hint }) {
  const key = `code.${code}`;
  const source = [{ getText, hasText }, ...Object.values(KINDS)].find((each) => each.hasText(key));
  const sentence = source ? source.getText(key) : text;
  if (!field && !hint) return sentence;
  const named = sentence.replace(/\.$/, "") + (field ? ` (${field})` : "");
  return hint ? `${named}. ${hint}` : `${named}.`;
}
