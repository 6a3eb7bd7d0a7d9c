// SPDX-License-Identifier: MIT
"use strict";

// A form's fields hide the form's own members of the same names, a document's forms and images those
// of the document. So either is read by functions taken from the prototypes.
const onwardDOM = (() => {
  const borrow = ({ prototype }, ...names) => names.map((name) => {
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, name);
    return [name, Function.prototype.call.bind(get ?? value)];
  });
  return Object.fromEntries([
    ...borrow(Node, "childNodes", "contains", "firstChild", "insertBefore", "isConnected"),
    ...borrow(Node, "isEqualNode", "nextSibling", "nodeName", "nodeType", "parentNode"),
    ...borrow(Node, "removeChild", "replaceChild"),
    ...borrow(Element, "attributes", "closest", "getAttribute", "getAttributeNodeNS"),
    ...borrow(Element, "hasAttribute", "matches", "namespaceURI", "outerHTML"),
    ...borrow(Element, "querySelector", "querySelectorAll", "removeAttribute"),
    ...borrow(Element, "removeAttributeNode", "setAttribute", "setAttributeNode"),
    ...borrow(Document, "activeElement", "body", "createElement", "createTreeWalker"),
    ...borrow(Document, "currentScript", "documentElement"),
    ...borrow(HTMLFormElement, "reset"),
  ]);
})();

