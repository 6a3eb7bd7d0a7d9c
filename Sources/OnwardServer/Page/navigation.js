// SPDX-License-Identifier: MIT
"use strict";

// Keeps the address bar and the browser's history in step with where the state says this tab is.
// Without this script links and forms load the same screens from the same URLs.
window.onwardNavigation = (send) => {
  const urls = document.currentScript.dataset.routes; // where a link to this document leads
  const tab = crypto.getRandomValues(new BigUint64Array(2)).join("-");
  const here = () => location.pathname + location.search;

  // Each entry of the history knows its position and the URLs of this page's entries up to it, as
  // many as browsers keep.
  const entry = () => (history.state?.trail ? history.state : { at: 0, trail: [here()] });
  let [position, shown, newest] = [entry().at, urls.split(" "), { version: -1 }];
  let [unanswered, isReturning, hasMoved, drawn, waiting] = [0, false, false, here(), []];
  let turn = Promise.resolve(); // requests overtake each other, moves must not

  // Goes up; what comes down meanwhile waits, because it may be older than where we went.
  async function go(move, route) {
    const from = here();
    unanswered += 1;
    turn = turn.then(() => send(from, { move, route }));
    const answer = await turn;
    unanswered -= 1;
    // Refused, as when the visit has ended: the document at the URL begins anew.
    if (answer && !answer.result && move !== "open") return location.assign(route);
    follow(answer?.tab ?? newest);
    arrive();
    if (!unanswered) draw();
  }

  function draw() {
    for (const screen of waiting.splice(0)) screen();
  }

  // Comes down: the URLs from the first screen to what is shown on top of it.
  function follow(place) {
    if (place.version >= newest.version) newest = place;
    if (unanswered || isReturning || !newest.routes) return;
    const { routes, title } = newest;
    const [url, { at, trail }] = [routes.at(-1), entry()];
    const growth = routes.length - shown.length;
    shown = routes;
    document.title = title;
    if (url === here()) return;
    const before = trail.slice(0, -1).lastIndexOf(url);
    hasMoved = true;
    if (growth > 0) {
      for (const next of routes.slice(-growth)) {
        const now = entry();
        history.pushState({ at: now.at + 1, trail: [...now.trail, next].slice(-50) }, "", next);
      }
    } else if (growth < 0 && before >= 0) {
      isReturning = true;
      return history.go(before - trail.length + 1);
    } else {
      history.replaceState({ at, trail: trail.toSpliced(-1, 1, url) }, "", url);
    }
    position = entry().at;
  }

  addEventListener("popstate", () => {
    const move = entry().at < position ? "back" : "forward";
    position = entry().at;
    if (isReturning) {
      isReturning = false;
      follow(newest);
    } else if (here() !== newest.routes?.at(-1)) {
      hasMoved = true;
      go(move, here());
    }
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-route]");
    if (!link || event.defaultPrevented || event.button) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go("push", link.pathname + link.search);
  });

  // A form that asks, as one for searching: its fields are the query of a route.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-route]")) return;
    event.preventDefault();
    const path = new URL(form.getAttribute("action") ?? "", location).pathname;
    go("push", `${path}?${new URLSearchParams(new FormData(form, event.submitter))}`);
  });

  // When the address and the screen are both there, who lost the focus finds it at the beginning.
  function arrive() {
    if (!hasMoved || drawn !== here()) return;
    hasMoved = false;
    const candidates = ["[data-start]", "h1", "main"].map((name) => document.querySelector(name));
    const start = candidates.find(Boolean);
    if (!start || document.activeElement !== document.body) return;
    start.tabIndex = -1;
    start.focus({ preventScroll: true });
  }

  return {
    tab,

    // A screen that is seen has its URL already, so that whoever goes back leaves that screen. It
    // doesn't wait long: a server that is slow to answer may still have news.
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

    // Tells the state that this tab is there; one that it knows stays where it is.
    open() {
      newest = { version: -1 };
      go("open", here());
    },
  };
};
