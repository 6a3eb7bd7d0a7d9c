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
    ...borrow(HTMLFormElement, "elements", "reset"),
    ...borrow(HTMLDialogElement, "close", "showModal"),
  ]);
})();

// Makes parts of the document what the server draws now, which is what loading the page would show:
// markup, values, what is checked and selected. What is equal stays untouched, the same element (see
// `identity`) stays the same object, what has the focus doesn't move, what a reader typed or chose stays
// until the server draws something else, and what belongs to scripts stays theirs. Knows nothing of streams.
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
    remember(root);
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
  // What is in an editable element is its content, whatever it is, and so is what scripts have made.
  const opaque = `:is(${editable}, [data-client~="children"])`;
  const isWhole = (node) => !dom.closest(node, `${opaque} *`);
  const hasOpaque = (root) => dom.matches(root, opaque) || dom.querySelector(root, opaque);

  // The elements of a tree that a selector names, but those that are content of others.
  function select(root, selector) {
    const all = [...dom.querySelectorAll(root, selector)];
    return hasOpaque(root) ? all.filter(isWhole) : all;
  }

  const controls = (root) => [root, ...select(root, changeable)].filter(isControl);

  // What a control shows: as a text to compare, and as a way to show the same in another one of the same kind.
  // What its markup says of that is the same text, but for a select that names no option: it shows its first one,
  // whichever that is.
  function read(control) {
    if (control instanceof HTMLDetailsElement) {
      const { open } = control;
      return { kind: "open", text: `${open}`, show: (other) => (other.open = open) };
    }
    if (control instanceof HTMLDialogElement) {
      const { open } = control;
      return { kind: "open", text: `${open}`, show: (other) => other.open !== open && (open ? reveal : close)(other) };
    }
    if (isEditable(control)) {
      const content = [...dom.childNodes(control)].map((node) => node.cloneNode(true));
      const show = (other) => other.innerHTML !== text && other.replaceChildren(...content);
      const text = control.innerHTML;
      return { kind: "content", text, show };
    }
    if (control instanceof HTMLSelectElement) {
      const chosen = [...control.options].map((option) => option.selected);
      const values = [...control.selectedOptions].map((option) => option.value);
      const show = (other) => choose(other, (_, position) => chosen[position]);
      const text = JSON.stringify(values);
      const isNamed = [...control.options].some((option) => option.defaultSelected);
      return { kind: "choice", text, said: isNamed ? text : "", values, show };
    }
    const { type, checked, value } = control;
    const check = (other) => other.checked !== checked && (other.checked = checked);
    if (isBox(control)) return { kind: "box", text: `${checked} ${value}`, show: check };
    // The value of a button is its attribute, and a file is the reader's alone.
    const isFixed = /^(hidden|button|submit|reset|image|file)$/.test(type);
    if (isFixed) return { kind: "fixed", text: "", show: check };
    return { kind: "text", text: value, show: (other) => [check(other), other.value !== value && (other.value = value)] };
  }

  const isBox = ({ type }) => type === "checkbox" || type === "radio";

  // By its attribute, as a dialog that is shown takes the focus.
  const reveal = (dialog) => dom.setAttribute(dialog, "open", "");

  // A modal dialog that only lost its attribute would be invisible, with the rest of the page behind it.
  function close(dialog) {
    if (dom.isConnected(dialog)) dom.close(dialog);
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
    const was = before.get(control);
    const { text, said } = drawn.get(control) ?? {};
    if (!was || was.text === text || was.kind !== now.kind) return false;
    const isInHand = control === focused() && now.kind !== "box";
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
    const pairs = controls(element).map((control, position) => [control, wanted[position]])
      .filter(([control]) => !isClients(control, stateOf(control)));
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

  // MARK: What makes two elements the same

  // The first of these that an element has, beside its tag: `data-row`, `id`, `data-key`, the name of a field (of
  // a box or a radio button with its value). An element with one of them stays the same wherever it stands in its
  // fragment or row, whatever else changes. Of any other, its tag and its place decide.
  const marks = ["data-row", "id", "data-key"];
  const marked = marks.map((name) => `[${name}]:not([${name}=""])`).join();
  const identified = `${marked}, :is(input, select, textarea)[name]:not([name=""])`;
  const isField = (node) => [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((type) => node instanceof type);

  function identity(node) {
    for (const mark of marks) {
      const value = dom.getAttribute(node, mark);
      if (value) return [mark, value];
    }
    const name = isField(node) && dom.getAttribute(node, "name");
    if (!name) return [];
    return isBox(node) ? ["name", name, dom.getAttribute(node, "value") ?? "on"] : ["name", name];
  }

  // Only a node of the same label may stay in a node's place.
  function label(node) {
    if (dom.nodeType(node) !== Node.ELEMENT_NODE) return dom.nodeName(node);
    const content = node instanceof HTMLTemplateElement ? [node.innerHTML] : [];
    return JSON.stringify([dom.namespaceURI(node), dom.nodeName(node), ...identity(node), ...content]);
  }

  // What the forms in an element are for, as their fixed fields say, or else which boxes it has: text that was typed
  // for one thing must not be sent for another.
  const fixed = 'input[type="hidden"]:not([name="request"], [name="expects"], [name^="expects/"])';
  const boxes = 'input:is([type="checkbox"], [type="radio"])[name]';

  function purpose(node) {
    const aims = dom.querySelectorAll(node, fixed);
    return [...(aims.length ? aims : dom.querySelectorAll(node, boxes))]
      .map((field) => `${dom.getAttribute(field, "name")}=${dom.getAttribute(field, "value")}`).join("&");
  }

  const aimed = (parent) => [...dom.childNodes(parent)].filter((node) =>
    dom.nodeType(node) === Node.ELEMENT_NODE && dom.querySelector(node, `${fixed}, ${boxes}`));

  // The elements of a tree that can be found wherever they stand, by what nothing else in it has. The name of a field
  // counts within the nearest element with a mark, and in a form for the same thing.
  function named(root) {
    const [all, purposes] = [new Map(), new Map()];
    const within = (node, selector) => {
      const found = dom.closest(dom.parentNode(node), selector);
      return found && found !== root && dom.contains(root, found) ? found : null;
    };
    const aim = (form) => {
      if (form && !purposes.has(form)) purposes.set(form, purpose(form));
      return form ? purposes.get(form) : "";
    };
    for (const element of select(root, identified)) {
      let name = label(element);
      if (identity(element)[0] === "name") {
        const holder = within(element, marked);
        name += `${holder ? label(holder) : ""} ${aim(within(element, "form"))}`;
      }
      all.set(name, all.has(name) ? null : element);
    }
    return all;
  }

  // MARK: Elements that get another parent

  let twins = new Map(); // for each fresh element that can be found anywhere, the same one of the document
  let holders = new Set(); // nodes of the document that are or contain one of these
  let leaving = new Set(); // those of them that have no place in the fresh tree
  let claimed = new Set(); // nodes of the document that have their place
  let unseen = null; // the trees, until something comes, goes or moves, for which all this is needed

  function patchTree(old, fresh) {
    [twins, holders, leaving, claimed, unseen] = [new Map(), new Set(), new Set(), new Set(), [old, fresh]];
    patchNode(old, fresh);
    unseen = null;
    for (const node of leaving) if (dom.parentNode(node)) dom.removeChild(dom.parentNode(node), node);
  }

  function survey() {
    if (!unseen) return;
    const [old, fresh] = unseen;
    unseen = null;
    const known = named(old);
    for (const [name, element] of named(fresh)) {
      const own = element && known.get(name);
      if (!own || claimed.has(own)) continue;
      twins.set(element, own);
      for (let node = own; node !== old; node = dom.parentNode(node)) holders.add(node);
    }
  }

  // The document's own element for a fresh one that will be in `parent`.
  function adopt(fresh, parent) {
    const own = twins.get(fresh);
    if (!own || claimed.has(own) || dom.contains(own, parent)) return null;
    twins.delete(fresh);
    leaving.delete(own);
    claimed.add(own);
    return own;
  }

  // A fresh tree has come in: what the document has of it takes its place there.
  function adoptInside(root) {
    if (!twins.size || dom.nodeType(root) !== Node.ELEMENT_NODE) return;
    for (const element of dom.querySelectorAll(root, identified)) {
      const own = twins.has(element) && dom.contains(root, element) && adopt(element, dom.parentNode(element));
      if (!own) continue;
      const parent = dom.parentNode(element);
      place(parent, own, element);
      dom.removeChild(parent, element);
      patchNode(own, element);
    }
  }

  // MARK: What belongs to scripts

  // The words of `data-client`: `children`, names of attributes, `*` for all of them. As the server draws it.
  function isClients(node, word) {
    const text = dom.getAttribute(node, "data-client"); // which hardly any element has
    if (!text) return false;
    const words = text.split(/\s+/);
    const isAny = words.includes("*") && word !== "children" && word !== "data-client";
    return isAny || words.includes(word);
  }

  // The word for what a control shows.
  function stateOf(control) {
    if (control instanceof HTMLDetailsElement || control instanceof HTMLDialogElement) return "open";
    return isEditable(control) ? "children" : isBox(control) ? "checked" : "value";
  }

  // What our own script has put beside elements of the server's, and the attributes it has given them.
  const guests = new WeakSet();
  const held = new WeakMap();
  const hold = (element, ...names) => held.set(element, new Set(names));

  // Scripts that want to know when elements come, are drawn differently, and go.
  const watchers = new Set();
  const markup = new WeakMap(); // the server's last word on an element with parts of scripts
  let news = new Map(); // elements that the server draws differently now, and how

  function remember(root) {
    for (const element of [root, ...dom.querySelectorAll(root, "[data-client]")]) {
      if (dom.hasAttribute(element, "data-client")) markup.set(element, dom.outerHTML(element));
    }
  }

  function noteNews(old, fresh) {
    if (!watchers.size || ![...watchers].some(({ known }) => known.has(old))) return;
    const now = markup.get(fresh);
    const isNews = now === undefined ? !dom.isEqualNode(old, fresh) : now !== markup.get(old);
    if (isNews) news.set(old, fresh.cloneNode(true));
  }

  function inform(watcher) {
    const call = (name, ...about) => {
      try {
        watcher.hooks[name]?.(...about);
      } catch (error) {
        reportError(error); // the fault of a script is none of the page
      }
    };
    const found = new Set(page.querySelectorAll(watcher.selector));
    for (const element of [...watcher.known].filter((element) => !found.has(element))) {
      watcher.known.delete(element);
      call("removed", element);
    }
    for (const element of found) {
      if (watcher.known.has(element)) news.has(element) && call("updated", element, news.get(element));
      else watcher.known.add(element) && call("mounted", element);
    }
  }

  // Calls hooks for elements that a selector names: `mounted` for those that are there or come, `updated` with the
  // element as the server draws it now when that has changed, `removed` when they have gone. Returns how to stop.
  function watch(selector, hooks) {
    const watcher = { selector, hooks, known: new Set() };
    watchers.add(watcher);
    inform(watcher);
    return () => watchers.delete(watcher);
  }

  // MARK: Nodes

  function patchNode(old, fresh) {
    if (dom.nodeType(old) !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    noteNews(old, fresh);
    if (markup.has(fresh)) markup.set(old, markup.get(fresh));
    // `isEqualNode` ignores what is in templates.
    if (dom.isEqualNode(old, fresh) && !dom.querySelector(fresh, "template")) return;
    patchAttributes(old, fresh);
    if (!isEditable(old) && !isClients(fresh, "children")) patchChildren(old, fresh);
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
    const hasParts = dom.hasAttribute(fresh, "data-client");
    const holds = held.get(old);
    const isState = ({ name }) => (name === "open" && opens) || (hasParts && isClients(fresh, name));
    const isNeeded = ({ name }) => holds?.has(name) || (name === "tabindex" && old === focused() && lent.has(old));
    if (old instanceof HTMLInputElement && !isClients(fresh, "type")) patchType(old, fresh);
    for (const attribute of dom.attributes(fresh)) {
      const own = same(old, attribute);
      if (isState(attribute) || isNeeded(attribute) || own?.value === attribute.value) continue;
      if (own) own.value = attribute.value;
      else dom.setAttributeNode(old, attribute.cloneNode());
    }
    for (const attribute of [...dom.attributes(old)]) {
      if (isState(attribute) || isNeeded(attribute) || same(fresh, attribute)) continue;
      dom.removeAttributeNode(old, attribute);
    }
  }

  // Before the other attributes: a new type may write what was typed into `value`, and may move the caret.
  function patchType(old, fresh) {
    const type = dom.getAttribute(fresh, "type");
    if (dom.getAttribute(old, "type") === type) return;
    const { selectionStart, selectionEnd, selectionDirection } = old;
    if (type === null) dom.removeAttribute(old, "type");
    else dom.setAttribute(old, "type", type);
    const hasCaret = old === focused() && selectionStart !== null && old.selectionStart !== null;
    if (hasCaret) old.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  }

  function patchChildren(old, fresh) {
    const spare = new Map(); // by label, the first one last
    for (const node of [...dom.childNodes(old)].filter((node) => !guests.has(node)).reverse()) {
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
    const rest = [...spare.values()].flat();
    for (const [own, node] of pairs) if (own) [twins.delete(node), claimed.add(own)];
    if (rest.length || pairs.some(([own]) => !own)) survey();
    // What leaves goes first, so that what stays need not move; but not what will be found elsewhere.
    for (const node of rest) {
      if (holders.has(node)) leaving.add(node);
      else dom.removeChild(old, node);
    }
    const staying = (node) => {
      while (node && (leaving.has(node) || guests.has(node))) node = dom.nextSibling(node);
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

  const { moveBefore } = Element.prototype;
  const moveWhole = moveBefore && Function.prototype.call.bind(moveBefore);

  const isOurs = (node) => node.ownerDocument === document && dom.isConnected(node);

  // Where browsers can, without removing the node: it keeps its animations, and frames their pages. Elsewhere what
  // lies above the page is put there again: being removed, a modal dialog would become a part of the page.
  function move(parent, child, before) {
    const isMove = isOurs(child) && isOurs(parent);
    if (isMove && moveWhole) return void moveWhole(parent, child, before);
    const isElement = dom.nodeType(child) === Node.ELEMENT_NODE;
    const layers = isMove && isElement ? [child, ...dom.querySelectorAll(child, "dialog, [popover]")] : [];
    const [modal, popover] = ["dialog:modal", ":popover-open"]
      .map((selector) => layers.filter((node) => dom.matches(node, `:is(${selector})`)));
    dom.insertBefore(parent, child, before);
    for (const dialog of modal) {
      dom.removeAttribute(dialog, "open");
      dom.showModal(dialog);
    }
    for (const element of popover) HTMLElement.prototype.showPopover.call(element);
  }

  // Typing goes on: an element with the focus would lose it by being moved, and with it what
  // is being composed. So the others move around it.
  function place(parent, child, before) {
    const isHere = dom.parentNode(child) === parent;
    if (child === before || (isHere && dom.nextSibling(child) === before)) return;
    if (!isHere || !dom.contains(child, focused())) return void move(parent, child, before);
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

  // A row that has another name now is the same element: what in it is named after the row takes its new name from the
  // fresh one, as the form for it is still for the same thing.
  function rename(element, row, now, fresh) {
    const named = (root) => [...marks.map((mark) => [mark, `[${mark}]`]), ["value", fixed]].flatMap(([mark, selector]) =>
      select(root, selector).map((node) => [node, mark, `${dom.nodeName(node)} ${mark} ${dom.getAttribute(node, mark)}`]));
    const names = new Set(named(fresh).map(([, , name]) => name));
    for (const [node, mark] of named(element)) {
      const value = dom.getAttribute(node, mark) ?? "";
      const next = value.replaceAll(row, now);
      if (next !== value && names.has(`${dom.nodeName(node)} ${mark} ${next}`)) dom.setAttribute(node, mark, next);
    }
  }

  // Each row that is named is gone, has another name, looks different, or stands behind another row now. A few are
  // searched for, many are looked up in a table, as a search goes through the list.
  function patchRows(list, rows) {
    const known = rows.length > 8 ? rowsOf(list) : null;
    const find = (row) => (known ? known.get(row) : list.querySelector(`:scope > [data-row="${row}"]`));
    const need = (row) => {
      const element = find(row);
      if (!element) throw new Error(`There is no row ${row}.`);
      return element;
    };
    // All at once: they may have exchanged their names.
    const renamed = new Map(rows.filter(({ now }) => now).map(({ row, now }) => [now, { row, element: need(row) }]));
    const others = new Map();
    for (const { row, html, after, now } of rows) {
      if (now) {
        for (const { row } of renamed.values()) known?.delete(row);
        for (const [name, { row, element }] of renamed) {
          dom.setAttribute(element, "data-row", name);
          others.set(name, row);
          known?.set(name, element);
        }
        renamed.clear();
        continue;
      }
      const isNew = html !== undefined && after !== undefined && !find(row);
      let element = isNew ? null : need(row);
      if (html === undefined && after === undefined) dom.removeChild(list, element);
      if (html !== undefined) {
        const fresh = parse(list.localName, html).firstElementChild;
        if (isNew) note(fresh);
        else if (others.has(row)) rename(element, others.get(row), row, fresh);
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
    try {
      patchAll(lines, isRough);
    } finally {
      for (const watcher of watchers) inform(watcher);
      news = new Map();
    }
  }

  function patchAll(lines, isRough) {
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
  remember(page);
  return { apply, controls, focus, guests, hold, learn, read, restore, start, watch };
})();
