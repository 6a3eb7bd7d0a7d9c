// SPDX-License-Identifier: MIT
"use strict";

// Random pairs of documents: what a page shows after the patch from the first to the second has to be
// what loading the second shows. A pair follows from its seed; one that fails is made small.
globalThis.fuzz = (() => {
  // A generator of numbers (mulberry32).
  function random(seed) {
    let state = seed >>> 0;
    const next = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
    const below = (count) => Math.floor(next() * count);
    return { below, chance: (share) => next() < share, pick: (list) => list[below(list.length)] };
  }

  // MARK: Documents, as trees that can be changed and made smaller

  const words = ["one", "two", "three", "a & b", "<b>", " ", "\n", "5", "2026-01-02", "#00ff00", ""];
  const ids = ["a", "b", "c", "children", "attributes", "id"];
  const names = [
    "a", "b", "children", "attributes", "getAttribute", "childNodes", "firstChild", "parentNode",
    "nodeName", "nodeType", "isEqualNode", "insertBefore", "querySelectorAll", "nextSibling",
    "replaceWith", "contains", "matches", "id", "name", "elements", "outerHTML", "innerHTML",
    "setAttributeNode", "namespaceURI", "localName", "isConnected", "removeChild", "action", "focus",
  ];
  const types = [
    "text", "hidden", "checkbox", "radio", "number", "range", "submit", "button", "file", "color",
    "date", "password", "search", "email", "reset", "unknown", "CHECKBOX",
  ];
  const flow = [
    "div", "p", "section", "ul", "ol", "table", "form", "fieldset", "details", "label", "span", "b",
    "button", "input", "input", "input", "select", "select", "textarea", "svg", "template", "dialog",
    "a", "h2", "output", "progress", "datalist", "pre", "math", "custom-element",
  ];
  const inside = {
    ul: ["li"], ol: ["li"], table: ["tbody", "tr", "caption", "form", "input"], tbody: ["tr", "template"],
    tr: ["td", "th", "form"], select: ["option", "optgroup", "option"], optgroup: ["option"],
    datalist: ["option"], svg: ["g", "use", "a", "circle", "text", "foreignObject", "style", "title"],
    g: ["use", "circle", "a"], math: ["mi", "mo"], details: ["summary", ...flow],
  };
  const empty = new Set(["input", "circle", "use", "progress", "output"]);
  const textual = new Set(["option", "textarea", "title", "style", "mi", "mo", "caption"]);

  function makeAttributes(r, tag) {
    const all = {};
    const maybe = (share, name, value) => r.chance(share) && (all[name] = value());
    maybe(0.2, "id", () => r.pick(ids));
    maybe(0.08, "data-key", () => r.pick(ids));
    maybe(0.05, "data-row", () => r.pick(ids));
    maybe(0.15, "class", () => r.pick(words));
    maybe(0.03, "tabindex", () => r.pick(["0", "-1"]));
    maybe(0.02, "@click", () => "odd");
    if (["input", "select", "textarea", "button", "form", "fieldset", "output"].includes(tag)) {
      maybe(0.7, "name", () => r.pick(names));
      maybe(0.05, "form", () => r.pick(ids));
      maybe(0.05, "disabled", () => "");
    }
    if (tag === "input") {
      maybe(0.9, "type", () => r.pick(types));
      maybe(0.7, "value", () => r.pick(words));
      maybe(0.4, "checked", () => "");
      maybe(0.2, "min", () => r.pick(["1", "10"]));
      maybe(0.2, "max", () => r.pick(["4", "60", "200"]));
    }
    if (tag === "select") {
      maybe(0.3, "multiple", () => "");
      maybe(0.2, "size", () => r.pick(["1", "3"]));
    }
    if (tag === "option") {
      maybe(0.4, "selected", () => "");
      maybe(0.5, "value", () => r.pick(words));
      maybe(0.1, "disabled", () => "");
    }
    if (tag === "use" || tag === "a") maybe(0.7, "xlink:href", () => r.pick(["#a", "#b"]));
    if (tag === "details" || tag === "dialog") maybe(0.5, "open", () => "");
    if (tag === "details") maybe(0.4, "name", () => r.pick(names));
    if (tag === "progress") maybe(0.7, "value", () => r.pick(["0.1", "0.9"]));
    return all;
  }

  function makeNode(r, parent, depth) {
    if (textual.has(parent) || (!inside[parent] && r.chance(0.25))) {
      return r.chance(0.1) ? { comment: r.pick(["x", "y"]) } : { text: r.pick(words) };
    }
    const tag = r.pick(inside[parent] ?? flow);
    return { tag, attributes: makeAttributes(r, tag), children: makeChildren(r, tag, depth + 1) };
  }

  function makeChildren(r, parent, depth) {
    if (empty.has(parent) || depth > 5) return [];
    const count = parent === "select" ? 1 + r.below(5) : r.below(depth < 2 ? 7 : 4);
    return Array.from({ length: count }, () => makeNode(r, parent, depth));
  }

  const makeDocument = (r) => ({ tag: "div", attributes: {}, children: makeChildren(r, "div", 0) });

  function nodes(root) {
    return [root, ...(root.children ?? []).flatMap(nodes)];
  }

  function mutate(r, document) {
    const copy = structuredClone(document);
    for (let count = 1 + r.below(5); count > 0; count -= 1) {
      const parents = nodes(copy).filter((node) => node.children && !empty.has(node.tag));
      const parent = r.pick(parents);
      const at = r.below(parent.children.length + 1);
      const child = parent.children[at];
      const change = r.below(7);
      if (change === 0 || !child) parent.children.splice(at, 0, makeNode(r, parent.tag, 3));
      else if (change === 1) parent.children.splice(at, 1);
      else if (change === 2) {
        parent.children.splice(at, 1);
        parent.children.splice(r.below(parent.children.length + 1), 0, child);
      } else if (change === 3) parent.children.splice(at, 0, structuredClone(child));
      else if (child.tag) child.attributes = makeAttributes(r, child.tag);
      else if (child.text !== undefined) child.text = r.pick(words);
    }
    return copy;
  }

  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

  function markup({ tag, attributes, children, text, comment }) {
    if (comment !== undefined) return `<!--${comment}-->`;
    if (text !== undefined) return escape(text);
    const list = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`);
    const start = `<${tag}${list.join("")}>`;
    return tag === "input" ? start : `${start}${children.map(markup).join("")}</${tag}>`;
  }

  // MARK: What is compared, read without a form's help

  const getter = (type, name) => {
    const { get, value } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return Function.prototype.call.bind(get ?? value);
  };
  const childNodes = getter(Node, "childNodes");
  const attributes = getter(Element, "attributes");
  const isAmong = (node, ...kinds) => kinds.some((kind) => node instanceof kind);

  function describe(node, forms, depth = 0) {
    const indent = "  ".repeat(depth);
    if (!(node instanceof Element)) return [`${indent}${node.nodeName} ${JSON.stringify(node.data)}`];
    const list = [...attributes(node)]
      .map(({ namespaceURI, name, value }) => `${namespaceURI ?? ""} ${name}=${JSON.stringify(value)}`);
    const state = [];
    if (isAmong(node, HTMLInputElement)) state.push(node.type, node.value, node.checked);
    if (isAmong(node, HTMLTextAreaElement)) state.push(node.value);
    if (isAmong(node, HTMLSelectElement)) state.push(node.selectedIndex);
    if (isAmong(node, HTMLOptionElement)) state.push(node.selected);
    if (isAmong(node, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement, HTMLButtonElement)) {
      state.push(`form ${forms.indexOf(node.form)}`);
    }
    const content = node instanceof HTMLTemplateElement ? [...node.content.childNodes] : [];
    const name = `${getter(Element, "namespaceURI")(node)} ${getter(Node, "nodeName")(node)}`;
    return [
      `${indent}${name} [${list.sort().join(", ")}] ${JSON.stringify(state)}`,
      ...[...content, ...childNodes(node)].flatMap((child) => describe(child, forms, depth + 1)),
    ];
  }

  function difference(patched, loaded) {
    const [left, right] = [patched, loaded].map((root) =>
      describe(root, [...root.querySelectorAll("form")]));
    const at = left.findIndex((line, index) => line !== right[index]);
    if (at < 0 && left.length === right.length) return null;
    const line = at < 0 ? left.length : at;
    return `patched: ${left[line] ?? "nothing"}\nloaded:  ${right[line] ?? "nothing"}`;
  }

  // MARK: One pair

  // Null for markup that ends the fragment's element, as nested buttons do.
  function load(html) {
    const text = `<!doctype html><body><div data-fragment="f">${html}</div>`;
    const { body } = new DOMParser().parseFromString(text, "text/html");
    const isWhole = body.childNodes.length === 1 && !/<(button|a)\b((?!<\/\1>).)*<\1\b/s.test(html);
    return isWhole ? body : null;
  }

  const body = getter(Document, "body")(document);
  const active = () => getter(Document, "activeElement")(document);
  const isConnected = getter(Node, "isConnected");

  const parentNode = getter(Node, "parentNode");

  function ancestors(node) {
    const parent = parentNode(node);
    return parent ? [parent, ...ancestors(parent)] : [];
  }

  // Without `moveBefore` an element can't get another parent and keep the focus: it gets it back.
  function mayBlink(focused, parents) {
    return !Element.prototype.moveBefore && ancestors(focused).some((node, index) => node !== parents[index]);
  }

  // Shows a document with the focus somewhere, patches it, and compares. `at` says where the focus is.
  function compare(before, lines, wanted, at) {
    body.innerHTML = before;
    onwardPatch.learn(body);
    const all = [...body.querySelectorAll("*")];
    const chosen = all[at % (all.length * 2)];
    if (chosen instanceof HTMLElement) HTMLElement.prototype.focus.call(chosen);
    const focused = active() === body ? null : active();
    const parents = focused ? ancestors(focused) : [];
    let losses = 0;
    focused?.addEventListener("blur", () => (losses += 1));
    try {
      onwardPatch.apply(lines);
    } catch (error) {
      return `${error.stack}`;
    }
    const wrong = difference(body, wanted);
    if (wrong || !focused || !isConnected(focused)) return wrong;
    if (active() === focused && (!losses || mayBlink(focused, parents))) return null;
    HTMLElement.prototype.focus.call(focused); // what can't have the focus any more may have lost it
    return active() === focused ? "The focus was lost." : null;
  }

  // MARK: Two documents

  const content = (document) => document.children.map(markup).join("");

  // What is wrong after the patch from one to the other; null if nothing is.
  function check([before, after], at) {
    const [first, second] = [before, after].map((document) => load(content(document)));
    if (!first || !second) return null;
    return compare(first.innerHTML, [{ key: "f", html: content(after) }], second, at)
      ?? checkReturn(content(before), first)
      ?? checkReader(first.innerHTML, content(after), second, at);
  }

  function checkReturn(html, wanted) {
    onwardPatch.apply([{ key: "f", html }]);
    return difference(body, wanted);
  }

  // What a reader typed or chose stays until the server draws something else.
  function checkReader(before, after, wanted, at) {
    const select = "input, textarea, select";
    body.innerHTML = before;
    onwardPatch.learn(body);
    const fields = [...body.querySelectorAll(select)].filter(({ type }) => touch[type]);
    const field = fields[at % fields.length];
    if (!field) return null;
    // A select of which nothing is chosen has the same value as an option without one.
    const show = ({ type, value, checked, selectedIndex } = field) => (
      type === "checkbox" ? `${value} ${checked}` : selectedIndex < 0 ? undefined : value);
    // A select that names no option says nothing of which is chosen.
    const say = (one) => {
      const isSilent = one.options && ![...one.options].some((option) => option.defaultSelected);
      return isSilent ? "nothing" : `"${show(one)}"`;
    };
    const said = say(field);
    const drawn = show();
    const kind = kindOf(field);
    touch[field.type](field);
    let typed = show();
    onwardPatch.apply([{ key: "f", html: after }]);
    if (!isConnected(field)) return null;
    const twin = wanted.querySelectorAll(select)[[...body.querySelectorAll(select)].indexOf(field)];
    const now = show(twin);
    const isReadable = kind === kindOf(twin);
    if (isReadable && twin instanceof HTMLInputElement && kind === "text") {
      const probe = twin.cloneNode(); // a new type may not take what was typed
      probe.value = typed;
      typed = probe.value;
    }
    const isThere = !field.options || [...field.options].some(({ value }) => value === typed);
    const isReaders = typed !== drawn && say(twin) === said && isThere && isReadable;
    const expected = isReaders ? typed : now;
    return show() === expected ? null : `The reader left ${typed}, sees ${show()}, not ${expected}.`;
  }

  function kindOf({ type }) {
    if (/^(checkbox|radio)$/.test(type)) return "box";
    return /^(hidden|button|submit|reset|image|file)$/.test(type) ? "fixed" : "text";
  }

  const type = (field) => (field.value = "typed");
  const touch = {
    text: type, password: type, search: type, textarea: type,
    checkbox: (field) => (field.checked = !field.checked),
    "select-one": (field) => (field.selectedIndex = field.options.length - 1),
  };

  function* smaller(root) {
    for (const node of nodes(root)) {
      for (const index of (node.children ?? []).keys()) {
        const [child] = node.children.splice(index, 1);
        yield;
        node.children.splice(index, 0, ...(child.children ?? []));
        if (child.children?.length) yield;
        node.children.splice(index, child.children?.length ?? 0, child);
      }
      for (const name of Object.keys(node.attributes ?? {})) {
        const value = node.attributes[name];
        delete node.attributes[name];
        yield;
        node.attributes[name] = value;
      }
    }
  }

  // The pair without all that isn't needed to fail.
  function shrink(pair, at) {
    let best = structuredClone(pair);
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false;
      for (const side of [0, 1]) {
        const trial = structuredClone(best);
        for (const _ of smaller(trial[side])) {
          if (!check(trial, at)) continue;
          best = structuredClone(trial);
          isSmaller = true;
          break;
        }
      }
    }
    return best;
  }

  function makePair(seed) {
    const r = random(seed);
    const first = makeDocument(r);
    const second = r.chance(0.75) ? mutate(r, first) : makeDocument(r);
    return { pair: [first, second], at: r.below(1_000) };
  }

  // MARK: Rows

  // A list, another one, and the steps from one to the other, each row an element of its own.
  function makeRows(seed) {
    const r = random(seed);
    const container = r.pick(["ul", "tbody", "div"]);
    const tags = { ul: ["li"], tbody: ["tr"], div: ["div", "section", "form", "details"] }[container];
    const draw = (row) => {
      const field = `<input name="${r.pick(names)}" value="${r.below(3)}"><input type="radio" name="pick"`;
      const inner = `${field} CHECKED><button>${r.pick(["x", "y"])}</button>`;
      const tag = r.pick(tags);
      return `<${tag} data-row="${row}">${tag === "tr" ? `<td>${inner}</td>` : inner}</${tag}>`;
    };
    const shuffled = (list) => list.map((row) => [r.below(1e6), row]).sort().map(([, row]) => row);
    // One row of the list is chosen.
    const choose = (list, chosen = r.below(list.length * 2)) => list
      .map(([row, html], index) => [row, html.replace(" CHECKED", index === chosen ? " checked" : "")]);
    // Few are searched for, many are looked up.
    const count = r.chance(0.3) ? 20 : 6;
    const all = Array.from({ length: count }, (_, index) => `${index + 1}`);
    const old = shuffled(all).slice(r.below(6)).map((row) => [row, draw(row)]);
    const added = `${count + 1}`;
    const rows = [...old, [added, draw(added)]];
    const next = (r.chance(0.5) ? shuffled(rows) : rows).filter(() => r.chance(0.85))
      .map(([row, html]) => [row, r.chance(0.6) ? html : draw(row)]);
    const [first, second] = [choose(old), choose(next)];
    const known = new Map(first);
    const wanted = new Map(second);
    const order = first.map(([row]) => row).filter((row) => wanted.has(row));
    const steps = first.filter(([row]) => !wanted.has(row)).map(([row]) => ({ row }));
    let previous = null;
    second.forEach(([row, html], index) => {
      const step = { row };
      if (known.get(row) !== html) step.html = html;
      if (order[index] !== row) {
        if (order.includes(row)) order.splice(order.indexOf(row), 1);
        order.splice(index, 0, row);
        step.after = previous;
      }
      previous = row;
      if (Object.keys(step).length > 1) steps.push(step);
    });
    const page = (list) => {
      const inner = `<${container} data-fragment="f">${list.map(([, html]) => html).join("")}</${container}>`;
      return container === "tbody" ? `<table>${inner}</table>` : inner;
    };
    return { before: page(first), after: page(second), steps, at: r.below(1_000) };
  }

  function checkRows(seed) {
    const { before, after, steps, at } = makeRows(seed);
    const wanted = new DOMParser().parseFromString(`<!doctype html>${after}`, "text/html").body;
    const wrong = compare(before, [{ key: "f", rows: steps }], wanted, at);
    return wrong && `from ${before}\nto   ${after}\nby   ${JSON.stringify(steps)}\nfocus ${at}\n${wrong}`;
  }

  // MARK: Fragments

  // A layout with a place for some fragments and for the list of the others, as a server draws it.
  function checkFragments(seed) {
    const r = random(seed);
    const all = ["a", "b", "c", "d", "e"];
    const [placed, listed] = r.chance(0.5) ? [["a", "b", "c"], false] : [[], true];
    const choose = () => all.filter(() => r.chance(0.6)).sort(() => r.below(3) - 1);
    const [first, second] = [choose(), choose()];
    const element = (key) => `<div data-fragment="${key}"><button id="${key}">${key}</button></div>`;
    const place = (keys) => (key) => `<!--fragment ${key}-->${keys.includes(key) ? element(key) : ""}`;
    const list = (keys) => (listed ? `<!--fragments-->${keys.map(element).join("")}` : "");
    const page = (keys) =>
      `<h1>H</h1><aside>${placed.map(place(keys)).join("")}</aside><main><p>M</p>${list(keys)}<p>E</p></main>`;
    const wanted = new DOMParser().parseFromString(`<!doctype html>${page(second)}`, "text/html").body;
    const lines = second.filter((key) => !first.includes(key))
      .map((key) => ({ key, html: `<button id="${key}">${key}</button>` }));
    const wrong = compare(page(first), [{ keys: second }, ...lines], wanted, r.below(1_000));
    return wrong && `from ${page(first)}\nto   ${page(second)}\n${wrong}`;
  }

  function checkDocuments(seed) {
    const { pair, at } = makePair(seed);
    if (!check(pair, at)) return null;
    const small = shrink(pair, at);
    return `from ${content(small[0])}\nto   ${content(small[1])}\nfocus ${at}\n${check(small, at)}`;
  }

  const kinds = { documents: checkDocuments, rows: checkRows, fragments: checkFragments };

  // Tries a kind with the seeds from one to before another: what failed first, or null.
  function run(kind, from, to) {
    for (let seed = from; seed < to; seed += 1) {
      const wrong = kinds[kind](seed);
      if (wrong) return `seed ${seed}\n${wrong}`;
    }
    return null;
  }

  // MARK: Chosen pairs

  const wrap = (html) => `<div data-fragment="f">${html}</div>`;

  function compareAt(before, after, selector) {
    const { body: wanted } = new DOMParser().parseFromString(`<!doctype html>${wrap(after)}`, "text/html");
    const first = new DOMParser().parseFromString(wrap(before), "text/html");
    const all = [...first.body.querySelectorAll("*")];
    const at = selector ? all.indexOf(first.querySelector(`div ${selector}`)) : 0;
    return compare(wrap(before), [{ key: "f", html: after }], wanted, at);
  }

  // What an observer sees of a patch.
  function changes(before, after) {
    body.innerHTML = wrap(before);
    onwardPatch.learn(body);
    const observer = new MutationObserver(() => {});
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(body, all);
    onwardPatch.apply([{ key: "f", html: after }]);
    const records = observer.takeRecords();
    observer.disconnect();
    return records.map(({ target, type }) => `${target.nodeName} ${type}`);
  }

  return { changes, compareAt, run };
})();
