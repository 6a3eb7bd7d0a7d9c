# SPDX-License-Identifier: MIT
"""Whatever a text holds, the browser's tree has it as that text, and nothing else came of it.

Scalars stand before, between and behind the five marks of HTML, in texts and in every kind of attribute, when
the page is loaded and when it is patched. What the texts are comes from the program as numbers.

TEXTPAGE_BINARY  the program of Tests/TextPage
"""

import json
import urllib.request

import pytest
from browsing import PATIENCE, end, note_violations, run

# How long a page of ten thousand texts may take before it counts as never.
LONG = 10 * PATIENCE

# Some of each class of grapheme breaks (Unicode Standard Annex 29), and what HTML treats apart.
CLASSES = {
    "CR, LF and NUL": [0x0D, 0x0A, 0x00],
    "Control": [0x01, 0x08, 0x0C, 0x7F, 0x85, 0xAD, 0x200B, 0x2028, 0x2060, 0xFEFF, 0xE0001, 0xE0FFE, 0xE0FFF],
    "Extend": [0x300, 0x301, 0x338, 0x20D2, 0x20E3, 0x5BF, 0x94D, 0xE31, 0x1F3FB, 0xFE0F, 0xE0100, 0x1D165],
    "ZWJ and ZWNJ": [0x200D, 0x200C],
    "Regional_Indicator": [0x1F1E6, 0x1F1FF],
    "Prepend": [0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0xD4E, 0x110BD,
                0x110CD, 0x111C2, 0x111C3, 0x113D1, 0x1193F, 0x11941, 0x11A3A, 0x11A84, 0x11A85, 0x11A86,
                0x11A87, 0x11A88, 0x11A89, 0x11D46, 0x11F02],
    "SpacingMark": [0x903, 0x93B, 0xE33, 0xEB3, 0x1D166],
    "L, V, T, LV and LVT": [0x1100, 0xA960, 0x1160, 0xD7B0, 0x11A8, 0xD7CB, 0xAC00, 0xAC01],
    "Extended_Pictographic": [0xA9, 0x2764, 0x1F600, 0x1F9D1, 0x1F468],
    "Indic conjuncts": [0x915, 0x94D, 0x9CD, 0x1039, 0x17D2],
    "other": [0x20, 0x2F, 0x3D, 0x60, 0x41, 0x3B, 0x23, 0xA0, 0xE9, 0x4E00, 0xD7FF, 0xE000, 0xFFFD, 0x10FFFF],
}
ALL = sorted({scalar for scalars in CLASSES.values() for scalar in scalars})

# Compares the page with the numbers: the first difference, or null. As browsers do, carriage returns are line
# feeds, and NUL is U+FFFD, or nothing between tags; a text area's first line feed is not its content.
COMPARE = """async () => {
    const numbers = await (await fetch("/texts/now")).json();
    const clean = (text) => text.replace(/\\r\\n?/g, "\\n");
    const texts = numbers.map((codes) => clean(codes.map((code) => String.fromCodePoint(code)).join("")));
    const inTags = (text) => text.replaceAll("\\0", "\\ufffd");
    const inText = (text) => text.replaceAll("\\0", "");
    const area = (text) => inTags(text).replace(/^\\n/, "");
    const attribute = (name, change = inTags) => [(node) => node.getAttribute(name), change];
    const content = (change = inText) => [(node) => node.textContent, change];
    const places = {
        text: [["p", content()]],
        double: [["i", attribute("title")]],
        single: [["i", attribute("title")]],
        link: [["a", attribute("href")]],
        query: [["a", [(node) => node.getAttribute("href").slice(4), inTags]]],
        field: [["input", attribute("value"), attribute("name"), attribute("placeholder")]],
        textarea: [["textarea", content(area)]],
        option: [["select"], ["option", attribute("value"), content()]],
        drawing: [["svg"], ["title", content()], ["text", content(inTags)]],
        math: [["math"], ["mi", attribute("title"), content()]],
        classes: [["i", attribute("class"), attribute("id"), attribute("data-key"), attribute("aria-label")]],
        cell: [["table"], ["tbody"], ["tr"], ["td", attribute("headers"), content()]],
        row: [["li", attribute("title"), attribute("data-text"), content()]],
    };
    const difference = (place, tag, at, is, wanted) => JSON.stringify({ place, tag, at, is, wanted });
    for (const [place, tags] of Object.entries(places)) {
        const root = document.querySelector(`[data-fragment="${place}"]`);
        const all = root.querySelectorAll("*").length;
        if (all !== tags.length * texts.length) return difference(place, "*", 0, all, tags.length * texts.length);
        for (const [tag, ...reads] of tags) {
            const nodes = root.getElementsByTagName(tag);
            if (nodes.length !== texts.length) return difference(place, tag, 0, nodes.length, texts.length);
            for (const [read, change] of reads) {
                for (let at = 0; at < texts.length; at++) {
                    const [is, wanted] = [read(nodes[at]), change(texts[at])];
                    if (is !== wanted) return difference(place, tag, at, is, wanted);
                }
            }
        }
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_PROCESSING_INSTRUCTION);
        if (walker.nextNode()) return difference(place, "comment", 0, walker.currentNode.data, "");
    }
    return texts.length;
}"""


