// SPDX-License-Identifier: MIT
"use strict";

// What a reader asks for by forms, links and keys. Requests for another site or window, or made in
// another way, are null here: the browser handles them as in any page.
const onwardForms = (() => {
  const dom = onwardDOM;
  const closest = ({ target }, selector) => target instanceof Element && dom.closest(target, selector);
  const underway = new WeakMap(); // how many actions of a button, or of a form, are on their way
  let [clicks, last] = [0, ""];

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

  const describe = (fields) => JSON.stringify([...fields].filter(([name]) => name !== "request"));

  // A double click counts once, except on a button that says that each click counts.
  function isRepeated({ address, fields, button }) {
    const repeats = button && dom.hasAttribute(button, "data-repeats");
    const text = `${address} ${describe(fields)}`;
    const isSame = text === last;
    last = text;
    return isSame && clicks > 1 && !repeats;
  }

  // An action is on its way: when that takes a while its button says so, until `finish` says how it ended.
  // After a success a form with `data-reset` is as it was drawn, unless the reader has changed it meanwhile.
  function follow({ fields, form, button }) {
    const [origin, sent] = [button ?? form, describe(fields)];
    const waiting = setTimeout(() => dom.setAttribute(origin, "aria-busy", "true"), 200);
    underway.set(origin, (underway.get(origin) ?? 0) + 1);
    return function finish(isDone) {
      clearTimeout(waiting);
      underway.set(origin, underway.get(origin) - 1);
      if (!underway.get(origin)) dom.removeAttribute(origin, "aria-busy");
      const isAsked = isDone && dom.hasAttribute(form, "data-reset");
      if (isAsked && describe(new FormData(form, button)) === sent) dom.reset(form);
    };
  }

  // A field that occurs more than once is a list; of a file the name is sent.
  function values(fields) {
    const text = (value) => value.name ?? value;
    const all = (name) => fields.getAll(name).map(text);
    const names = [...new Set(fields.keys())];
    return Object.fromEntries(names.map((name) => [name, all(name).length > 1 ? all(name) : all(name)[0]]));
  }

  // Where a click leads that follows a link with the mark in this window.
  function destination(event, mark) {
    const link = closest(event, `a[${mark}]`);
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button) return null;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
    if (!link.hasAttribute("href") || link.hasAttribute("download")) return null;
    return resolve(link.getAttribute("href"), link.target);
  }

  // A submit follows within the same turn.
  addEventListener("click", (event) => {
    clicks = event.detail;
    setTimeout(() => (clicks = 0));
  }, true);

  // A checkbox with `data-keys` says whether single keys do anything (WCAG 2.2, 2.1.4), here and in all pages
  // of the site. An app's own script finds the word "off" in the attribute `data-keys` of the document.
  const root = dom.documentElement(document);
  const switches = dom.querySelectorAll(root, "input[data-keys]");

  function setKeys(isOn) {
    if (isOn) dom.removeAttribute(root, "data-keys");
    else dom.setAttribute(root, "data-keys", "off");
    for (const box of switches) box.checked = isOn;
  }

  for (const box of switches) {
    closest({ target: box }, "[hidden]")?.removeAttribute("hidden"); // without a script there are no keys
    box.addEventListener("change", () => {
      setKeys(box.checked);
      try {
        localStorage.setItem("onward-keys", box.checked ? "on" : "off");
      } catch {
        // There is no storage without cookies: it holds for this page.
      }
    });
  }
  try {
    setKeys(localStorage.getItem("onward-keys") !== "off");
  } catch {
    setKeys(true);
  }

  // Keys press buttons, and a held key presses once (also Enter on a button that has the focus).
  addEventListener("keydown", (event) => {
    const isIn = (selector) => closest(event, selector);
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.repeat && isIn("[data-action] button")) event.preventDefault();
    if (event.repeat || isIn("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Enter" && isIn("a, button:enabled, summary")) return;
    if (event.key.length === 1 && dom.getAttribute(root, "data-keys") === "off") return;
    const isMeant = (button) => button.dataset.key.toLowerCase() === event.key.toLowerCase();
    // Behind a modal dialog nothing can be pressed.
    const page = dom.querySelector(dom.documentElement(document), "dialog:modal") ?? dom.documentElement(document);
    const button = [...dom.querySelectorAll(page, "button[data-key]:enabled")].find(isMeant);
    if (button) event.preventDefault();
    button?.click();
  });

  return { destination, follow, isRepeated, submission, values };
})();
