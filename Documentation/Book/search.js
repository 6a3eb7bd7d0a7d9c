// SPDX-License-Identifier: MIT
"use strict";

// Looks for words in the pages, without a network: `bookIndex` comes with the book. Each word has to begin a word of a
// piece; what is in a title counts most.
(() => {
  const [input, status, list] = ["input", "p", "ol"].map((name) => document.querySelector(`.search ${name}`));
  const root = document.documentElement.dataset.root;
  const pieces = bookIndex.map(([title, where, url, text]) => ({
    title, where, url, name: title.toLowerCase(), text: `${title} ${text}`.toLowerCase(),
  }));
  const begins = (text, word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1])) return true;
    }
    return false;
  };

  // More where a word comes often, less where everything comes.
  const density = (text, word) =>
    0.5 + Math.min(text.split(word).length, 6) / 10 - Math.min(text.length / 10_000, 0.9);

  function score(piece, words) {
    let total = piece.name === words.join(" ") ? 8 : 0;
    for (const word of words) {
      if (begins(piece.name, word)) total += 4 - Math.min(piece.name.length / 60, 3);
      else if (piece.name.includes(word)) total += 1;
      else if (begins(piece.text, word)) total += density(piece.text, word);
      else return 0;
    }
    return total;
  }

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : pieces
      .map((piece) => ({ piece, score: score(piece, words) })).filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
    const many = found.length > 12 ? `The first 12 of ${found.length} places` : `${found.length} places`;
    status.textContent = words.length === 0 ? "" : found.length === 1 ? "1 place" : many;
    list.replaceChildren(...found.slice(0, 12).map(({ piece }) => {
      const item = document.createElement("li");
      const link = item.appendChild(document.createElement("a"));
      link.href = root + piece.url;
      link.textContent = piece.title;
      link.appendChild(document.createElement("span")).textContent = piece.where;
      return item;
    }));
  }

  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.value = "";
    if (event.key === "Enter") list.querySelector("a")?.click();
    show();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea") || event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  input.closest("search").hidden = false;
  show();
})();
