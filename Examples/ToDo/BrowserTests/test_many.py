# SPDX-License-Identifier: MIT
"""10,000 tasks: one changed row sends one row, and nothing else in the page is touched.

A page begins with 100 rows; here it has more of them at once, too.
"""

import json
import time

import pytest
from browsing import PATIENCE
from conftest import App, Service, Tab
from playwright.sync_api import expect

pytestmark = pytest.mark.patience
COUNT = 10_000
SHOWN = 1_600

TOUCHED = """() => {
    window.touched = new Set();
    const note = node => {
        const row = (node.closest ? node : node.parentElement)?.closest(".task");
        if (row) touched.add(row.dataset.row);
    };
    new MutationObserver(records => records.forEach(record => {
        // A pressed button's own sign that it works.
        if (record.attributeName === "aria-busy") return;
        note(record.target);
        [...record.addedNodes, ...record.removedNodes].forEach(note);
    })).observe(document.querySelector("ul"), {
        subtree: true, childList: true, attributes: true, characterData: true });
    received.length = 0;
}"""
# Presses a row's check button and waits until it looks pressed: milliseconds.
PRESS = """async id => {
    const button = document.querySelector(`[data-row="${id}"] .check`);
    const wanted = button.getAttribute("aria-pressed") === "true" ? "false" : "true";
    const begin = performance.now();
    button.click();
    while (document.querySelector(`[data-row="${id}"] .check`).getAttribute("aria-pressed") !== wanted) {
        await new Promise(requestAnimationFrame);
    }
    return performance.now() - begin;
}"""


@pytest.fixture(scope="module")
def many():
    service = Service([
        {"id": str(n), "name": f"Task {n}", "state": n % 2} for n in range(COUNT)])
    app = App(service.url)
    yield app
    app.stop()
    service.stop()


@pytest.fixture
def tab(chromium, many):
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(4_000 * PATIENCE)
    tab = Tab(context.new_page(), many.url)
    yield tab
    tab.check_complaints()
    context.close()


def shows(tab, count):
    # Drawing all rows takes its time in a program that isn't optimised.
    expect(tab.rows).to_have_count(count, timeout=4_000 * PATIENCE)


def rows_sent(tab):
    """The rows that came, with the bytes of each event's line."""
    lines = [json.loads(line) for event in tab.page.evaluate("received")
             for line in event.split("\n")]
    return [(row["row"], len(json.dumps(row))) for line in lines
            if line.get("key") == "tasks" for row in line["rows"]]


@pytest.mark.parametrize("path, count", [("/", 100), (f"/?rows={SHOWN}", SHOWN)])
def test_one_changed_row_sends_one_row(tab, path, count):
    tab.go(path)
    shows(tab, count)
    tab.page.evaluate(TOUCHED)
    number = str(count - 50)
    tab.page.evaluate(PRESS, number)
    expect(tab.page.locator(".activity")).to_have_text("")
    [(row, size)] = rows_sent(tab)
    assert row == number
    assert size < 1_000
    assert tab.page.evaluate("[...touched]") == [number]
    # With what else changes by it (the counts, what is under way), a few kilobytes travel.
    assert sum(map(len, tab.page.evaluate("received"))) < 8_000


def test_a_press_among_many_rows_shows_as_soon_as_one_among_few(tab, capsys):
    medians = {}
    for path, count in [("/", 100), (f"/?rows={SHOWN}", SHOWN)]:
        tab.go(path)
        shows(tab, count)
        times = sorted(tab.page.evaluate(PRESS, str(n)) for n in range(80, 91))
        medians[count] = times[5]
    with capsys.disabled():
        print(f" a press among 100 and {SHOWN} rows of {COUNT}: {list(medians.values())} ms", end="")
    # Sixteen times the rows: what grew with them would take that much longer.
    assert medians[SHOWN] < 8 * max(medians[100], 30)


def test_searching_among_all_tasks_is_quick(tab, capsys):
    tab.go("/")
    shows(tab, 100)
    expect(tab.page.get_by_role("navigation", name="Show")).to_contain_text("10000")
    begin = time.monotonic()
    tab.page.get_by_role("searchbox").fill("9999")
    shows(tab, 1)
    with capsys.disabled():
        print(f" found after {1_000 * (time.monotonic() - begin):.0f} ms", end="")
    tab.shows("Task 9999")


def test_more_rows_are_shown_until_all_are(tab):
    tab.go("/")
    for count in (100, 400, 1_600):
        shows(tab, count)
        more = tab.button(f"Show more ({COUNT - count} left)")
        if count < 1_600:
            more.click()
    tab.check("Task 1500").click()
    tab.is_done("Task 1500")
