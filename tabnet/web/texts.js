// The texts of the page in the language that is shown.

import { createTexts } from "./localize.js";

let current = null;
let lists = null;

/** Use these texts from now on. */
export function setTexts(texts, locale) {
  current = createTexts(texts, locale);
  lists = new Intl.ListFormat(locale);
}

/** Return a text with its values. */
export const getText = (key, values) => current.getText(key, values);

export const hasText = (key) => current.hasText(key);

/** Return names as a list: "ana, bob, and zp". */
export const formatList = (names) => lists.format(names);
