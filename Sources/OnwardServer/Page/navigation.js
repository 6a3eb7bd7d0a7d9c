// SPDX-License-Identifier: MIT
"use strict";

// Keeps the address bar and the browser's history in step with where the state says this tab is.
// Without this script links and forms load the same screens from the same URLs.
const onwardNavigation = (send) => {
  const page = onwardDOM.documentElement(document);
  const urls = onwardDOM.currentScript(document).dataset.routes; // where a link to this document leads
  const tab = crypto.getRandomValues(new BigUint64Array(2)).join("-");
  const here = () => location.pathname + location.search;
  // A path that begins with two slashes names another host when it stands by itself.
  const address = (path) => location.origin + path;

  // Each entry of the history knows its position and the URLs of this page's entries up to it, as
  // many as browsers keep.
  let entry = history.state?.trail ? history.state : { at: 0, trail: [here()] };
  history.replaceState(entry, "");
  let [shown, newest, drawn] = [urls.split(" "), { version: -1 }, here()];
  let [unanswered, isReturning, hasMoved, waiting] = [0, false, false, []];
  let [goal, isLeaving] = ["", false]; // where the last move leads; whether the document is left
  let isQuery = false; // whether a form asked for it, which shows what was asked
  // Whether the reader asked for the move that is under way, and the last touch of a field before the last such move:
  // what is typed after it is for the next screen.
  let [isAsked, asked] = [false, 0];
  let anchor = { url: "", hash: "" }; // the part of a screen that a link led to

  onwardForms.showQuery("data-route", { isStart: true });

  // Where each entry was scrolled to. Screens are drawn later than the browser scrolls, so it doesn't;
  // but it does when it loads the document again.
  const scrolls = new Map();
  const leave = () => scrolls.set(entry.at, [scrollX, scrollY]);
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => (history.scrollRestoration = "auto"));
  addEventListener("pageshow", ({ persisted }) => {
    history.scrollRestoration = "manual";
    if (persisted) isLeaving = false;
  });

  // Sends a move; what comes down meanwhile waits, because it may be older than the move.
  async function go(move, route) {
    const from = here();
    if (move !== "open") [goal, isAsked, asked] = [route, true, onwardForms.lastTouch()];
    if (isLeaving) return load();
    unanswered += 1;
    const answer = await send(address(from), { move, route });
    unanswered -= 1;
    if (isLeaving) return;
    // Refused, as when the visit has ended: the document at the URL is loaded.
    if (answer && !answer.result && move !== "open") return location.assign(address(route));
    follow(answer?.tab ?? newest);
    arrive();
    if (unanswered) return;
    goal = "";
    draw();
  }

  // Loads the document again: where the reader is, or was about to go.
  function load() {
    isLeaving = true;
    if (goal && goal !== here()) location.assign(address(goal));
    else location.replace(address(here()));
  }

  // A link or a form with `data-route="replace"` goes there in place of where the reader is: Back leads past it.
  function ask(url, asker) {
    anchor = { url: url.pathname + url.search, hash: url.hash };
    isQuery = asker instanceof HTMLFormElement;
    go(onwardDOM.getAttribute(asker, "data-route") === "replace" ? "replace" : "push", anchor.url);
  }

  function draw() {
    for (const screen of waiting.splice(0)) screen();
  }

  function write(method, at, trail, url) {
    entry = { at, trail: trail.slice(-50) };
    history[method](entry, "", url);
  }

  // Takes a place: the URLs from the first screen to what is shown on top of it.
  function follow(place) {
    if (place.version >= newest.version) newest = place;
    if (unanswered || isReturning || !newest.routes) return;
    const { routes, title } = newest;
    const [url, { at, trail }] = [routes.at(-1), entry];
    const growth = routes.length - shown.length;
    shown = routes;
    Object.getOwnPropertyDescriptor(Document.prototype, "title").set.call(document, title);
    if (url === here()) return;
    const before = trail.slice(0, -1).lastIndexOf(url);
    hasMoved = true;
    leave();
    if (growth > 0) {
      for (const next of routes.slice(-growth)) {
        const hash = next === anchor.url ? anchor.hash : "";
        write("pushState", entry.at + 1, [...entry.trail, next], next + hash);
      }
      scrolls.delete(entry.at);
    } else if (growth < 0 && before >= 0) {
      isReturning = true;
      return history.go(before - trail.length + 1);
    } else {
      write("replaceState", at, trail.toSpliced(-1, 1, url), url);
      scrolls.delete(at);
    }
  }

  addEventListener("popstate", () => {
    const last = entry;
    leave();
    if (history.state?.trail) entry = history.state;
    // A link to a part of this screen has made an entry by itself, and scrolls there.
    else return write("replaceState", last.at + 1, [...last.trail, here()], location.href);
    if (isReturning) {
      isReturning = false;
      follow(newest);
    } else if (here() !== (goal || newest.routes?.at(-1))) {
      [hasMoved, isQuery] = [true, false];
      go(entry.at < last.at ? "back" : "forward", here());
    } else {
      scroll();
    }
  });

  addEventListener("click", (event) => {
    const url = onwardForms.destination(event, "data-route");
    if (!url || (url.hash && url.pathname + url.search === here())) return;
    event.preventDefault();
    ask(url, onwardDOM.closest(event.target, "a[data-route]"));
  });

  // A form that only asks, such as a search: its fields are the query of a route.
  addEventListener("submit", (event) => {
    const form = onwardForms.submission(event, "data-route", "get");
    if (!form) return;
    form.address.search = new URLSearchParams(form.fields);
    ask(form.address, form.form);
  });

  // Back to where an entry was; a new one begins at its part or at the top, its heading in view. A
  // dialog over a screen leaves that where it is.
  function scroll(start) {
    const known = scrolls.get(entry.at);
    if (!known && page.querySelector("dialog[open]")) return;
    const [left, top] = known ?? [0, 0];
    scrollTo({ left, top, behavior: "instant" });
    if (known) return;
    const part = findPart();
    const block = part ? "start" : "nearest";
    (part ?? start)?.scrollIntoView({ block, behavior: "instant" });
  }

  function findPart() {
    try {
      return page.querySelector(`#${CSS.escape(decodeURIComponent(location.hash.slice(1)))}`);
    } catch {
      return null; // the address has none
    }
  }

  // When the address and the screen are both there, a lost focus goes to the beginning.
  function arrive() {
    if (!hasMoved || drawn !== here()) return;
    hasMoved = false;
    if (!isQuery) onwardForms.showQuery("data-route", { since: asked, isAsked });
    [isQuery, isAsked] = [false, false];
    const start = onwardPatch.start();
    scroll(start);
    const focused = onwardDOM.activeElement(document);
    const isKept = focused && focused !== onwardDOM.body(document);
    if (start && !isKept) onwardPatch.focus(start);
  }

  return {
    load,
    tab,

    // A screen waits for its URL, so that going back leaves that screen. It doesn't wait
    // long: a server that is slow to answer may still send events.
    show(screen) {
      if (unanswered && !waiting.length) setTimeout(draw, 1_000);
      waiting.push(screen);
      if (!unanswered) draw();
    },

    // The screen comes in the same event, behind the place.
    follow(place) {
      drawn = place.routes.at(-1);
      follow(place);
      queueMicrotask(arrive);
    },

    // What a stream has to know of us.
    describe(parameters) {
      parameters.set("tab", tab);
      parameters.set("route", here());
    },

    // Reports to the state that this tab is there; one that it knows stays where it is.
    open() {
      newest = { version: -1 };
      go("open", here());
    },
  };
};
