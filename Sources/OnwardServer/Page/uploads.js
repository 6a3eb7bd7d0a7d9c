// SPDX-License-Identifier: MIT
"use strict";

// Files go up with their action, and the form shows how far. A form for them has `enctype="multipart/form-data"`;
// without files that can be sent its action goes up like any other.
const onwardUploads = (() => {
  const dom = onwardDOM;
  const { uploads } = dom.currentScript(document).dataset;
  const [bytesPerFile, filesPerPost] = uploads ? uploads.split(" ").map(Number) : [0, 0];
  const patience = 60_000; // for so long nothing may move
  const underway = new Map(); // by form, what is being sent from it

  const isFile = (value) => value instanceof File;
  const isChosen = (value) => !isFile(value) || value.name !== "" || value.size > 0;

  // What a form with files posts, or null for any other: fields, and an upload unless there is nothing to send.
  function read({ form, button, fields }) {
    const type = (button && dom.getAttribute(button, "formenctype")) ?? dom.getAttribute(form, "enctype");
    if (!uploads || type?.toLowerCase() !== "multipart/form-data") return null;
    const entries = [...fields].filter(([, value]) => isChosen(value));
    const files = entries.filter(([, value]) => isFile(value));
    const isFair = files.length <= filesPerPost && files.every(([, file]) => file.size <= bytesPerFile);
    // Of what can't be sent the server is told the measures, which it refuses in the app's own words.
    const told = ([name, value]) => [name, isFile(value) ? { name: value.name, size: value.size, of: files.length } : value];
    const kept = files.length && isFair ? entries.filter(([, value]) => !isFile(value)) : entries.map(told);
    const values = onwardForms.values(kept, (value) => value);
    return { values, upload: files.length && isFair ? upload(form, files) : null };
  }

  // The files of one post, through all tries of sending it.
  function upload(form, files) {
    const [view, own] = [show(form, files), underway.get(form) ?? new Set()];
    let [request, best] = [null, 0];
    const self = {
      isCancelled: false,
      wasComplete: false, // once the server may have had all of it
      // An answer as that of `fetch`; `advance` is called whenever more has gone up than ever before.
      send(address, headers, body, advance) {
        const data = new FormData();
        const { type, ...rest } = JSON.parse(body);
        for (const [name, value] of [["type", type], ...Object.entries(rest)]) {
          for (const text of [value].flat()) if (text !== undefined) data.append(name, text);
        }
        for (const [name, file] of files) data.append(name, file, file.name || "file");
        return new Promise((resolve, reject) => {
          const failed = () => [clearTimeout(timer), view.wait(), reject(new Error("The files could not be sent."))];
          let timer = 0;
          const wait = () => {
            clearTimeout(timer);
            timer = setTimeout(() => request.abort(), patience);
          };
          request = new XMLHttpRequest();
          request.upload.addEventListener("progress", ({ loaded, total }) => {
            wait();
            if (loaded > best) [(best = loaded), advance()];
            view.advance(loaded / total);
          });
          request.upload.addEventListener("load", () => {
            if (!self.wasComplete) advance();
            [(self.wasComplete = true), wait(), view.wait(true)];
          });
          for (const name of ["error", "abort"]) request.addEventListener(name, failed);
          request.addEventListener("load", () => {
            clearTimeout(timer);
            const retry = request.getResponseHeader("Retry-After");
            resolve(new Response(request.responseText, { status: request.status, headers: retry ? { "Retry-After": retry } : {} }));
          });
          request.open("POST", address);
          for (const [name, value] of Object.entries(headers)) if (name !== "Content-Type") request.setRequestHeader(name, value);
          wait();
          request.send(data);
        });
      },
      // What hasn't gone up as a whole can't be dispatched.
      cancel() {
        if (self.wasComplete) return;
        self.isCancelled = true;
        request?.abort();
        self.end();
      },
      end() {
        if (!own.delete(self)) return;
        if (!own.size) underway.delete(form);
        view.end(own.size > 0);
      },
    };
    own.add(self);
    underway.set(form, own);
    return self;
  }

  // MARK: How far it is

  // A form's own `<progress data-upload>` and `[data-upload-cancel]`, or else ours behind its field. A reader who
  // doesn't see them is told now and then.
  function show(form, files) {
    const field = [...dom.elements(form)].find(({ type, name }) => type === "file" && name === files[0][0]);
    const name = files.length > 1 ? `${files.length} files` : files[0][1].name;
    const find = (selector) => dom.querySelector(form, selector);
    const progress = find("progress[data-upload]") ?? dom.createElement(document, "progress");
    const cancel = find("[data-upload-cancel]:not([data-upload-note] *)") ?? dom.createElement(document, "button");
    const note = dom.createElement(document, "span");
    const news = dom.createElement(document, "span");
    const own = { progress: dom.isConnected(progress), cancel: dom.isConnected(cancel) };
    dom.setAttribute(note, "data-upload-note", "");
    dom.setAttribute(news, "role", "status");
    onwardPatch.guests.add(note);
    if (!own.progress) note.append(progress);
    if (!own.cancel) {
      Object.assign(cancel, { type: "button", textContent: "Cancel" });
      dom.setAttribute(cancel, "data-upload-cancel", "");
      dom.setAttribute(cancel, "aria-label", `Cancel sending ${name}`);
      note.append(cancel);
    }
    const isNamed = progress.labels.length || ["aria-label", "aria-labelledby"].some((name) => dom.hasAttribute(progress, name));
    if (!isNamed) dom.setAttribute(progress, "aria-label", `Sending ${name}`);
    note.append(news);
    let [told, isOver, isComplete] = [-Infinity, false, false];

    // Said at most every ten seconds.
    function tell(text) {
      if (performance.now() - told < 10_000) return;
      [told, news.textContent] = [performance.now(), text];
    }
    function appear() {
      if (isOver) return;
      if (own.progress) [onwardPatch.hold(progress, "hidden", "value", "aria-label"), (progress.hidden = false)];
      if (own.cancel) [onwardPatch.hold(cancel, "hidden", "disabled"), (cancel.hidden = false)];
      cancel.disabled = isComplete;
      // In a label it would be a part of the field's name.
      const place = own.progress ? progress : field && (dom.closest(field, "label") ?? field);
      if (place && dom.isConnected(place)) dom.insertBefore(dom.parentNode(place), note, dom.nextSibling(place));
      setTimeout(() => isOver || tell(`Sending ${name}.`), 1_000); // into a region that is there
    }
    const timer = setTimeout(appear, 200);

    return {
      advance(share) {
        progress.value = share;
        if (told > 0) tell(`Sending ${name}: ${Math.round(100 * share)} %.`);
      },
      // Nobody knows for how long: for an answer, which ends what can be cancelled, or for the next try.
      wait(isAll = isComplete) {
        isComplete = isAll;
        dom.removeAttribute(progress, "value");
        cancel.disabled = isComplete;
      },
      end(isShared) {
        isOver = true;
        clearTimeout(timer);
        note.remove();
        if (isShared) return; // the next one shows how far it is
        if (own.progress) [onwardPatch.hold(progress), dom.removeAttribute(progress, "value"), (progress.hidden = true)];
        if (own.cancel) [onwardPatch.hold(cancel), (cancel.disabled = false), (cancel.hidden = true)];
      },
    };
  }

  addEventListener("click", ({ target }) => {
    const button = target instanceof Element && dom.closest(target, "[data-upload-cancel]");
    const form = button && dom.closest(button, "form");
    // What is under way first; what waits behind it has buttons of its own only if they are ours.
    const [first] = underway.get(form) ?? [];
    const hasFocus = button && button === dom.activeElement(document);
    first?.cancel();
    // The button goes, and the focus would go with it.
    const submit = first && hasFocus && [...dom.elements(form)].find(({ type }) => type === "submit");
    if (submit) onwardPatch.focus(submit);
  });

  return { read };
})();
