// SPDX-License-Identifier: MIT
"use strict";

// What a page can't say in HTML: a dialog that keeps the focus, arrow keys, and where the focus goes
// when the screen changes. The game is played without this script, too.
(() => {
  const page = document.querySelector("main");
  const heading = document.querySelector("h1");

  // The dialog comes open, for browsers without script; here it becomes a modal one.
  function attend() {
    const dialog = page.querySelector("dialog");
    if (!dialog || dialog.matches(":modal")) return;
    dialog.close();
    dialog.showModal();
  }

  // Escape means OK: the state closes the dialog, not the browser.
  document.addEventListener("cancel", (event) => {
    event.preventDefault();
    event.target.querySelector("[data-cancel]")?.click();
  }, true);

  // Arrow keys lead from card to card.
  document.addEventListener("keydown", (event) => {
    const card = event.target.closest(".card");
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const cards = [...page.querySelectorAll(".card")];
    const place = cards.indexOf(card);
    const column = place % 4;
    const target = {
      ArrowLeft: column > 0 ? place - 1 : place,
      ArrowRight: column < 3 ? place + 1 : place,
      ArrowUp: place - 4,
      ArrowDown: place + 4,
      Home: place - column,
      End: place - column + 3,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    cards[target]?.focus();
  });

  // A new screen begins at its heading; behind the dialog, another game is near.
  let [title, focused] = [heading.textContent, document.activeElement];
  new MutationObserver(() => {
    attend();
    const isLost = focused !== document.body && !focused?.isConnected;
    if (heading.textContent !== title) heading.focus({ preventScroll: true });
    else if (isLost && !page.querySelector("dialog")) {
      (page.querySelector("#new-game") ?? heading).focus({ preventScroll: true });
    }
    title = heading.textContent;
    focused = document.activeElement === document.body ? focused : document.activeElement;
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
  document.addEventListener("focusin", () => (focused = document.activeElement));
  attend();
})();
