// SPDX-License-Identifier: MIT
"use strict";

// What a browser alone can do: keys that follow links, a slider that is dragged, entries that are, files that are read, a search while
// one types, a question that keeps the focus, and an entry that is chosen coming into view.
(() => {
  const page = document.documentElement;
  const isField = (target) => target.closest?.("input, textarea, select, [contenteditable]");

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isField(event.target) || page.dataset.shortcuts === "off" || document.querySelector("dialog[open]")) return;
    const name = CSS.escape(event.key);
    const field = document.querySelector(`[data-focus="${name}"]`);
    const link = document.querySelector(`a[data-hotkey="${name}"]`);
    if (!field && !link) return;
    event.preventDefault();
    field?.focus();
    link?.click();
  });

  // While the slider is dragged the newest place counts; the next is sent when the last one has been.
  let waiting = 0;
  addEventListener("input", ({ target }) => {
    if (!target.matches?.("[data-slide]") || waiting) return;
    waiting = setTimeout(() => {
      waiting = 0;
      target.form?.requestSubmit();
    }, 60);
  });

  // What is typed is looked for when one has typed it, or with Enter at once.
  let typing = 0;
  addEventListener("input", ({ target }) => {
    if (!target.matches?.("[data-typed]")) return;
    clearTimeout(typing);
    typing = setTimeout(() => target.form?.requestSubmit(), 200);
  });
  addEventListener("submit", () => clearTimeout(typing), true);

  // A filter that is chosen holds at once.
  addEventListener("change", ({ target }) => {
    if (target.matches?.(".filter select, .filter [type=checkbox], [data-choose]")) target.form.requestSubmit();
    if (target.matches?.("[data-import]")) send(target);
  });

  addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy]");
    if (!button) return;
    const status = document.querySelector("[data-status]");
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      status.textContent = "Copied.";
    } catch {
      status.textContent = "The browser does not let a page copy. Select the text instead.";
    }
  });

  // An entry that is dragged onto another one runs before it, or after it where it is dropped below its middle.
  let dragged = null;
  const entryAt = (target) => target.closest?.(".entry");
  const mark = (row, isBelow) => {
    for (const other of document.querySelectorAll(".entry[data-drop]")) if (other !== row) delete other.dataset.drop;
    if (row) row.dataset.drop = isBelow ? "below" : "above";
  };
  const isBelow = ({ clientY }, row) => {
    const { top, height } = row.getBoundingClientRect();
    return clientY > top + height / 2;
  };
  const number = (row) => Number(row.querySelector(".id").textContent);

  addEventListener("dragstart", (event) => {
    dragged = entryAt(event.target) ? number(entryAt(event.target)) : null;
    if (dragged !== null) event.dataTransfer.effectAllowed = "move";
  });
  addEventListener("dragend", () => mark(dragged = null));
  addEventListener("dragover", (event) => {
    const row = dragged !== null && entryAt(event.target);
    mark(row, row && isBelow(event, row));
    if (row) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    const row = dragged !== null && entryAt(event.target);
    if (!row) return;
    event.preventDefault();
    const next = isBelow(event, row) ? row.nextElementSibling : row;
    // No entry has so high a number: it means the end.
    const before = next ? number(next) : 2 ** 52;
    if (before !== dragged) move(dragged, before);
    mark(null);
  });

  function move(entry, before) {
    const form = document.getElementById("move");
    form.elements.entry.value = entry;
    form.elements.before.value = before;
    form.requestSubmit();
  }

  async function send(field) {
    const [file] = field.files;
    if (!file) return;
    const status = document.querySelector("[data-status]");
    try {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(field.dataset.import, { method: "POST", headers, body: file });
      const { message } = await answer.json();
      status.textContent = answer.ok ? `${file.name} is shown.` : message;
    } catch {
      status.textContent = `${file.name} could not be sent.`;
    }
    field.value = "";
  }

  // A question comes open, for browsers without script; here it becomes a modal one. Escape says what its button with `data-cancel`
  // does, and then the focus is where it was before.
  let opener = null;
  function attend() {
    const asked = document.querySelector("dialog");
    if (asked && !asked.matches(":modal")) {
      opener = document.activeElement?.id || null;
      asked.close();
      asked.showModal();
    } else if (!asked && opener) {
      document.getElementById(opener)?.focus({ preventScroll: true });
      opener = null;
    }
  }

  addEventListener("cancel", (event) => {
    if (!event.target.matches?.("dialog")) return;
    event.preventDefault();
    event.target.querySelector("[data-cancel]").click();
  }, true);

  // A link that filters the list leads to it: to its chosen entry, or to its last one.
  let left = null;
  addEventListener("click", ({ target }) => (left = target.closest?.("[data-leads=list]") ? location.href : null));

  function lead() {
    if (left === null || left === location.href) return;
    left = null;
    const row = document.querySelector(".entry.selected a") ?? document.querySelector(".entry:last-child a");
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }

  new MutationObserver(() => {
    attend();
    lead();
    const chosen = document.querySelector(".entry.selected");
    if (!chosen || chosen.dataset.row === page.dataset.chosen) return;
    page.dataset.chosen = chosen.dataset.row;
    chosen.scrollIntoView({ block: "nearest" });
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
  attend();
})();
