// SPDX-License-Identifier: MIT
"use strict";

// Keeps a page as its server draws it: sends actions up, has changed fragments patched in.
// Without this script the same forms post, and the server redirects back to the page.
(() => {
  const page = onwardDOM.documentElement(document);
  const events = new URL(onwardDOM.currentScript(document).dataset.events, location.href);
  const visit = events.searchParams.get("visit");
  const navigation = typeof onwardNavigation === "function" ? onwardNavigation(send) : null;
  const uploads = typeof onwardUploads === "object" ? onwardUploads : null;
  const show = navigation?.show ?? ((screen) => screen());

  // What is said to the reader: one line, one place. A sentence stays for as long as reading it
  // takes, and then until the reader's next action is done.
  const status = page.querySelector("[data-status]") ?? onwardDOM.createElement(document, "p");
  if (!status.parentNode) onwardDOM.body(document).append(status);
  status.setAttribute("role", "status");
  let [message, notice, isConnected, readUntil, fading] = ["", "", true, 0, 0];
  const line = document.createTextNode("");
  const choices = [["Put back", (offer) => offer.putBack()], ["Discard", (offer) => offer.discard()]].map(choice);

  // A button of the status line, for an entry that was refused.
  function choice([name, choose]) {
    const button = Object.assign(onwardDOM.createElement(document, "button"), { type: "button", textContent: name });
    button.addEventListener("click", () => {
      const offer = onwardForms.offered();
      if (offer) choose(offer);
      say(""); // its sentence has been read
    });
    return button;
  }

  function showStatus() {
    const offer = onwardForms.offered();
    const own = message === notice ? "" : message; // the document may say what the stream says
    const text = [offer?.text ?? own, notice, isConnected ? "" : "reconnecting…"].filter(Boolean).join(" ");
    if (line.data !== text) line.data = text;
    const buttons = offer ? choices.slice(offer.putBack ? 0 : 1) : [];
    const isShown = status.childNodes.length === 1 + 2 * buttons.length && buttons.every((button) => button.parentNode);
    if (!isShown) status.replaceChildren(line, ...buttons.flatMap((button) => [" ", button]));
  }

  addEventListener("onward-offer", showStatus);

  function say(news) {
    clearTimeout(fading);
    message = news;
    readUntil = performance.now() + (news && 2_000 + 60 * news.length);
    showStatus();
  }

  function fade() {
    clearTimeout(fading);
    fading = setTimeout(say, readUntil - performance.now(), "");
  }

  say(status.textContent.trim());

  // Events come down.
  let [source, timer] = [null, 0]; // the timer watches over silence, or delays a try
  let [tries, crowd] = [0, 0]; // since the last sign of life; how many others read this page, if they are many
  let hasReturned = false; // whether this stream is the first one after the server was gone
  let [isRough, isPaused] = [false, false]; // patching has failed, so nothing is kept; no stream is open

  function connect() {
    disconnect();
    navigation?.describe(events.searchParams);
    source = new EventSource(events);
    source.onopen = () => [(notice = ""), welcome(), alive(), navigation?.open()];
    source.onerror = reconnect;
    source.addEventListener("beat", ({ data }) => [(crowd = Number(data)), alive(), pause()]);
    source.addEventListener("notice", ({ data }) => [(notice = data), alive()]); // until the next one, or stream
    source.addEventListener("load", ({ data }) =>
      data ? load(message) : load("This page needs cookies to stay up to date.", false));
    source.onmessage = (event) => [alive(), show(() => receive(event)), pause()];
    timer = setTimeout(reconnect, 15_000); // a beat
  }

  function alive() {
    [isConnected, tries] = [true, 0];
    clearTimeout(timer);
    timer = setTimeout(reconnect, 45_000); // three of the server's beats
    showStatus();
  }

  function disconnect() {
    clearTimeout(timer);
    source?.close();
    [source, isPaused] = [null, false];
  }

  // A window that is one too many asks now and then, instead of keeping a connection.
  function pause() {
    if (!source || document.hidden || !isOneTooMany()) return;
    source.close();
    isPaused = true;
    clearTimeout(timer);
    timer = setTimeout(connect, 3_000 * (0.5 + Math.random()));
  }

  // Somebody who sees the page sees it live within a second of the server's return, unless so many do that they
  // would keep it from that. A page that nobody sees tries a little later each time.
  function reconnect() {
    disconnect();
    isConnected = false;
    showStatus();
    const spread = Math.max(crowd / 200, 1);
    const pause = document.hidden ? Math.min(250 * 2 ** tries, 4_000) : 500;
    const isFirst = tries === 0 && spread === 1;
    tries += 1;
    timer = setTimeout(connect, isFirst ? 0 : spread > 1 ? 2 * pause * spread * Math.random() : pause * (0.8 + 0.4 * Math.random()));
  }

  // Says that the page is live again, if it wasn't for more than a moment; so does the page that is loaded in its place.
  function welcome() {
    hasReturned = tries > 1;
    if (!hasReturned || message) return;
    say("This page is live again.");
    fade();
  }

  addEventListener("online", () => source || connect());

  function receive({ target, data, lastEventId }) {
    if (target !== source) return; // events of an earlier stream come again
    try {
      const lines = data.split("\n").map((line) => JSON.parse(line));
      for (const { tab } of lines) if (tab) navigation?.follow(tab);
      onwardPatch.apply(lines.filter(({ tab }) => !tab), isRough);
      events.searchParams.set("since", lastEventId); // the page we have: "epoch-version"
      isRough = false;
      onwardForms.showMistakes();
      showStatus();
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
      if (rest > 0 && rest <= pause) { // unless the clock was set back
        if (hasCookie) [isConnected, timer] = [false, setTimeout(connect, rest)];
        return say(reason);
      }
      sessionStorage.setItem("onward-load", Date.now());
      if (hasReturned) sessionStorage.setItem("onward-returned", 1);
    } catch {
      return say(reason); // there is no storage without cookies
    }
    if (navigation) navigation.load();
    else location.replace(location.href.replace(/#.*/, "")); // with a part it would only go there
  }

  // The tabs of this browser. Of those opened at once it keeps one's cookie, and the others load again
  // to get it. It opens six connections to a site, of which each stream takes one: so only those that
  // were seen last keep theirs. Of the others the hidden ones catch up later, and those in windows of their own
  // ask now and then. Over HTTP/2 and 3 all of them share one; there a visitor's streams are what is counted.
  const tabs = new BroadcastChannel("onward-tabs");
  const self = crypto.getRandomValues(new BigUint64Array(1)).join();
  const newer = new Set(); // tabs that were seen after this one
  const [loading] = performance.getEntriesByType("navigation");
  const most = /^h[23]/.test(loading?.nextHopProtocol) ? 24 : 4;
  const isOneTooMany = () => newer.size >= most;
  const rest = () => (document.hidden && isOneTooMany() ? disconnect() : pause());

  tabs.onmessage = ({ data }) => {
    if (data.visit && data.visit !== visit) return load(message);
    if (data.isGone) {
      newer.delete(data.tab);
      setTimeout(resume, 5_000); // what it has left, unless its tab's next page was there before
    } else {
      newer.add(data.tab);
    }
    rest();
  };

  function beSeen() {
    newer.clear();
    tabs.postMessage({ tab: self });
    if (!source || isPaused) connect();
  }

  tabs.postMessage({ tab: self, visit });
  addEventListener("visibilitychange", () => (document.hidden ? rest() : beSeen()));
  addEventListener("focus", () => document.hidden || beSeen());
  addEventListener("pagehide", () => [disconnect(), tabs.postMessage({ tab: self, isGone: true })]);
  addEventListener("pageshow", ({ persisted }) => persisted && [forget(kept), beSeen()]);

  // Actions go up in the order in which the reader did them, moves and posts alike: one request at a time,
  // and what has gathered meanwhile goes together in the next. Each has a number of this page, by which
  // the server knows one that comes late, and a request id: sent again, it is dispatched once.
  addEventListener("submit", (event) => {
    const form = onwardForms.submission(event, "data-action", "post");
    if (!form || onwardForms.isRepeated(form)) return;
    const { values, upload } = uploads?.read(form) ?? { values: onwardForms.values(form.fields) };
    const finish = onwardForms.follow(form);
    send(form.address, values, upload).then((answer) => {
      upload?.end();
      if (finish(answer)) say(""); // it is said beside the field
      else showStatus();
    });
  });

  const sender = name();
  const kept = `onward-unsent ${sender}`; // where it is kept when the page is left
  const unsent = []; // what isn't answered yet, the first one first
  const patience = 60_000; // for so long a post is tried again, as while a server is deployed
  const anew = () => ({ tries: 0, since: performance.now() });
  let [number, isSending] = [0, false];

  function name() {
    return crypto.getRandomValues(new BigUint64Array(2)).join("-");
  }

  // It ends with the version of the page, behind which alone it can have been done.
  function request() {
    const version = events.searchParams.get("since")?.split("-").pop();
    return version ? `${name()}-v${version}` : name();
  }

  // The answer to what a reader asks for; undefined when there was none.
  function send(address, fields, upload = null) {
    const own = navigation ? { request: request(), tab: navigation.tab } : { request: request() };
    const body = JSON.stringify({ ...fields, ...own });
    return new Promise((settle) => {
      number += 1;
      const move = fields.type ? undefined : fields.move; // an action may have a field of that name
      unsent.push({ address: `${address}`, body, upload, move, sender, number, ...anew(), settle });
      sendAll();
    });
  }

  async function sendAll() {
    if (isSending) return;
    isSending = true;
    while (unsent.length) {
      const posts = gather();
      const answers = await exchange(posts);
      for (const [position, answer] of answers.entries()) finish(posts[position], answer);
      // The reason may be late.
      if (source && answers.some((answer, at) => isReaders(posts[at]) && !answer?.result)) connect();
    }
    isSending = false;
  }

  // What can go in one request: from one address, with numbers that follow each other, and not too much; with files
  // only one.
  function gather() {
    const [{ address, sender, number, upload }] = unsent;
    if (upload) return [unsent[0]];
    let size = 0;
    const end = unsent.findIndex((post, at) => {
      size += post.body.length;
      const follows = post.sender === sender && post.number === number + at && post.address === address;
      return at > 0 && (!follows || post.upload || at >= 32 || size > 16_000);
    });
    return unsent.slice(0, end < 0 ? unsent.length : end);
  }

  // Sends posts, and waits where that failed: an answer for each; none of them when it is to be tried again,
  // undefined for those that were tried often enough.
  async function exchange(posts) {
    const [first] = posts;
    const { address, sender, number, upload } = first;
    if (upload?.isCancelled) return [{ result: "cancelled", message: "Cancelled: nothing was sent." }];
    const headers = {
      "Content-Type": "application/json", Accept: "application/json", "Onward-Order": `${sender}/${number}`,
    };
    if (visit) headers["Onward-Visit"] = visit;
    const bodies = posts.map((post) => post.body);
    const body = bodies.length > 1 ? `[${bodies}]` : bodies[0];
    for (const post of posts) {
      if (!post.tries) post.since = performance.now(); // what it waits behind may take long
      post.tries += 1;
    }
    let isLast = performance.now() - first.since > patience;
    const advance = () => [first.since, isLast] = [performance.now(), false];
    let pause = Math.min(500 * posts[0].tries, 5_000);
    try {
      const signal = AbortSignal.timeout(15_000);
      // A browser finishes it even when the page is left; it takes no more than 64 KiB in that way.
      const keepalive = body.length < 20_000;
      const response = upload ? await upload.send(address, headers, body, advance)
        : await fetch(address, { method: "POST", headers, body, signal, keepalive });
      const answer = await response.json();
      const later = response.status === 503 && Number(response.headers.get("Retry-After"));
      if (!later || isLast) return Array.isArray(answer) ? answer : posts.map(() => answer);
      pause = Math.min(later, 30) * 1_000 * (0.5 + Math.random());
    } catch {
      if (isLast && !upload?.isCancelled) return [undefined];
    }
    if (upload?.isCancelled) return [];
    await new Promise((resolve) => setTimeout(resolve, pause));
    return [];
  }

  const isReaders = ({ move }) => move !== "open";
  const uncertain = "The files were sent, but no answer came. Please look whether that was done.";

  function finish(post, answer) {
    unsent.splice(unsent.indexOf(post), 1);
    const isMove = isReaders(post) && post.move; // leads on to its URL, which is a document as well
    if (answer?.load && !isMove) load(answer.message);
    else if (isReaders(post) && !answer) say(post.upload?.wasComplete ? uncertain : "That could not be sent. Please try again.");
    else if (isReaders(post) && answer.message) say(answer.message);
    else if (isReaders(post)) fade();
    post.settle(answer);
  }

  // What isn't answered when the page is left, or its tab is closed, is sent by the next page of this
  // browser. Where a move would have led is where the reader is then.
  addEventListener("pagehide", () => {
    // Files aren't kept: of them only the sentence about what became of them is.
    const [file] = unsent.filter(({ upload }) => upload);
    const loss = file && (file.upload.wasComplete ? uncertain : "The page was left before the files were sent. They were not.");
    const posts = unsent.filter(({ move, upload }) => !move && !upload)
      .map(({ address, body, sender, number }) => ({ address, body, sender, number }));
    try {
      if (posts.length || loss) localStorage.setItem(kept, JSON.stringify({ visit, posts, loss, at: Date.now() }));
    } catch {
      // There is no storage without cookies.
    }
  });

  // Not after so long that the server may have forgotten what it has had of them: that is said instead.
  function resume() {
    try {
      for (const name of Object.keys(localStorage).filter((name) => name.startsWith("onward-unsent "))) {
        const left = JSON.parse(localStorage.getItem(name));
        forget(name);
        const isLate = !(Math.abs(Date.now() - left.at) < 600_000);
        if (isLate) say("What you did last could not be sent. Please look whether it was done.");
        else if (left.visit !== visit) say("What you did last could not be sent, as that visit has ended.");
        else if (left.loss) say(left.loss);
        if (!isLate && left.visit === visit) unsent.push(...left.posts.map((post) => ({ ...post, ...anew(), settle() {} })));
      }
      sendAll();
    } catch {
      // There is no storage without cookies.
    }
  }

  function forget(name) {
    try {
      localStorage.removeItem(name);
    } catch {
      // There is none without cookies.
    }
  }

  // What a page that was loaded in place of another one has to say.
  function inherit() {
    try {
      if (sessionStorage.getItem("onward-returned")) tries = 2;
      sessionStorage.removeItem("onward-returned");
    } catch {
      // There is no storage without cookies.
    }
  }

  inherit();
  resume();
  connect();
})();

// What a script of the app may call: see "The client's own parts" in the article.
const onward = { watch: onwardPatch.watch };
