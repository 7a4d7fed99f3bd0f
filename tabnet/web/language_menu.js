// The menu of languages.

import { storePreferences } from "./browser_storage.js";
import { findPreferredLanguage, LANGUAGES, loadLanguage } from "./languages.js";
import * as elements from "./page_elements.js";
import { getText } from "./texts.js";

export class LanguageMenu {
  #shown = findPreferredLanguage();

  /** `onChange` is called when the page uses another language. */
  constructor(select, onChange) {
    Object.assign(this, { select, onChange });
    for (const [code, { name, locale }] of Object.entries(LANGUAGES)) {
      select.append(Object.assign(new Option(name, code), { lang: locale }));
    }
    select.value = this.#shown;
    select.addEventListener("change", () => this.#change());
  }

  /** Let the page use the language of the browser or the player, for the first time. */
  async load() {
    (await loadLanguage(this.#shown))();
  }

  async #change() {
    const code = this.select.value;
    const useLanguage = await loadLanguage(code).catch(() => null);
    if (code !== this.select.value) return;
    if (useLanguage === null) {
      this.select.value = this.#shown;
      return elements.showError(getText("error.unreachable"));
    }
    useLanguage();
    this.#shown = code;
    storePreferences({ language: code });
    this.onChange();
  }
}
