# SPDX-License-Identifier: MIT
"""Of 1,000 rows only what changes is sent, and nothing else in the page is touched."""

import pytest
from playwright.sync_api import expect

# Marks each row's element and notes every row in which anything happens. That a pressed button says
# it works (`aria-busy`, where the answer takes a while) is no change of the page's content.
MARK = """() => {
    document.querySelectorAll("li").forEach(row => row.mark = row.dataset.row);
    window.touched = new Set();
    const note = node => {
        const row = (node.closest ? node : node.parentElement).closest("li");
        if (row) touched.add(row.dataset.row);
    };
    new MutationObserver(records => records.forEach(record => {
        if (record.attributeName === "aria-busy") return;
        note(record.target);
        [...record.addedNodes, ...record.removedNodes].forEach(note);
    })).observe(document.querySelector("ol"), {
        subtree: true, childList: true, attributes: true, characterData: true });
}"""
NEW = """() => [...document.querySelectorAll("li")].map(row => [row.mark, row.dataset.row])
    .filter(([mark, row]) => mark !== row).map(([_, row]) => row)"""
ROWS = "() => [...document.querySelectorAll('li')].map(row => row.dataset.row)"
DRAWN = """async () => {
    const html = await (await fetch("/")).text();
    const page = new DOMParser().parseFromString(html, "text/html");
    return [...page.querySelectorAll("li")].map(row => row.dataset.row);
}"""


def row(tab, number):
    return tab.locator(f"[data-row='{number}']")


def press(tab, number, button):
    row(tab, number).get_by_role("button", name=button).click()


def press_all(tab, *presses):
    """Presses one button after the other, and waits until the server has answered all of them."""
    answers = []
    tab.on("requestfinished", lambda request: request.method == "POST" and answers.append(request))
    for number, button in presses:
        press(tab, number, button)
    while len(answers) < len(presses):
        tab.wait_for_event("requestfinished")


@pytest.mark.parametrize("button, expected", [
    ("0", lambda rows: rows),
    ("Insert", lambda rows: rows[:500] + ["1000"] + rows[500:]),
    ("Remove", lambda rows: rows[:500] + rows[501:]),
    ("Raise", lambda rows: ["500"] + rows[:500] + rows[501:]),
])
def test_one_row_is_sent_and_one_element_touched(open_tab, button, expected):
    left, right = open_tab(), open_tab()
    before = left.evaluate(ROWS)
    assert len(before) == 1_000
    for tab in (left, right):
        tab.evaluate(MARK)
    row(left, 500).get_by_role("button", name=button, exact=True).click()
    wanted = expected(before)
    for tab in (left, right):
        tab.wait_for_function("() => received.length > 0")
        assert tab.evaluate(ROWS) == wanted
        # Where the button has the focus, it is the other rows that move.
        if (tab, button) != (left, "Raise"):
            assert tab.evaluate("[...touched]") == ["1000" if button == "Insert" else "500"]
        assert tab.evaluate(NEW) == (["1000"] if button == "Insert" else [])
        [rows] = [line for line in tab.evaluate("received.join('\\n')").split("\n")
                  if '"key":"rows"' in line]
        assert len(rows) < 700
        assert rows.count("<li ") == {"0": 1, "Insert": 1, "Remove": 0, "Raise": 0}[button]
    assert left.evaluate(DRAWN) == wanted
    if button in ("0", "Insert", "Raise"):
        assert left.evaluate("document.activeElement.closest('li').dataset.row") == "500"


def test_who_types_in_a_row_goes_on_typing_while_it_moves(open_tab):
    left, right = open_tab(), open_tab()
    field = row(right, 500).get_by_label("Title")
    field.fill("half a")
    field.evaluate("field => field.setSelectionRange(2, 4)")
    field.evaluate("field => field.mark = true")
    for button in ("0", "Insert", "Raise"):
        row(left, 500).get_by_role("button", name=button, exact=True).click()
    press(left, 3, "Remove")
    expect(right.get_by_role("heading")).to_have_text("1000 rows")
    expect(row(right, 3)).to_have_count(0)
    assert right.evaluate(ROWS)[:3] == ["500", "0", "1"]
    expect(row(right, 500).get_by_role("button", name="1", exact=True)).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("half a")
    assert field.evaluate("f => [f.selectionStart, f.selectionEnd, f.mark]") == [2, 4, True]


def test_many_changes_lead_to_the_list_as_the_server_draws_it(open_tab):
    left, right = open_tab(), open_tab()
    press_all(left, *(
        press for number in (999, 3, 500, 7, 0, 250)
        for press in ((number, "Raise"), (number, "Insert"),
                      (number + 1 if number < 900 else 901, "Remove"))))
    drawn = left.evaluate(DRAWN)
    for tab in (left, right):
        tab.wait_for_function(f"rows => ({ROWS})().join() === rows", arg=",".join(drawn))


def test_a_tab_that_missed_changes_gets_the_list_whole(open_tab):
    left, right = open_tab(), open_tab()
    right.context.route("**/events*", lambda route: route.abort())
    right.reload()
    expect(right.get_by_role("status")).to_have_text("reconnecting…")
    right.evaluate(MARK)
    press_all(
        left, (10, "Raise"), (10, "Remove"), (20, "Raise"), (20, "Remove"), (30, "Insert"))
    expect(left.get_by_role("heading")).to_have_text("999 rows")
    right.context.unroute("**/events*")
    expect(right.get_by_role("heading")).to_have_text("999 rows")
    assert right.evaluate(ROWS) == left.evaluate(DRAWN)
    assert right.evaluate(NEW) == ["1000"]


def test_the_list_works_without_script(open_tab):
    tab = open_tab(java_script_enabled=False)
    press(tab, 500, "Raise")
    expect(tab.locator("li").first).to_have_attribute("data-row", "500")
    expect(tab.locator("li")).to_have_count(1_000)
