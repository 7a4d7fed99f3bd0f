// The login: a guest, or a nick whose password is stored only while the page is open.

import { keepLikings, likings } from "./kept.js";
import { ask } from "./wire.js";

export class Identity {
  #nick = null;
  #password = null;

  constructor(button, dialog) {
    Object.assign(this, { button, dialog, form: dialog.querySelector("form") });
    this.form.elements.nick.value = likings().nick ?? "";
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#signIn();
    });
    dialog.querySelector("#sign-out").addEventListener("click", () => this.#become(null, null));
  }

  /** The credentials of a command. */
  get credentials() {
    return this.#nick === null ? {} : { nick: this.#nick, password: this.#password };
  }

  async #signIn() {
    const { nick, password } = this.form.elements;
    const problem = this.form.querySelector(".problem");
    problem.textContent = "";
    try {
      await ask("register", { nick: nick.value, password: password.value });
      this.#become(nick.value, password.value);
    } catch (error) {
      problem.textContent = error.message;
    }
  }

  #become(nick, password) {
    this.#nick = nick;
    this.#password = password;
    this.button.textContent = nick ?? "Guest";
    this.form.elements.password.value = "";
    this.dialog.querySelector("#sign-out").hidden = nick === null;
    if (nick !== null) keepLikings({ nick });
    this.dialog.close();
  }
}
