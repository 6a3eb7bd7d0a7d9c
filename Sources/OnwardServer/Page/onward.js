// SPDX-License-Identifier: MIT
"use strict";

// Keeps a page as its server draws it: sends actions up, patches changed fragments in.
// Without this script the same forms post, and the server redirects back to the page.
(() => {
  const silence = 45_000; // longer than three of the server's beats
  const events = new URL(document.currentScript.dataset.events, location.href);
  let known = events.searchParams.get("since"); // the page we have: "epoch-version"

  // What is said to the reader: one line, one place.
  const status = document.querySelector("[data-status]") ?? document.createElement("p");
  if (!status.parentNode) document.body.append(status);
  status.setAttribute("role", "status");
  let message = "";
  let connected = true;

  function say() {
    const text = connected ? message : "reconnecting…";
    if (status.textContent !== text) status.textContent = text;
  }

  // Events come down.
  let source = null;
  let [timer, delay] = [0, 0]; // the timer watches over silence, or waits for the next try

  function connect() {
    events.searchParams.set("since", known);
    source = new EventSource(events);
    source.onopen = alive;
    source.onerror = reconnect;
    source.addEventListener("beat", alive);
    source.onmessage = (event) => {
      alive();
      known = event.lastEventId;
      patchPage(event.data.split("\n").map((line) => JSON.parse(line)));
    };
  }

  function alive() {
    connected = true;
    delay = 0;
    clearTimeout(timer);
    timer = setTimeout(reconnect, silence);
    say();
  }

  function disconnect() {
    clearTimeout(timer);
    source.close();
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
    const data = new FormData(form);
    if (event.submitter?.name) data.set(event.submitter.name, event.submitter.value);
    const fields = { ...Object.fromEntries(data), request: requestID() };
    send(form.getAttribute("action") ?? location.pathname, fields);
  });

  // Sent again with the same request id, an action is dispatched once: so trying again is safe.
  async function send(address, fields) {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(fields) };
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      try {
        const response = await fetch(address, request);
        const answer = await response.json();
        message = response.ok ? "" : answer.message;
        if (answer.lines && !isOlder(answer.id)) patchPage(answer.lines);
        return say();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
      }
    }
    message = "That could not be sent. Please try again.";
    say();
  }

  // Whether events have brought a newer page than `id`, or one of another life of the server.
  function isOlder(id) {
    const [[epoch, version], [ourEpoch, ourVersion]] = [id.split("-"), known.split("-")];
    return epoch !== ourEpoch || BigInt(version) < BigInt(ourVersion);
  }

  function requestID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Keys press buttons, and a held key presses once (also Enter on a button that has the focus).
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.repeat) return void (target.closest("[data-action] button") && event.preventDefault());
    if (target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Enter" && target.closest("a, button:enabled, summary")) return;
    for (const button of document.querySelectorAll("button[data-key]:enabled")) {
      if (button.dataset.key.toLowerCase() !== event.key.toLowerCase()) continue;
      event.preventDefault();
      return button.click();
    }
  });

  // Patches: what is equal stays untouched, and who has an id or a data-key stays the same element.
  // (By attribute: a form's fields hide its properties of the same name.)
  const identity = (node) => node.getAttribute?.("id") || node.getAttribute?.("data-key") || "";
  const fragment = (key) => document.querySelector(`[data-fragment="${key}"]`);

  function patchPage(lines) {
    const focused = document.activeElement;
    for (const { keys, key, html } of lines) {
      if (keys) arrangeFragments(keys);
      else patchFragment(key, html);
    }
    if (document.activeElement === focused || !identity(focused)) return;
    // It was moved or replaced: the element of the same name takes its place.
    const name = CSS.escape(identity(focused));
    document.querySelector(`#${name}, [data-key=${name}]`)?.focus({ preventScroll: true });
  }

  function arrangeFragments(keys) {
    const all = [...document.querySelectorAll("[data-fragment]")];
    const home = all[0]?.parentNode ?? document.querySelector("main") ?? document.body;
    let previous = null;
    for (const key of keys) {
      const element = fragment(key) ?? document.createElement("div");
      element.dataset.fragment = key;
      // A layout may keep a fragment elsewhere: only what is new or beside its neighbour moves.
      if (!previous && !element.parentNode) home.prepend(element);
      else if (previous && [null, previous.parentNode].includes(element.parentNode)) {
        if (previous.nextElementSibling !== element) previous.after(element);
      }
      previous = element;
    }
    for (const element of all) if (!keys.includes(element.dataset.fragment)) element.remove();
  }

  function patchFragment(key, html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    patchChildren(fragment(key), template.content);
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
      if (match?.nodeName === node.nodeName && identity(match) === identity(node)) {
        patchNode(match === cursor ? step(match) : old.insertBefore(match, cursor), node);
      } else {
        old.insertBefore(node, cursor);
      }
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
