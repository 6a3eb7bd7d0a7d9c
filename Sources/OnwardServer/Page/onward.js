// SPDX-License-Identifier: MIT
"use strict";

// Keeps a page as its server draws it: sends actions up, patches changed fragments in.
// Without this script the same forms post, and the server redirects back to the page.
(() => {
  const events = new URL(document.currentScript.dataset.events, location.href);
  const navigation = window.onwardNavigation?.(send); // where pages have routes
  const show = navigation?.show ?? ((screen) => screen());

  // What is said to the reader: one line, one place.
  const status = document.querySelector("[data-status]") ?? document.createElement("p");
  if (!status.parentNode) document.body.append(status);
  status.setAttribute("role", "status");
  let [message, connected] = ["", true];

  function say(news = message) {
    message = news;
    const text = connected ? message : "reconnecting…";
    if (status.textContent !== text) status.textContent = text;
  }

  // Events come down.
  let [source, timer, delay] = [null, 0, 0]; // the timer watches over silence, or delays a try

  function connect() {
    disconnect();
    navigation?.describe(events.searchParams);
    source = new EventSource(events);
    source.onopen = () => [alive(), navigation?.open()];
    source.onerror = reconnect;
    source.addEventListener("beat", alive);
    source.onmessage = (event) => [alive(), show(() => patchPage(event))];
  }

  function alive() {
    [connected, delay] = [true, 0];
    clearTimeout(timer);
    timer = setTimeout(reconnect, 45_000); // three of the server's beats
    say();
  }

  function disconnect() {
    clearTimeout(timer);
    source?.close();
  }

  function reconnect() {
    disconnect();
    connected = false;
    say();
    // A little later each time, and not all pages at the same moment.
    timer = setTimeout(connect, delay * (0.5 + Math.random()));
    delay = Math.min(Math.max(delay * 2, 250), 4_000);
  }

  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", (event) => event.persisted && connect());

  // Actions go up.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-action]")) return;
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form, event.submitter));
    send(form.getAttribute("action") ?? location.href, fields);
  });

  // Sent again with the same request id, an action is dispatched once: so trying again is safe.
  async function send(address, fields) {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const request = crypto.getRandomValues(new BigUint64Array(2)).join("-");
    const body = JSON.stringify({ ...fields, request, tab: navigation?.tab });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      try {
        const response = await fetch(address, { method: "POST", headers, body });
        const answer = await response.json();
        say(answer.message ?? "");
        if (!response.ok && fields.move !== "open") connect(); // why may not have come yet
        return answer;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
      }
    }
    say("That could not be sent. Please try again.");
  }

  // Keys press buttons, and a held key presses once (also Enter on a button that has the focus).
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.repeat && event.target.closest("[data-action] button")) event.preventDefault();
    if (event.repeat || event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Enter" && event.target.closest("a, button:enabled, summary")) return;
    const isMeant = (button) => button.dataset.key.toLowerCase() === event.key.toLowerCase();
    const button = [...document.querySelectorAll("button[data-key]:enabled")].find(isMeant);
    if (button) event.preventDefault();
    button?.click();
  });

  // Patches: what is equal stays untouched, and who has a name stays the same element.
  // (By attribute: a form's fields hide its properties of the same name.)
  const names = ["data-row", "id", "data-key"];
  const identity = (node) => names.map((name) => node.getAttribute?.(name)).find(Boolean) ?? "";
  const parse = (html) =>
    Object.assign(document.createElement("template"), { innerHTML: html }).content;
  const fragment = (key) => document.querySelector(`[data-fragment="${key}"]`);

  function patchPage({ target, data, lastEventId }) {
    if (target !== source) return; // what an earlier stream said comes again
    events.searchParams.set("since", lastEventId); // the page we have: "epoch-version"
    const focused = document.activeElement;
    for (const line of data.split("\n")) {
      const { tab, keys, key, tag = "div", html, rows } = JSON.parse(line);
      if (tab) navigation?.follow(tab);
      else if (keys) arrangeFragments(keys);
      else if (rows) patchRows(fragment(key), rows);
      else patchFragment(key, tag, html);
    }
    // Who was moved has lost it; who was replaced leaves it to the element of the same name.
    const name = CSS.escape(identity(focused));
    const heir = name && document.querySelector(`#${name}, [data-key=${name}]`);
    (focused.isConnected ? focused : heir)?.focus?.({ preventScroll: true });
  }

  function arrangeFragments(keys) {
    const all = [...document.querySelectorAll("[data-fragment]")];
    const home = all[0]?.parentNode ?? document.querySelector("main") ?? document.body;
    let previous = null;
    for (const key of keys) {
      const element = fragment(key) ?? document.createElement("div");
      element.dataset.fragment = key;
      // A layout may keep a fragment elsewhere: only what is new or beside its neighbour moves.
      const isNear = [null, previous?.parentNode].includes(element.parentNode);
      if (isNear && !previous) home.prepend(element);
      else if (isNear && previous.nextElementSibling !== element) previous.after(element);
      previous = element;
    }
    for (const element of all) if (!keys.includes(element.dataset.fragment)) element.remove();
  }

  function patchFragment(key, tag, html) {
    const old = fragment(key);
    const element = old.localName === tag ? old : document.createElement(tag);
    element.dataset.fragment = key;
    if (element !== old) old.replaceWith(element);
    patchChildren(element, parse(html));
  }

  // Each row that is named is gone, looks different, or stands behind another row now.
  function patchRows(list, rows) {
    const find = (row) => list.querySelector(`:scope > [data-row="${row}"]`);
    for (const { row, html, after } of rows) {
      const fresh = html && parse(html).firstElementChild;
      const element = find(row) ?? fresh;
      if (!fresh && after === undefined) element.remove();
      if (fresh && fresh !== element) patchNode(element, fresh);
      if (after === null) list.prepend(element);
      if (after) find(after).after(element);
    }
  }

  function patchChildren(old, fresh) {
    const named = new Map([...old.children].map((child) => [identity(child), child]));
    const wanted = new Set([...fresh.children].map(identity));
    let cursor = old.firstChild;
    const step = (node) => (cursor = node.nextSibling, node);
    for (const node of [...fresh.childNodes]) {
      const match = identity(node) ? named.get(identity(node)) : cursor;
      // What leaves goes first, so that what stays need not move (a moved element loses focus).
      while (match && cursor && cursor !== match && !wanted.has(identity(cursor) || cursor)) {
        step(cursor).remove();
      }
      const isSame = match?.nodeName === node.nodeName && identity(match) === identity(node);
      if (!isSame) old.insertBefore(node, cursor);
      else patchNode(match === cursor ? step(match) : old.insertBefore(match, cursor), node);
    }
    while (cursor) step(cursor).remove();
  }

  function patchNode(old, fresh) {
    if (old.isEqualNode(fresh)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) return void (old.nodeValue = fresh.nodeValue);
    const drawn = [old.defaultValue, old.defaultChecked];
    for (const { name, value } of [...fresh.attributes]) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      const isReaders = name === "open" && old.localName === "details";
      if (!fresh.hasAttribute(name) && !isReaders) old.removeAttribute(name);
    }
    patchChildren(old, fresh);
    // What a reader typed stays until the server draws another value, and never changes in hand.
    if (old === document.activeElement) return;
    if (drawn[0] !== fresh.defaultValue) old.value = fresh.defaultValue;
    if (drawn[1] !== fresh.defaultChecked) old.checked = fresh.defaultChecked;
  }

  connect();
})();
