// The fragment of the address decides what the page shows. A running game is left only after a
// confirmation.

import { findById } from "./page_elements.js";

/** Return the parts of the fragment: ["play", GAME] and so on. */
export const readFragment = () => location.hash.slice(1).split("=");

export class Navigation {
  #shown = location.hash;
  #isConfirmed = false;

  /** `show` shows the fragment; `isPlaying` returns whether a running game would be left. */
  constructor(show, isPlaying) {
    Object.assign(this, { show, isPlaying });
    this.dialog = findById("leave-dialog");
    window.addEventListener("hashchange", () => this.#change());
    window.addEventListener("beforeunload", (event) => {
      if (this.isPlaying()) event.preventDefault();
    });
    findById("confirm-leave").addEventListener("click", () => {
      this.dialog.close();
      this.goTo(this.dialog.dataset.target);
    });
  }

  /** Show a fragment without a question. */
  goTo(fragment) {
    this.#isConfirmed = true;
    if (location.hash.slice(1) === fragment.replace(/^#/, "")) this.#change();
    else location.hash = fragment;
  }

  #change() {
    const isConfirmed = this.#isConfirmed;
    this.#isConfirmed = false;
    if (location.hash !== this.#shown && !isConfirmed && this.isPlaying()) {
      this.dialog.dataset.target = location.hash;
      history.pushState(null, "", this.#shown);
      if (!this.dialog.open) this.dialog.showModal();
      return;
    }
    this.#shown = location.hash;
    this.show();
  }
}
