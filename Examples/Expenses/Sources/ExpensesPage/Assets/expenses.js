// SPDX-License-Identifier: MIT
"use strict";

// What a page can't say in HTML: today as the first choice of a day, a search while one types, keys that undo, and a
// chart. The app is used without this script, too.
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

  // Draws a table of months as bars, and leaves the table to those who don't see bars. What is in the element belongs
  // to this script; the page says when the server draws another table.
  customElements.define("month-chart", class extends HTMLElement {
    connectedCallback() {
      if (!this.querySelector("svg")) this.draw(this.querySelector("table"));
    }

    draw(table) {
      const rows = [...table.querySelectorAll("tr")].map(({ dataset, cells }) =>
        ({ month: dataset.month, cents: Number(dataset.cents), says: `${cells[0].textContent}: ${cells[1].textContent}` }));
      const [width, height, highest] = [22, 64, Math.max(1, ...rows.map(({ cents }) => cents))];
      const chart = make("svg", { viewBox: `0 0 ${width * rows.length} ${height + 24}`, "aria-hidden": "true" });
      for (const [at, { month, cents, says }] of rows.entries()) {
        const [middle, tall] = [width * (at + 0.5), Math.max((cents / highest) * height, cents > 0 ? 2 : 0)];
        const bar = make("g", at === rows.length - 1 ? { class: "newest" } : {});
        const box = { x: middle - 7, y: 10 + height - tall, width: 14, height: tall, rx: 3 };
        bar.append(make("title", {}, says), make("rect", box));
        if (cents > 0) bar.append(make("text", { x: middle, y: 7 + height - tall }, short(cents)));
        bar.append(make("text", { class: "month", x: middle, y: height + 21 }, month));
        chart.append(bar);
      }
      table.classList.add("unseen");
      this.replaceChildren(chart, table);
    }
  });

  function make(name, attributes, text = "") {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
    element.textContent = text;
    return element;
  }

  // An amount in three characters or four: 830, 1.2k, 14k.
  function short(cents) {
    const units = cents / 100;
    if (units < 999.5) return String(Math.round(units));
    const thousands = units / 1_000;
    return thousands < 999.5 ? `${thousands < 9.95 ? thousands.toFixed(1) : Math.round(thousands)}k` : `${Math.round(thousands / 1_000)}M`;
  }

  onward.watch("month-chart", { updated: (chart, drawn) => chart.draw(drawn.querySelector("table")) });

  document.documentElement.classList.add("scripted");
})();
