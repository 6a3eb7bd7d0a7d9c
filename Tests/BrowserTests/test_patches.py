# SPDX-License-Identifier: MIT
"""A patched page is the page that loading shows.

FUZZ_PAIRS  how many random pairs of documents are tried, 10,000 by default
FUZZ_SEED   the first pair's seed, 0 by default; pairs have consecutive seeds
"""

import os
import pathlib

import pytest
from playwright.sync_api import Error
from stage import SCRIPT

HERE = pathlib.Path(__file__).parent


def prepare(page, *changes, moves=True):
    """Loads fuzz.js and the patching, maybe with a fault in it."""
    text = (SCRIPT / "patch.js").read_text()
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    page.set_content("<!doctype html><body></body>")
    if not moves:
        page.evaluate("delete Element.prototype.moveBefore")
    page.add_script_tag(content=text)
    page.add_script_tag(path=HERE / "fuzz.js")
    return lambda call, *arguments: page.evaluate(f"args => fuzz.{call}(...args)", arguments)


@pytest.fixture(scope="module", params=["moving", "inserting"])
def fuzz(chromium, request):
    """Runs a function of fuzz.js, in a browser that can move nodes and in one that can't."""
    page = chromium.new_page()
    yield prepare(page, moves=request.param == "moving")
    page.close()


@pytest.mark.parametrize("kind, share", [("documents", 1), ("rows", 0.5), ("fragments", 0.1)])
def test_random_pairs(fuzz, request, kind, share):
    pairs = int(int(os.environ.get("FUZZ_PAIRS", 10_000)) * share / 2)
    first = int(os.environ.get("FUZZ_SEED", 0)) + (pairs if "inserting" in request.node.name else 0)
    for seed in range(first, first + pairs, 500):
        wrong = fuzz("run", kind, seed, min(seed + 500, first + pairs))
        assert wrong is None, wrong


@pytest.mark.parametrize("before, after, focus", [
    # The form's own members are hidden by its fields.
    ("<form><input name=children><input name=attributes><input name=getAttribute>1</form>",
     "<form><input name=children><input name=attributes><input name=getAttribute>2</form>", ""),
    ("<form name=querySelector><input name=isEqualNode></form><img name=activeElement>a",
     "<form name=body><input name=childNodes></form><img name=documentElement>b", ""),
    # A select shows what the options say, whichever elements they are.
    ("<select><option id=a>A</option><option id=b selected>B</option></select>",
     "<select><option id=b>B</option><option id=a selected>A</option></select>", "select"),
    ("<select><option id=b selected>B</option></select>",
     "<select><option id=a selected>A</option><option id=b selected>B</option></select>", ""),
    ("<select><option id=a>A</option><option id=b>B</option></select>",
     "<select><option id=b>B</option><option id=a>A</option></select>", ""),
    ("<select><option id=a selected>A</option><option id=b>B</option></select>",
     "<select><option id=b selected>B</option><option id=a selected>A</option></select>", ""),
    ("<select><option id=a selected>A</option></select>",
     "<select><option id=c>C</option><option id=a>A</option></select>", ""),
    ("<select multiple><option id=a selected>A</option><option id=b>B</option></select>",
     "<select multiple><option id=b selected>B</option><option id=a>A</option></select>", ""),
    # An option that leaves its select shows what it says itself, not what it was in there.
    ("<select><option id=a selected>A</option><option selected>B</option></select>",
     "<option id=a selected>A</option>", ""),
    ("<select><optgroup id=a><option selected>A</option></optgroup><option selected>B</option></select>",
     "<optgroup id=a><option selected>A</option></optgroup>", ""),
    ("<select><option id=a>A</option></select>", "<datalist><option id=a>A</option></datalist>", ""),
    # An input of another type is another input.
    ("<input type=hidden name=a value=1>", "<input type=checkbox name=a>", ""),
    ("<input type=text value=1>", "<input type=file>", ""),
    ("<input type=range min=1 max=4 value=5>", "<input type=range min=1 max=60 value=5>", ""),
    ("<svg><use/></svg>", "<svg><use xlink:href='#b'/></svg>", ""),
    ("<template><p>1</p></template>", "<template><p>2</p></template>", ""),
    ("<div><template>1</template></div>", "<div><template>2</template></div>", ""),
    ("<input type=checkbox>", "<input type=checkbox checked>", "input"),
    ("<input type=checkbox checked>", "<input type=checkbox>", "input"),
    ("<input value=1>", "<input value=2>", "input"),
    ("<input type=radio name=a checked><input type=radio name=a>",
     "<input type=radio name=a><input type=radio name=a checked>", "input"),
    ("<details><summary>S</summary>1</details>", "<details open><summary>S</summary>2</details>", ""),
    ("<details open><summary>S</summary>1</details>", "<details><summary>S</summary>2</details>", ""),
    ("<p id=a>1</p><p id=a>2</p>", "<p id=a>3</p><p id=a>4</p><p id=a>5</p>", ""),
    ("<p id=1>1</p><p data-key=1>2</p>", "<p data-key=1>3</p><p id=1>4</p>", ""),
    ("<p @click=1 [x]=2>1</p>", "<p @click=2 (y)=3>2</p>", ""),
    ("<tr><td>1", "<tr><td>2", ""),
    ("<h1 tabindex=-1>1</h1>", "<h1>2</h1>", "h1"),
    # What gets another parent has the focus there, at once where a browser can move nodes.
    ("<b><input id=a></b>", "<input id=a>", "input"),
    ("<div id=a><input></div>", "<p>1</p><b><div id=a><input></div></b>", "input"),
])
def test_pairs(fuzz, before, after, focus):
    wrong = fuzz("compareAt", before, after, focus)
    assert wrong is None, wrong


