// The languages of the page: the texts are in languages/CODE.js, those of a kind in
// boards/KIND/CODE.js. Only the files of the language that is shown are loaded.

import { loadPreferences } from "./browser_storage.js";
import { listKinds, setKindTexts } from "./kinds.js";
import { getText, setTexts } from "./texts.js";

/** The languages by code: each with its own name, and its locale for plurals, lists and numbers. */
export const LANGUAGES = {
  en: { name: "English", locale: "en" },
  pt: { name: "Português", locale: "pt-PT" },
  el: { name: "Ελληνικά", locale: "el" },
  pl: { name: "Polski", locale: "pl" },
};

/** Return the language that the player has chosen, or the first language of the browser, or English. */
export function findPreferredLanguage() {
  const tags = [loadPreferences().language ?? "", ...navigator.languages];
  const codes = tags.map((tag) => tag.toLowerCase().split("-")[0]);
  return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? "en";
}

/** Load the texts of a language; return the function that makes the page use them. */
export async function loadLanguage(code) {
  const loadTexts = async (path) => (await import(path)).TEXTS;
  const [texts, ...textsOfKinds] = await Promise.all([
    loadTexts(`./languages/${code}.js`),
    ...listKinds().map((kind) => loadTexts(`./boards/${kind}/${code}.js`)),
  ]);
  return () => {
    const { locale } = LANGUAGES[code];
    setTexts(texts, locale);
    setKindTexts(textsOfKinds, locale);
    document.documentElement.lang = locale;
    showStaticTexts();
  };
}

// In index.html, `data-text` is the key of an element's text, and `data-name` of its accessible name.
function showStaticTexts() {
  for (const element of document.querySelectorAll("[data-text]"))
    element.textContent = getText(element.dataset.text);
  for (const element of document.querySelectorAll("[data-name]"))
    element.setAttribute("aria-label", getText(element.dataset.name));
  document.querySelector("meta[name=description]").content = getText("description");
}
