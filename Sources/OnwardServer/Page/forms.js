// SPDX-License-Identifier: MIT
"use strict";

// What a reader asks for by forms, links and keys. Requests for another site or window, or made in
// another way, are null here: the browser handles them as in any page.
const onwardForms = (() => {
  const dom = onwardDOM;
  const root = dom.documentElement(document);
  const closest = ({ target }, selector) => target instanceof Element && dom.closest(target, selector);
  const underway = new WeakMap(); // how many actions of a button, or of a form, are on their way
  let [clicks, last, emptied] = [0, "", null]; // of clicks in a row; what was sent last, and by which button

  function resolve(text, target) {
    const isSelf = !target || target.toLowerCase() === "_self";
    const url = URL.canParse(text ?? "", location.href) && new URL(text ?? "", location.href);
    return isSelf && url && url.origin === location.origin ? url : null;
  }

  // What a form with the mark posts (or asks for, as `method` says): the address and the fields.
  function submission(event, mark, method) {
    const { target: form, submitter: button } = event;
    if (event.defaultPrevented || !dom.hasAttribute(form, mark)) return null;
    const own = (name) => button && dom.getAttribute(button, `form${name}`);
    const asked = (name) => own(name) ?? dom.getAttribute(form, name);
    const address = resolve(asked("action"), asked("target"));
    if (!address || (own("method") ?? method).toLowerCase() !== method) return null;
    event.preventDefault();
    return { address, fields: new FormData(form, button), form, button };
  }

  const identify = (value) => (value instanceof File ? [value.name, value.size, value.lastModified] : value);
  const describe = (fields) => JSON.stringify([...fields].filter(([name]) => name !== "request")
    .map(([name, value]) => [name, identify(value)]));

  // A double click counts once, except on a button that says that each click counts.
  function isRepeated({ address, fields, button }) {
    const repeats = button && dom.hasAttribute(button, "data-repeats");
    const text = `${address} ${describe(fields)}`;
    const isSame = text === last;
    last = text;
    return isSame && clicks > 1 && !repeats;
  }

  // An action is on its way: when that takes a while its button says so, until `finish` is given the answer.
  // A form with `data-reset` is as it was drawn at once, so that the next entry can be typed meanwhile.
  function follow({ address, form, button }) {
    const origin = button ?? form;
    const waiting = setTimeout(() => {
      onwardPatch.hold(origin, "aria-busy"); // whatever is drawn meanwhile
      dom.setAttribute(origin, "aria-busy", "true");
    }, 200);
    underway.set(origin, (underway.get(origin) ?? 0) + 1);
    forgive(form);
    const entry = dom.hasAttribute(form, "data-reset") ? takeEntry(form) : null;
    emptied = entry && origin;
    if (entry) last = `${address} ${describe(new FormData(form, button))}`;
    return function finish(answer) {
      clearTimeout(waiting);
      underway.set(origin, underway.get(origin) - 1);
      if (!underway.get(origin)) [onwardPatch.hold(origin), dom.removeAttribute(origin, "aria-busy")];
      const isDone = answer?.result === "dispatched" || answer?.result === "redirected";
      if (isDone) return false;
      const isThere = !entry || giveBack(entry, answer?.message ?? "That could not be sent.");
      return isThere && answer?.field ? blame(form, answer.field, answer.hint) : false;
    };
  }

  // MARK: What a reader entered, and gets back when it is refused

  let offers = []; // entries that were refused while the next one was being typed, the newest last
  const most = 20;

  // The fields of a form by name (boxes by their value as well), since a patch may replace them meanwhile.
  function look(form) {
    const [all, counts] = [new Map(), new Map()];
    for (const field of [...dom.elements(form)].filter(isField)) {
      const name = JSON.stringify([field.name, isBox(field) ? field.value : ""]);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const files = field.type === "file" ? copy(field.files) : null;
      const shown = onwardPatch.read(field);
      const text = files ? [...files].map((file) => `${file.name} ${file.size} ${file.lastModified}`).join() : shown.text;
      all.set(`${name} ${counts.get(name)}`, { field, files, shown, text });
    }
    return all;
  }

  const isBox = ({ type }) => /^(checkbox|radio)$/.test(type);

  // An element of a script may be a field, too.
  const isField = (field) => [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((type) => field instanceof type)
    || (field.localName.includes("-") && typeof field.value === "string");

  // A list of files empties with its field.
  function copy(files) {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    return transfer.files;
  }

  function takeEntry(form) {
    const entered = look(form);
    dom.reset(form);
    return { form, entered, empty: look(form), about: describeForm(form), since: touches };
  }

  // What a form is for: a screen that is drawn again may have another one for the same.
  const describeForm = (form) => JSON.stringify([...dom.elements(form)]
    .filter(({ name, type }) => name && type !== "submit" && !/^(request|expects)/.test(name))
    .map(({ name, type, value }) => [name, type === "hidden" ? value : type]));

  function formOf({ form, about }) {
    if (dom.isConnected(form)) return form;
    return [...dom.querySelectorAll(root, "form[data-reset]")].find((other) => describeForm(other) === about);
  }

  const differs = ([name, { text }], others) => others.has(name) && others.get(name).text !== text;
  const isBlank = ({ entered, empty }) => ![...entered].some((field) => differs(field, empty));

  // What a reader touches, and a script of the app that fills in a date doesn't.
  const touched = new WeakMap(); // by field, the number of its last touch
  let touches = 0;
  const lastTouch = () => touches;
  for (const name of ["input", "change"]) {
    addEventListener(name, ({ target }) => touched.set(target, (touches += 1)), true);
  }

  // Whether a reader has entered nothing else since: each field is as it was when it was emptied, or shows the same again.
  const isFree = (form, { entered, empty, since }) => [...look(form)].every((field) =>
    !(touched.get(field[1].field) > since) || !differs(field, empty) || !differs(field, entered));

  // A refused entry returns to its form. Where the next one has been begun, the notice offers it instead. Whether it is
  // in the form again.
  function giveBack(entry, sentence) {
    if (isBlank(entry)) return true;
    entry.sentence = sentence;
    const form = formOf(entry);
    if (!form || !isFree(form, entry)) return offer(entry);
    putBack(form, entry);
    // Whoever types on without looking replaces it, and is offered it then.
    const isReplaced = () => [...entry.entered].some(([name, { shown, text }]) => {
      const now = look(form).get(name);
      return shown.kind === "text" && now && text.trim() && !now.text.includes(text);
    });
    const check = () => isReplaced() && [stop(), offer(entry)];
    const stop = () => form.removeEventListener("input", check);
    form.addEventListener("input", check);
    form.addEventListener("submit", stop, { once: true });
    return true;
  }

  function offer(entry) {
    offers = [...offers, entry].slice(-most);
    dispatchEvent(new Event("onward-offer"));
    return false;
  }

  function putBack(form, { entered, empty }) {
    const now = look(form);
    for (const [name, { shown, files }] of entered) {
      const field = now.get(name)?.field;
      if (!field || now.get(name).shown.kind !== shown.kind) continue;
      if (files) field.files = copy(files);
      else onwardPatch.restore(field, shown, empty.get(name)?.shown ?? shown);
    }
    // Selected, so that what is typed next doesn't end up behind it.
    const active = dom.activeElement(document);
    if ([...entered].some(([name, { text }]) => now.get(name)?.field === active && text)) active.select?.();
  }

  // The newest entry that was refused, with the sentence; where its form is, it can be put back.
  function offered() {
    const entry = offers.at(-1);
    if (!entry) return null;
    const form = formOf(entry);
    const [, text] = [...entry.entered].find((field) => field[1].shown.kind === "text" && differs(field, entry.empty)) ?? [];
    const quote = text ? ` (“${text.text.length > 40 ? `${text.text.slice(0, 39)}…` : text.text}”)` : "";
    return {
      text: `${entry.sentence}${quote}`,
      // What stands there now can be put back in turn.
      putBack: form && (() => {
        offers = offers.filter((other) => other !== entry);
        const displaced = { ...entry, form, entered: look(form), sentence: "This was replaced." };
        if (!isBlank(displaced)) offers.push(displaced);
        putBack(form, entry);
        const first = [...entry.entered].find((field) => differs(field, entry.empty));
        look(form).get(first?.[0])?.field.focus();
      }),
      discard: () => (offers = offers.filter((other) => other !== entry)),
    };
  }

  // MARK: What is wrong with a field, said beside it

  const mistakes = new Map(); // by field, the sentence
  let lastMistake = 0;

  // Says beside a form's field what is wrong with it; false if a reader can't see that field.
  function blame(form, name, sentence) {
    const fields = [...dom.elements(form)].filter((field) => field.name === name && field.type !== "hidden");
    const field = fields.find((field) => !/^(submit|button|image|reset)$/.test(field.type));
    if (!field || !dom.isConnected(field) || !field.checkVisibility?.()) return false;
    const note = dom.createElement(document, "small");
    note.id = `onward-mistake-${(lastMistake += 1)}`;
    note.textContent = sentence;
    dom.setAttribute(note, "data-mistake", "");
    dom.setAttribute(note, "role", "alert");
    forgive(field);
    onwardPatch.guests.add(note);
    onwardPatch.hold(field, "aria-invalid", "aria-describedby");
    mistakes.set(field, { form, note, described: dom.getAttribute(field, "aria-describedby") });
    showMistakes();
    note.scrollIntoView({ block: "nearest" });
    return true;
  }

  // After a patch, too: a field may have moved, and is no mistake any more when it has gone.
  function showMistakes() {
    for (const [field, { note, described }] of mistakes) {
      if (!dom.isConnected(field)) {
        forgive(field);
        continue;
      }
      const place = (isBox(field) && dom.closest(field, "label")) || field;
      if (dom.nextSibling(place) !== note) dom.insertBefore(dom.parentNode(place), note, dom.nextSibling(place));
      dom.setAttribute(field, "aria-invalid", "true");
      dom.setAttribute(field, "aria-describedby", [described, note.id].filter(Boolean).join(" "));
    }
  }

  // Of a field, or of all fields of a form: it is entered anew.
  function forgive(origin) {
    for (const [field, { form, note, described }] of mistakes) {
      if (field !== origin && form !== origin) continue;
      mistakes.delete(field);
      onwardPatch.hold(field);
      dom.removeAttribute(field, "aria-invalid");
      if (described) dom.setAttribute(field, "aria-describedby", described);
      else dom.removeAttribute(field, "aria-describedby");
      note.remove();
    }
  }

  addEventListener("input", ({ target }) => forgive(target));
  addEventListener("reset", ({ target }) => forgive(target));

  // MARK: Forms that ask

  // The fields of forms with the mark show the query of the address; those for other addresses what was drawn. At the
  // start of a page only those fields do of which the server says nothing. What was typed since a touch stays, where
  // the reader has asked for the move; else while the field has the focus, as the app may move with each letter.
  function showQuery(mark, { isStart = false, since = Infinity, isAsked = false }) {
    const isKept = (field) => touched.get(field) > since && (isAsked || field === dom.activeElement(document));
    const query = new URLSearchParams(location.search);
    for (const form of dom.querySelectorAll(root, `form[${mark}]`)) {
      const address = resolve(dom.getAttribute(form, "action"), dom.getAttribute(form, "target"));
      if (!address || /^post$/i.test(dom.getAttribute(form, "method") ?? "")) continue;
      if ([...dom.elements(form)].some(isKept)) continue;
      if (!isStart) dom.reset(form);
      const fields = [...dom.elements(form)].filter((field) =>
        field.name && !/^(hidden|file)$/.test(field.type) && !(isStart && (isDrawn(field) || field.type === "password")));
      const isAsked = address.pathname === location.pathname && fields.some(({ name }) => query.has(name));
      if (isAsked) fill(fields, query);
    }
  }

  // Whether the server says what a field shows, or the reader has.
  function isDrawn(field) {
    if (isBox(field)) return field.checked || field.defaultChecked;
    if (field instanceof HTMLSelectElement) return [...field.options].some((option) => option.defaultSelected);
    return Boolean(field.value || field.defaultValue);
  }

  function fill(fields, query) {
    const used = new Map(); // by name, how many of its texts are shown
    for (const field of fields) {
      const values = query.getAll(field.name);
      const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
      if (isBox(field)) field.checked = values.includes(field.value);
      else if (field instanceof HTMLSelectElement) {
        if (values.length || field.multiple) for (const option of field.options) option.selected = values.includes(option.value);
      } else if (isText && !/^(submit|button|image|reset)$/.test(field.type)) {
        const at = used.get(field.name) ?? 0;
        used.set(field.name, at + 1);
        if (at < values.length && field.value !== values[at]) field.value = values[at];
      }
    }
  }

  // By name, what is entered; a field that occurs more than once is a list. Of a file the name is sent.
  function values(fields, read = (value) => value.name ?? value) {
    const all = new Map();
    for (const [name, value] of fields) all.set(name, [...(all.get(name) ?? []), read(value)]);
    return Object.fromEntries([...all].map(([name, list]) => [name, list.length > 1 ? list : list[0]]));
  }

  // Where a click leads that follows a link with the mark in this window.
  function destination(event, mark) {
    const link = closest(event, `a[${mark}]`);
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button) return null;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
    if (!link.hasAttribute("href") || link.hasAttribute("download")) return null;
    return resolve(link.getAttribute("href"), link.target);
  }

  // A submit follows within the same turn. The second click of a double click finds an emptied form, of which a
  // browser would say that its fields are to be filled in.
  addEventListener("click", (event) => {
    clicks = event.detail;
    setTimeout(() => (clicks = 0));
    const button = closest(event, "button, input");
    if (clicks < 2) emptied = null;
    else if (button && button === emptied && !dom.hasAttribute(button, "data-repeats")) event.preventDefault();
  }, true);

  // A checkbox with `data-shortcuts` says whether single keys do anything (WCAG 2.2, 2.1.4), here and in all pages
  // of the site. An app's own script finds the word "off" in the attribute `data-shortcuts` of the document.
  const switches = dom.querySelectorAll(root, "input[data-shortcuts]");

  function setKeys(isOn) {
    if (isOn) dom.removeAttribute(root, "data-shortcuts");
    else dom.setAttribute(root, "data-shortcuts", "off");
    for (const box of switches) box.checked = isOn;
  }

  for (const box of switches) {
    closest({ target: box }, "[hidden]")?.removeAttribute("hidden"); // without a script there are no keys
    box.addEventListener("change", () => {
      setKeys(box.checked);
      try {
        localStorage.setItem("onward-shortcuts", box.checked ? "on" : "off");
      } catch {
        // There is no storage without cookies: it holds for this page.
      }
    });
  }
  try {
    setKeys(localStorage.getItem("onward-shortcuts") !== "off");
  } catch {
    setKeys(true);
  }

  // Keys press buttons, and a held key presses once (also Enter on a button that has the focus).
  addEventListener("keydown", (event) => {
    const isIn = (selector) => closest(event, selector);
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const isHeld = event.repeat && (isIn("[data-action] button") || (event.key === "Enter" && isIn("[data-action] input")));
    if (isHeld) event.preventDefault();
    if (event.repeat || isIn("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Enter" && isIn("a, button:enabled, summary")) return;
    if (event.key.length === 1 && dom.getAttribute(root, "data-shortcuts") === "off") return;
    const isMeant = (button) => button.dataset.shortcut.toLowerCase() === event.key.toLowerCase();
    // Behind a modal dialog nothing can be pressed.
    const page = dom.querySelector(dom.documentElement(document), "dialog:modal") ?? dom.documentElement(document);
    const button = [...dom.querySelectorAll(page, "button[data-shortcut]:enabled")].find(isMeant);
    if (button) event.preventDefault();
    button?.click();
  });

  return { destination, follow, isRepeated, lastTouch, offered, showMistakes, showQuery, submission, values };
})();
