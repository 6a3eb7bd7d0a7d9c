// SPDX-License-Identifier: MIT
"use strict";

// What a page can't say in HTML: dialogs that keep the focus, arrow keys in the list, a search while
// one types, edits that are delivered as soon as they are made. The app is used without this script, too.
(() => {
  const edit = document.querySelector("#edit");

  function post(fields) {
    const inputs = Object.entries(fields).map(([name, value]) =>
      Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    edit.replaceChildren(...inputs);
    edit.requestSubmit();
  }

  // Dialogs come open, for browsers without script; here they become modal ones.
  function attend() {
    for (const dialog of document.querySelectorAll("dialog:not(:modal)")) {
      dialog.close();
      dialog.showModal();
    }
  }

  // Escape and a tap outside mean what the dialog's quiet button says: the state closes it.
  const dismiss = (dialog) => dialog.querySelector("[data-cancel]").click();

  document.addEventListener("cancel", (event) => {
    if (!event.target.matches("dialog")) return;
    event.preventDefault();
    dismiss(event.target);
  }, true);

  document.addEventListener("click", ({ target, clientX, clientY }) => {
    if (!target.matches("dialog")) return;
    const box = target.getBoundingClientRect();
    const isInside = clientX >= box.left && clientX <= box.right
      && clientY >= box.top && clientY <= box.bottom;
    if (!isInside) dismiss(target);
  });

  // What is written is part of the state once the field is left.
  document.addEventListener("change", ({ target }) => {
    const type = target.dataset.edit;
    if (!type) return;
    post({ type, id: target.form.elements.id.value, [target.name]: target.value });
  });

  // The list is searched while one types, without an entry in the history for each letter.
  let typing;
  const search = () => document.querySelector("#search");

  document.addEventListener("input", ({ target }) => {
    if (target !== search()) return;
    clearTimeout(typing);
    typing = setTimeout(() => {
      const query = new URLSearchParams(new FormData(target.form));
      if (!target.value) query.delete("search");
      post({ type: "Navigation.Screen/replace", value: `/?${query}` });
    }, 150);
  });

  document.addEventListener("submit", ({ target }) => {
    if (target.matches(".search")) clearTimeout(typing);
  }, true);

  // Ctrl+Z undoes and Ctrl+Shift+Z redoes what was done to the list; in a field it is the browser's.
  document.addEventListener("keydown", (event) => {
    const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey
      && event.key.toLowerCase() === "z" && !event.target.closest("input, textarea, dialog");
    if (!isOurs) return;
    event.preventDefault();
    document.querySelector(event.shiftKey ? "#redo" : "#undo").click();
  });

  // Arrow keys lead from row to row, a slash to the search.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    const hasKeys = document.documentElement.dataset.shortcuts !== "off";
    if (key === "/" && hasKeys && !target.closest("input, textarea, dialog")) {
      event.preventDefault();
      return search().focus();
    }
    const row = target.closest(".task");
    if (!row) return;
    const next = {
      ArrowUp: row.previousElementSibling,
      ArrowDown: row.nextElementSibling,
      Home: row.parentElement.firstElementChild,
      End: row.parentElement.lastElementChild,
    }[key];
    if (next === undefined) return;
    event.preventDefault();
    next?.querySelector(`.${target.classList[0] ?? "task a"}`)?.focus();
  });

  // Reading goes on at the beginning of a task that is opened, at the row of one that is left, at the next row
  // when one is deleted, and where a dialog was opened when it closes.
  const task = () => document.querySelector("#save-form")?.elements.id.value;
  let [shown, row, place, opener] = [task(), null, 0, null];

  document.addEventListener("focusin", ({ target }) => {
    row = target.closest(".task");
    place = row ? [...row.parentElement.children].indexOf(row) : 0;
    if (target.id && !target.closest("dialog")) opener = target.id;
  });

  function heir() {
    const rows = [...document.querySelectorAll(".task")];
    const start = document.querySelector("h1");
    if (task() !== shown) {
      const left = shown;
      shown = task();
      if (shown) return document.querySelector(location.pathname === "/new" ? "#name" : "#heading");
      const home = rows.find((row) => row.querySelector("[name=id]").value === left);
      return home?.querySelector("a") ?? start;
    }
    if (document.activeElement !== document.body) return null;
    if (!row || row.isConnected) return document.querySelector(`#${opener}:enabled`) ?? start;
    return rows[Math.min(place, rows.length - 1)]?.querySelector(".delete") ?? start;
  }

  new MutationObserver(() => {
    attend();
    heir()?.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
  attend();
})();