class Texts:
    """The program, and a page that stays open."""

    def __init__(self, address, chromium):
        self.address = address
        self.changes = 0
        self.tab = chromium.new_context().new_page()
        self.tab.set_default_timeout(1_000 * LONG)
        self.complaints = []
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        note_violations(self.tab, self.complaints.append)
        self.tab.goto(address)

    def show(self, case, **fields):
        """Has the texts shown, and waits until the open page has them."""
        self.changes += 1
        body = {"type": f"TextAction/{case}", "request": f"change-{self.changes}", **fields}
        request = urllib.request.Request(
            self.address, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=LONG) as answer:
            assert json.load(answer) == {"result": "dispatched"}
        self.tab.wait_for_function(
            "change => document.getElementById('change').textContent === change", arg=str(self.changes))

    def check(self, count):
        """The open page, which was patched, and the same page loaded."""
        assert self.tab.evaluate(COMPARE) == count, "after a patch"
        self.tab.goto(self.address)
        assert self.tab.evaluate(COMPARE) == count, "when it is loaded"
        assert self.complaints == []


@pytest.fixture(scope="module")
def texts(chromium):
    process, address = run("TEXTPAGE_BINARY", "--port", "0")
    texts = Texts(address, chromium)
    yield texts
    texts.tab.context.close()
    assert end(process) == 0


@pytest.mark.parametrize("name", CLASSES)
def test_scalars_of_every_class_around_the_marks_stay_text(texts, name):
    texts.show("around", scalars=CLASSES[name])
    texts.check(len(CLASSES[name]))


@pytest.mark.parametrize("seed", range(4))
def test_random_texts_of_them_stay_text(texts, seed):
    texts.show("mix", scalars=ALL, seed=seed, count=500)
    texts.check(500)


def test_a_text_that_changes_in_place_stays_text(texts):
    for text in ["plain", "\u0d4e<\u0d4eimg src=x onerror=alert(1)\u0d4e>", "\"><script>alert(1)</script>", "&lt;b&gt;", "plain"]:
        texts.show("text", value=text)
        texts.check(1)


# Every scalar of Unicode, ten thousand a page, a hundred in each text: a browser takes a minute for a page of ten thousand
# form fields, and an hour for all of them.
TOGETHER = 100
PAGES = [(first, min(10_000, 0x110000 - first)) for first in range(0, 0x110000, 10_000)]


@pytest.mark.patience
@pytest.mark.parametrize("first, count", PAGES)
def test_all_scalars_around_the_marks_stay_text(texts, first, count):
    texts.show("range", first=first, count=count, together=TOGETHER)
    scalars = sum(not 0xD800 <= scalar <= 0xDFFF for scalar in range(first, first + count))
    texts.check(-(-scalars // TOGETHER))


def test_a_mark_that_is_not_escaped_is_found(texts):
    texts.show("around", scalars=[0x41])
    texts.tab.evaluate("document.querySelector('[data-fragment=text] p').innerHTML += '<b></b>'")
    assert texts.tab.evaluate(COMPARE) != 1
