// SPDX-License-Identifier: MIT
"use strict";

// Keeps a page as its server draws it: sends actions up, has changed fragments patched in.
// Without this script the same forms post, and the server redirects back to the page.
(() => {
  const page = onwardDOM.documentElement(document);
  const events = new URL(onwardDOM.currentScript(document).dataset.events, location.href);
  const visit = events.searchParams.get("visit");
  const navigation = typeof onwardNavigation === "function" ? onwardNavigation(send) : null;
  const show = navigation?.show ?? ((screen) => screen());

  // What is said to the reader: one line, one place. A sentence stays for as long as reading it
  // takes, and then until the reader's next action is done.
  const status = page.querySelector("[data-status]") ?? onwardDOM.createElement(document, "p");
  if (!status.parentNode) onwardDOM.body(document).append(status);
  status.setAttribute("role", "status");
  let [message, isConnected, readUntil, fading] = ["", true, 0, 0];

  function notify() {
    const text = [message, isConnected ? "" : "reconnecting…"].filter(Boolean).join(" ");
    if (status.textContent !== text) status.textContent = text;
  }

  function say(news) {
    clearTimeout(fading);
    message = news;
    readUntil = Date.now() + (news && 2_000 + 60 * news.length);
    notify();
  }

  function fade() {
    clearTimeout(fading);
    fading = setTimeout(say, readUntil - Date.now(), "");
  }

  say(status.textContent.trim());

  // Events come down.
  let [source, timer, delay] = [null, 0, 0]; // the timer watches over silence, or delays a try
  let isRough = false; // patching has failed, so nothing is kept

  function connect() {
    disconnect();
    navigation?.describe(events.searchParams);
    source = new EventSource(events);
    source.onopen = () => [alive(), navigation?.open()];
    source.onerror = reconnect;
    source.addEventListener("beat", alive);
    source.addEventListener("load", ({ data }) =>
      data ? load(message) : load("This page needs cookies to stay up to date.", false));
    source.onmessage = (event) => [alive(), show(() => receive(event))];
    timer = setTimeout(reconnect, 15_000); // a beat
  }

  function alive() {
    [isConnected, delay] = [true, 0];
    clearTimeout(timer);
    timer = setTimeout(reconnect, 45_000); // three of the server's beats
    notify();
  }

  function disconnect() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function reconnect() {
    disconnect();
    isConnected = false;
    notify();
    // A little later each time, and not all pages at the same moment.
    timer = setTimeout(connect, delay * (0.5 + Math.random()));
    delay = Math.min(Math.max(delay * 2, 250), 4_000);
  }

  function receive({ target, data, lastEventId }) {
    if (target !== source) return; // events of an earlier stream come again
    try {
      const lines = data.split("\n").map((line) => JSON.parse(line));
      for (const { tab } of lines) if (tab) navigation?.follow(tab);
      onwardPatch.apply(lines.filter(({ tab }) => !tab), isRough);
      events.searchParams.set("since", lastEventId); // the page we have: "epoch-version"
      isRough = false;
    } catch (error) {
      console.error(error);
      events.searchParams.delete("since"); // we have none: everything comes
      if (isRough) return say("This page can't be brought up to date. Please load it again.");
      isRough = true;
      connect();
    }
  }

  // The page was drawn for another visitor than the cookie names, so it is loaded again. If it was
  // loaded just now it waits a little, as the server may have restarted twice; but a browser that keeps
  // no cookies stops there, as it would load for ever.
  function load(reason, hasCookie = true) {
    disconnect();
    try {
      const pause = hasCookie ? 2_000 : 10_000;
      const rest = Number(sessionStorage.getItem("onward-load")) + pause - Date.now();
      if (rest > 0) {
        if (hasCookie) [isConnected, timer] = [false, setTimeout(connect, rest)];
        return say(reason);
      }
      sessionStorage.setItem("onward-load", Date.now());
    } catch {
      return say(reason); // there is no storage without cookies
    }
    if (navigation) navigation.load();
    else location.replace(location.pathname + location.search);
  }

  // The tabs of this browser. Of those opened at once it keeps one's cookie, and the others load again
  // to get it. It opens six connections to a site, of which each stream takes one: so of the hidden
  // tabs only those that were seen last keep theirs, and the others catch up later.
  const tabs = new BroadcastChannel("onward-tabs");
  const self = crypto.getRandomValues(new BigUint64Array(1)).join();
  const newer = new Set(); // tabs that were seen after this one
  const rest = () => document.hidden && newer.size >= 4 && disconnect();

  tabs.onmessage = ({ data }) => {
    if (data.visit && data.visit !== visit) return load(message);
    if (data.isGone) newer.delete(data.tab);
    else newer.add(data.tab);
    rest();
  };

  function beSeen() {
    newer.clear();
    tabs.postMessage({ tab: self });
    if (!source) connect();
  }

  tabs.postMessage({ tab: self, visit });
  addEventListener("visibilitychange", () => (document.hidden ? rest() : beSeen()));
  addEventListener("pagehide", () => [disconnect(), tabs.postMessage({ tab: self, isGone: true })]);
  addEventListener("pageshow", (event) => event.persisted && beSeen());

  // Actions go up.
  addEventListener("submit", (event) => {
    const form = onwardForms.submission(event, "data-action", "post");
    if (!form || onwardForms.isRepeated(form)) return;
    const finish = onwardForms.follow(form);
    send(form.address, onwardForms.values(form.fields))
      .then((answer) => finish(answer?.result === "dispatched"));
  });

  // Sent again with the same request id, an action is dispatched once: so trying again is safe.
  async function send(address, fields) {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    if (visit) headers["Onward-Visit"] = visit;
    const isReaders = fields.move !== "open";
    const isMove = isReaders && fields.move; // leads on to its URL, which is a document as well
    const request = crypto.getRandomValues(new BigUint64Array(2)).join("-");
    const body = JSON.stringify({ ...fields, request, tab: navigation?.tab });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      try {
        const signal = AbortSignal.timeout(15_000);
        const response = await fetch(address, { method: "POST", headers, body, signal });
        const answer = await response.json();
        if (answer.load && !isMove) load(answer.message);
        else if (isReaders && answer.message) say(answer.message);
        else if (isReaders) fade();
        if (!response.ok && isReaders && source) connect(); // the reason may be late
        return answer;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
      }
    }
    if (isReaders) say("That could not be sent. Please try again.");
  }

  connect();
})();