// Makes parts of the document what the server draws now, which is what loading the page would show:
// markup, values, what is checked and selected. What is equal stays untouched, an element with a name
// stays the same element, what has the focus doesn't move, and what a reader typed or chose stays
// until the server draws something else. Knows nothing of streams.
const onwardPatch = (() => {
  const dom = onwardDOM;
  const page = dom.documentElement(document);
  const focused = () => dom.activeElement(document);

  // Parsed inside the element in which it will stand (a row is nothing outside a table), in a
  // document in which nothing loads: one for all, as making it takes longer than most parsing.
  const inert = new DOMParser().parseFromString("<!doctype html>", "text/html");
  function parse(tag, html) {
    const root = inert.createElement(tag);
    inert.body.replaceChildren(root);
    root.innerHTML = html;
    // Where scripts run, this is text.
    for (const element of root.querySelectorAll("noscript")) element.textContent = element.innerHTML;
    return root;
  }

  // MARK: What a reader can change

  const editable = '[contenteditable]:not([contenteditable="false"])';
  const changeable = `input, select, textarea, details, dialog, ${editable}`;
  const types = [
    HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLDetailsElement, HTMLDialogElement,
  ];
  const isEditable = (node) => node instanceof HTMLElement && dom.matches(node, editable);
  const isControl = (node) => types.some((type) => node instanceof type) || isEditable(node);
  // What is in an editable element is its content, whatever it is.
  const isWhole = (node) => !dom.closest(node, `:is(${editable}) *`);
  const controls = (root) =>
    [root, ...dom.querySelectorAll(root, changeable)].filter((node) => isControl(node) && isWhole(node));

  // What a control shows: as a text to compare, and as a way to show the same in another one. What its markup
  // says of that is the same text, but for a select that names no option: it shows its first one, whichever that is.
  function read(control) {
    if (control instanceof HTMLDetailsElement) {
      const { open } = control;
      return { text: `${open}`, show: (other) => (other.open = open) };
    }
    if (control instanceof HTMLDialogElement) {
      const { open } = control;
      return { text: `${open}`, show: (other) => other.open !== open && (open ? reveal : close)(other) };
    }
    if (isEditable(control)) {
      const content = [...dom.childNodes(control)].map((node) => node.cloneNode(true));
      const show = (other) => other.innerHTML !== text && other.replaceChildren(...content);
      const text = control.innerHTML;
      return { text, show };
    }
    if (control instanceof HTMLSelectElement) {
      const chosen = [...control.options].map((option) => option.selected);
      const values = [...control.selectedOptions].map((option) => option.value);
      const show = (other) => choose(other, (_, position) => chosen[position]);
      const text = JSON.stringify(values);
      const isNamed = [...control.options].some((option) => option.defaultSelected);
      return { text, said: isNamed ? text : "", values, show };
    }
    const { type, checked, value } = control;
    if (type === "checkbox" || type === "radio") {
      return { text: `${checked} ${value}`, show: (other) => (other.checked = checked) };
    }
    // The value of a button is its attribute, and a file is the reader's alone.
    const isFixed = /^(hidden|button|submit|reset|image|file)$/.test(type);
    if (isFixed) return { text: "", show() {} };
    return { text: value, show: (other) => other.value !== value && (other.value = value) };
  }

  // By its attribute, as a dialog that is shown takes the focus.
  const reveal = (dialog) => dom.setAttribute(dialog, "open", "");

  // A modal dialog that only lost its attribute would be invisible, with the rest of the page behind it.
  function close(dialog) {
    if (dom.isConnected(dialog)) HTMLDialogElement.prototype.close.call(dialog);
    else dom.removeAttribute(dialog, "open");
  }

  function choose(select, isChosen) {
    const chosen = [...select.options].map(isChosen);
    if (!select.multiple) select.selectedIndex = chosen.lastIndexOf(true);
    else chosen.forEach((flag, position) => (select.options[position].selected = flag));
  }

  // Where a reader chose options that are gone, the server's choice is shown.
  function restore(control, reader, server) {
    const values = reader.values && [...control.options].map((option) => option.value);
    if (!values) reader.show(control);
    else if (!reader.values.every((value) => values.includes(value))) server.show(control);
    else choose(control, (option) => reader.values.includes(option.value));
  }

  // What each control showed when the server drew it, and what its markup said: what differs is the reader's.
  const drawn = new WeakMap();
  const noteAs = (control, { text, said = text }) => drawn.set(control, { text, said });

  function note(root) {
    for (const control of controls(root)) noteAs(control, read(control));
    return root;
  }

  // A browser may have put back what was typed before a reload, so only the markup counts.
  function learn(root) {
    const { body } = new DOMParser().parseFromString(dom.outerHTML(root), "text/html");
    const twins = controls(body).filter((twin) => !twin.closest("noscript"));
    controls(root).forEach((control, position) => {
      const twin = twins[position];
      noteAs(control, read(twin && dom.isEqualNode(twin, control) ? twin : control));
    });
  }

  function isReaders(control, before, now) {
    const was = before.get(control)?.text;
    const { text, said } = drawn.get(control) ?? {};
    if (was === undefined || was === text) return false;
    const isInHand = control === focused() && control.type !== "checkbox" && control.type !== "radio";
    return (now.said ?? now.text) === said || isInHand;
  }

  // MARK: Elements

  // Makes an element equal to another one, which is used up; returns the one of the two that is in
  // the document then.
  function renew(old, fresh) {
    const before = new Map(controls(old).map((control) => [control, read(control)]));
    const wanted = controls(fresh).map(read);
    const isSame = label(old) === label(fresh);
    if (isSame) patchTree(old, fresh);
    else dom.replaceChild(dom.parentNode(old), fresh, old);
    const element = isSame ? old : fresh;
    // Controls of a group change each other: the reader's first, so that the server's prevail.
    const pairs = controls(element).map((control, position) => [control, wanted[position]]);
    const kept = new Set(pairs.filter(([control, now]) => isReaders(control, before, now)));
    for (const [control, now] of kept) restore(control, before.get(control), now);
    for (const pair of pairs) if (!kept.has(pair)) pair[1].show(pair[0]);
    for (const [control, now] of pairs) noteAs(control, now);
    release(element);
    return element;
  }

  // An option that left a select is as selected as it says, whatever it was in there.
  function release(root) {
    const options = [root, ...dom.querySelectorAll(root, "option")];
    for (const option of options.filter((node) => dom.matches(node, "option:not(select *)"))) {
      option.selected = option.defaultSelected;
    }
  }

  // MARK: Elements that get another parent

  let twins = new Map(); // for each fresh element with an id the one of that id that the document has
  let holders = new Set(); // nodes of the document that are or contain one of these
  let leaving = new Set(); // those of them that have no place in the fresh tree

  function patchTree(old, fresh) {
    [twins, holders, leaving] = [new Map(), new Set(), new Set()];
    const known = named(old);
    for (const [id, element] of named(fresh)) {
      const own = element && known.get(id);
      if (!own || label(own) !== label(element)) continue;
      twins.set(element, own);
      for (let node = own; node !== old; node = dom.parentNode(node)) holders.add(node);
    }
    patchNode(old, fresh);
    for (const node of leaving) if (dom.parentNode(node)) dom.removeChild(dom.parentNode(node), node);
  }

  // The elements of a tree whose ids nothing else in it has.
  function named(root) {
    const all = new Map();
    for (const element of [...dom.querySelectorAll(root, "[id]")].filter(isWhole)) {
      const id = dom.getAttribute(element, "id");
      all.set(id, all.has(id) ? null : element);
    }
    return all;
  }

  // The document's own element for a fresh one that will be in `parent`.
  function adopt(fresh, parent) {
    const own = twins.get(fresh);
    if (!own || dom.contains(own, parent)) return null;
    twins.delete(fresh);
    leaving.delete(own);
    return own;
  }

  // A fresh tree has come in: what the document has of it takes its place there.
  function adoptInside(root) {
    if (!twins.size || dom.nodeType(root) !== Node.ELEMENT_NODE) return;
    for (const element of dom.querySelectorAll(root, "[id]")) {
      const own = twins.has(element) && dom.contains(root, element) && adopt(element, dom.parentNode(element));
      if (!own) continue;
      const parent = dom.parentNode(element);
      place(parent, own, element);
      dom.removeChild(parent, element);
      patchNode(own, element);
    }
  }

  // MARK: Nodes

  // Only a node of the same label may stay in a node's place.
  function label(node) {
    if (dom.nodeType(node) !== Node.ELEMENT_NODE) return dom.nodeName(node);
    const parts = [dom.namespaceURI(node), dom.nodeName(node)];
    const name = ["data-row", "id", "data-key"].find((name) => dom.getAttribute(node, name));
    if (name) parts.push(name, dom.getAttribute(node, name));
    if (isControl(node)) parts.push(node.type, dom.getAttribute(node, "name"));
    if (node instanceof HTMLTemplateElement) parts.push(node.innerHTML);
    return JSON.stringify(parts);
  }

  function patchNode(old, fresh) {
    if (dom.nodeType(old) !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    // `isEqualNode` ignores what is in templates.
    if (dom.isEqualNode(old, fresh) && !dom.querySelector(fresh, "template")) return;
    patchAttributes(old, fresh);
    if (!isEditable(old)) patchChildren(old, fresh);
  }

  const lent = new WeakSet(); // elements that were made focusable to be given the focus

  function focus(element) {
    const isLent = element.tabIndex < 0 && !element.hasAttribute("tabindex");
    if (isLent) lent.add(element).add(Object.assign(element, { tabIndex: -1 }));
    take(element);
  }

  function take(element) {
    HTMLElement.prototype.focus.call(element, { preventScroll: true });
  }

  // As nodes, which keep a namespace, and names that `setAttribute` refuses.
  function patchAttributes(old, fresh) {
    const same = (element, { namespaceURI, localName }) =>
      dom.getAttributeNodeNS(element, namespaceURI, localName);
    const opens = old instanceof HTMLDetailsElement || old instanceof HTMLDialogElement;
    const isState = ({ name }) => name === "open" && opens;
    const isNeeded = ({ name }) => name === "tabindex" && old === focused() && lent.has(old);
    for (const attribute of dom.attributes(fresh)) {
      const own = same(old, attribute);
      if (isState(attribute) || own?.value === attribute.value) continue;
      if (own) own.value = attribute.value;
      else dom.setAttributeNode(old, attribute.cloneNode());
    }
    for (const attribute of [...dom.attributes(old)]) {
      if (isState(attribute) || isNeeded(attribute) || same(fresh, attribute)) continue;
      dom.removeAttributeNode(old, attribute);
    }
  }

  // What the forms in an element are for, as their fixed fields say: where neither has a name, text that was
  // typed for one thing must not be sent for another.
  const fixed = 'input[type="hidden"]:not([name="request"], [name="expects"])';
  const purpose = (node) => [...dom.querySelectorAll(node, fixed)]
    .map((field) => `${dom.getAttribute(field, "name")}=${dom.getAttribute(field, "value")}`).join("&");
  const aimed = (parent) => [...dom.childNodes(parent)]
    .filter((node) => dom.nodeType(node) === Node.ELEMENT_NODE && dom.querySelector(node, fixed));

  function patchChildren(old, fresh) {
    const spare = new Map(); // by label, the first one last
    for (const node of [...dom.childNodes(old)].reverse()) {
      const name = label(node);
      if (!spare.has(name)) spare.set(name, []);
      spare.get(name).push(node);
    }
    const nodes = [...dom.childNodes(fresh)];
    const same = new Map(); // by fresh node, the one whose forms are for the same
    const purposes = new Map(aimed(old).map((node) => [node, purpose(node)]));
    for (const node of purposes.size ? aimed(fresh) : []) {
      const known = spare.get(label(node)) ?? [];
      const at = known.findLastIndex((own) => purposes.get(own) === purpose(node));
      if (at >= 0) same.set(node, known.splice(at, 1)[0]);
    }
    const pairs = nodes.map((node) => [same.get(node) ?? spare.get(label(node))?.pop(), node]);
    for (const [own, node] of pairs) if (own) twins.delete(node);
    // What leaves goes first, so that what stays need not move; but not what will be found elsewhere.
    for (const node of [...spare.values()].flat()) {
      if (holders.has(node)) leaving.add(node);
      else dom.removeChild(old, node);
    }
    const staying = (node) => {
      while (node && leaving.has(node)) node = dom.nextSibling(node);
      return node;
    };
    let cursor = staying(dom.firstChild(old));
    for (const [known, node] of pairs) {
      const own = known ?? adopt(node, old);
      if (own && own === cursor) cursor = staying(dom.nextSibling(cursor));
      else place(old, own ?? node, cursor);
      if (own) patchNode(own, node);
      else adoptInside(node);
      cursor = staying(cursor);
    }
  }

  // Where browsers can, without removing the node: it keeps its animations, and frames their pages.
  const { moveBefore } = Element.prototype;
  const move = moveBefore ? Function.prototype.call.bind(moveBefore) : dom.insertBefore;

  const isOurs = (node) => node.ownerDocument === document && dom.isConnected(node);

  // Typing goes on: an element with the focus would lose it by being moved, and with it what
  // is being composed. So the others move around it.
  function place(parent, child, before) {
    const isHere = dom.parentNode(child) === parent;
    if (child === before || (isHere && dom.nextSibling(child) === before)) return;
    if (!isHere) return void (isOurs(child) && isOurs(parent) ? move : dom.insertBefore)(parent, child, before);
    if (!dom.contains(child, focused())) return void move(parent, child, before);
    const run = (from, end) => {
      const nodes = [];
      for (let node = from; node && node !== end; node = dom.nextSibling(node)) nodes.push(node);
      return nodes;
    };
    const isEarlier = run(dom.nextSibling(child), null).includes(before) || !before;
    const others = isEarlier ? run(dom.nextSibling(child), before) : run(before, child);
    const target = isEarlier ? child : dom.nextSibling(child);
    for (const node of others) move(parent, node, target);
  }

  // MARK: Lines of an event

  const homeless = parse("div", ""); // holds the fragments for which the layout has no place
  const find = (key) => [page, homeless]
    .map((root) => root.querySelector(`[data-fragment="${key}"]`)).find(Boolean);

  function draw(key, tag, html) {
    const element = parse(tag, html);
    element.dataset.fragment = key;
    return element;
  }

  // Comments of the document say where new fragments go: "fragments" before all of them, or
  // "fragment KEY" where the layout has a place for each.
  function arrange(keys) {
    for (const element of page.querySelectorAll("[data-fragment]")) {
      if (!keys.includes(element.dataset.fragment)) element.remove();
    }
    const marks = new Map();
    const walker = dom.createTreeWalker(document, page, NodeFilter.SHOW_COMMENT);
    while (walker.nextNode()) marks.set(walker.currentNode.data, walker.currentNode);
    let previous = marks.get("fragments");
    for (const key of keys) {
      const element = find(key) ?? draw(key, "div", "");
      const own = marks.get(`fragment ${key}`);
      const mark = own ?? previous;
      if (!mark) homeless.append(element);
      else if (mark.nextElementSibling !== element) place(mark.parentNode, element, mark.nextSibling);
      if (!own) previous &&= element;
    }
  }

  // Each row that is named is gone, looks different, or stands behind another row now. A few are
  // searched for, many are looked up in a table, as a search goes through the list.
  function patchRows(list, rows) {
    const known = rows.length > 8 ? rowsOf(list) : null;
    const find = (row) => (known ? known.get(row) : list.querySelector(`:scope > [data-row="${row}"]`));
    const need = (row) => {
      const element = find(row);
      if (!element) throw new Error(`There is no row ${row}.`);
      return element;
    };
    for (const { row, html, after } of rows) {
      const isNew = html !== undefined && after !== undefined && !find(row);
      let element = isNew ? null : need(row);
      if (html === undefined && after === undefined) dom.removeChild(list, element);
      if (html !== undefined) {
        const fresh = parse(list.localName, html).firstElementChild;
        if (isNew) note(fresh);
        element = isNew ? fresh : renew(element, fresh);
        known?.set(row, element);
      }
      if (after === null) place(list, element, list.firstChild);
      else if (after !== undefined) place(list, element, dom.nextSibling(need(after)));
    }
  }

  function rowsOf(list) {
    const elements = [...dom.childNodes(list)].filter((node) => dom.nodeType(node) === Node.ELEMENT_NODE);
    return new Map(elements.reverse().map((element) => [dom.getAttribute(element, "data-row"), element]));
  }

  // Applies lines of an event: which fragments there are, one of them as a whole, or rows of one.
  // With `isRough` nothing is kept of an element that was there.
  function apply(lines, isRough = false) {
    const before = focused();
    const name = ["id", "data-key"].find((name) => before && dom.getAttribute(before, name));
    const selector = name && `[${name}="${CSS.escape(dom.getAttribute(before, name))}"]`;
    for (const { keys, key, tag = "div", html, rows } of lines) {
      const old = keys ? null : find(key);
      if (keys) arrange(keys);
      else if (!old) throw new Error(`There is no fragment ${key}.`);
      else if (rows) patchRows(old, rows);
      else if (!isRough) renew(old, draw(key, tag, html));
      else old.replaceWith(note(draw(key, tag, html)));
    }
    // A replaced element leaves the focus to the one of its name. A disabled one, such as a button that
    // was pressed and rests now, would lose it with the next frame: it goes to the start.
    const isThere = before && dom.isConnected(before);
    const heir = isThere ? before : selector && page.querySelector(selector);
    if (!(heir instanceof HTMLElement)) return;
    if (!dom.matches(heir, ":disabled")) return void (heir === focused() || take(heir));
    const first = start();
    if (first) focus(first);
  }

  // Where a lost focus goes.
  function start() {
    return ["[data-start]", "h1", "main"].map((name) => page.querySelector(name)).find(Boolean);
  }

  learn(page);
  return { apply, focus, learn, start };
})();