def test_what_is_equal_stays_untouched(fuzz):
    before = "<ul>" + "".join(f"<li id=i{n}><input value={n}><b>x</b></li>" for n in range(50)) + "</ul>"
    after = before.replace("<li id=i7><input value=7><b>x</b></li>", "").replace("value=9>", "value=10>")
    assert fuzz("changes", before, after) == ["UL childList", "INPUT attributes"]


# What some random pairs have to find.
FAULTS = [
    ("attributes keep their values", "if (own) own.value = attribute.value;", "if (own) continue;"),
    ("attributes that are gone stay", "dom.removeAttributeNode(old, attribute);", ""),
    ("nodes that are gone stay", "for (const node of rest) {", "for (const node of []) {"),
    ("what was typed is written into an attribute", "patchType(old, fresh);\n    for", "for"),
    ("a template keeps its content", "node instanceof HTMLTemplateElement ?", "false ?"),
    ("what the server checks stays as it was", "if (!kept.has(pair)) pair[1].show", "if (false) pair[1].show"),
    ("what a reader changed counts for nothing",
     "restore(control, before.get(control), now)", "now.show(control)"),
    ("a form's fields hide its own members", "const nodes = [...dom.childNodes(fresh)]",
     "const nodes = [...fresh.childNodes]"),
    ("what has the focus moves", "if (!isHere || !dom.contains(child, focused()))", "if (true)"),
    ("rows that move stay", "else if (after !== undefined) place(", "else if (!after) place("),
    ("a row that came is not looked up", "known?.set(row, element);", ""),
]


@pytest.mark.parametrize("old, new", [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS])
def test_a_fault_in_the_patching_is_found(chromium, old, new):
    page = chromium.new_page()
    fuzz = prepare(page, (old, new), moves=False)
    kinds = ["documents", "rows", "fragments"]
    assert any(is_found(fuzz, kind, first) for first in range(0, 2_000, 200) for kind in kinds)
    page.close()


def is_found(fuzz, kind, first):
    """Whether one of two hundred pairs is wrong; patching may also fail with an error."""
    try:
        return fuzz("run", kind, first, first + 200) is not None
    except Error:
        return True
