// SPDX-License-Identifier: MIT
"use strict";

// What a page can't say in HTML: today as the first choice of a day, a search while one types, keys that undo. The
// app is used without this script, too.
(() => {
  const twoDigits = (number) => String(number).padStart(2, "0");

  function choose() {
    const now = new Date();
    const today = `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
    for (const field of document.querySelectorAll("[data-today]")) {
      if (!field.value) field.value = today;
    }
  }
  choose();
  document.addEventListener("reset", () => setTimeout(choose));

  let typing;
  function look(form) {
    clearTimeout(typing);
    form.requestSubmit(form.querySelector("button"));
  }
  document.addEventListener("input", ({ target }) => {
    const form = target.closest("[data-look]");
    if (!form) return;
    clearTimeout(typing);
    typing = setTimeout(() => look(form), target.type === "search" ? 200 : 0);
  });

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
    if (event.target.matches("input:not([type=date]), textarea") && event.target.value) return;
    const name = event.shiftKey ? "redo" : "undo";
    document.querySelector(`[value="UndoAction/${name}"]`).click();
    event.preventDefault();
  });

  document.documentElement.classList.add("scripted");
})();
