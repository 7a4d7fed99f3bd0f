// The sign-in: a guest, or a nick whose password is kept only while the page is open.

import { loadPreferences, storePreferences } from "./browser_storage.js";
import { sendCommand } from "./server_connection.js";
import { getText } from "./texts.js";

export class SignIn {
  #nick = null;
  #password = null;

  constructor(button, dialog) {
    Object.assign(this, { button, dialog, form: dialog.querySelector("form") });
    this.form.elements.nick.value = loadPreferences().nick ?? "";
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#signIn();
    });
    dialog.querySelector("#sign-out").addEventListener("click", () => this.#setAccount(null, null));
  }

  get credentials() {
    return this.#nick === null ? {} : { nick: this.#nick, password: this.#password };
  }

  async #signIn() {
    const { nick, password } = this.form.elements;
    const message = this.form.querySelector(".error");
    message.textContent = "";
    try {
      await sendCommand("register", { nick: nick.value, password: password.value });
      this.#setAccount(nick.value, password.value);
    } catch (error) {
      message.textContent = error.message;
    }
  }

  /** Show the nick, or that the player is a guest. */
  showAccount() {
    this.button.textContent = this.#nick ?? getText("account.guest");
  }

  #setAccount(nick, password) {
    this.#nick = nick;
    this.#password = password;
    this.showAccount();
    this.form.elements.password.value = "";
    this.dialog.querySelector("#sign-out").hidden = nick === null;
    if (nick !== null) storePreferences({ nick });
    this.dialog.close();
  }
}
