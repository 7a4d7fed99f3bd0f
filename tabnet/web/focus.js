// The keyboard focus during a game: on the control that is due, never lost to the body.

import { findById } from "./page_elements.js";

// A control keeps the focus while it is visible and enabled.
const hasLostFocus = (element) =>
  element === null || element === document.body || element.disabled || element.getClientRects().length === 0;

/**
 * Focus the control for the due command: the throw button, the button to pass, or the board. The
 * focus stays where it is if the player has moved it to another control.
 */
export function focusDueControl(board, dueCommand) {
  if (document.querySelector("dialog[open]")) return;
  const [throwButton, pass] = [findById("throw-button"), findById("pass")];
  const active = document.activeElement;
  const isElsewhere = !board.hasFocus && active !== throwButton && active !== pass;
  if (isElsewhere && !hasLostFocus(active)) return;
  if (dueCommand === "roll") throwButton.focus({ preventScroll: true });
  else if (dueCommand === "pass") pass.focus({ preventScroll: true });
  else if (!board.hasFocus) board.focus();
}

/** Ignore held keys: a key that is pressed too long must not play the next move, too. */
export function ignoreHeldKeys() {
  document.addEventListener("keydown", (event) => {
    const isButton = event.target.closest?.("button, [role=gridcell]");
    if (event.repeat && isButton && ["Enter", " "].includes(event.key)) event.preventDefault();
  }, true);
}
