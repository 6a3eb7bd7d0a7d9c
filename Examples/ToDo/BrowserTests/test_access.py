# SPDX-License-Identifier: MIT
"""For everybody: names, focus, contrast, motion, small screens."""

import re

import pytest
from contrasts import contrasts
from looks import SCHEMES, WIDTHS, boxes, recolour, resize
from playwright.sync_api import expect

SCREENS = ["list", "empty", "task", "new", "date", "trouble", "nothing"]
# What a dialog's shadow paints over the page behind it.
OVERLAYS = {"date": "rgb(10 8 30 / .55)"}


def bring(tab, service, screen):
    """Leads to a screen."""
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    if screen == "empty":
        tab.page.get_by_role("searchbox").fill("nothing like that")
        tab.shows()
    if screen in ("task", "date"):
        tab.open("Pay rent")
        tab.page.locator("#done").click()
        expect(tab.button("Discard changes")).to_be_visible()
    if screen == "new":
        tab.button("Add task").click()
        expect(tab.page.get_by_role("heading", level=2)).to_have_text("New task")
    if screen == "date":
        tab.page.locator("#due").click()
        expect(tab.page.get_by_role("dialog")).to_be_visible()
    if screen == "trouble":
        service.stop()
        tab.check("Buy milk").click()
        expect(tab.alert).to_be_visible()
        tab.accept()
    if screen == "nothing":
        tab.forgives = re.compile("404")  # the browser says that there is no such document
        tab.page.goto(tab.url + "/task/nothing")
        expect(tab.page.get_by_text("There is no such task.")).to_be_visible()


def test_everything_that_can_be_pressed_has_a_name(service, open_tab):
    tab = open_tab()
    for screen in ("list", "task"):
        bring(tab, service, screen)
        unnamed = tab.page.evaluate("""() => {
            const name = e => (e.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean)
                .map(id => document.getElementById(id)?.textContent).join(" ").trim()
                || e.getAttribute("aria-label") || [...(e.labels ?? [])].map(l => l.textContent).join("")
                || e.textContent.trim();
            return [...document.querySelectorAll("a, button, input:not([type=hidden]), textarea, dialog")]
                .filter(e => e.checkVisibility() && !name(e)).map(e => e.outerHTML);
        }""")
        assert unnamed == []
    assert tab.page.evaluate("""() => {
        const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
        return ids.filter((id, n) => ids.indexOf(id) !== n);
    }""") == []


def test_the_tab_key_leads_through_the_page_in_its_order(open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    names = []
    for _ in range(10):
        tab.page.keyboard.press("Tab")
        names.append(tab.page.evaluate(
            "(e => e.getAttribute('aria-label') || e.textContent.trim())(document.activeElement)"))
    assert names == [
        "Update", "Add task", "Search", "All 3", "To do 2", "Done 1", "Done: Buy milk",
        "Buy milk", "Delete: Buy milk", "Done: Call Anna"]


def test_the_focus_stays_on_a_pressed_check_button(service, open_tab):
    tab = open_tab()
    tab.check("Call Anna").press("Enter")
    tab.is_done("Call Anna", False)
    expect(tab.page.locator(".activity")).to_have_text("")
    expect(tab.check("Call Anna")).to_be_focused()


def test_the_focus_follows_the_screens(open_tab):
    tab = open_tab()
    tab.open("Call Anna")
    tab.title.press("Enter")
    tab.is_at("/")
    expect(tab.row("Call Anna").get_by_role("link")).to_be_focused()
    tab.page.keyboard.press("n")
    expect(tab.title).to_be_focused()
    tab.page.go_back()
    expect(tab.page.get_by_role("heading", level=1)).to_be_focused()


def test_a_live_region_says_how_many_tasks_there_are(open_tab):
    tab = open_tab()
    region = tab.page.get_by_role("status").filter(has=tab.page.locator("[data-fragment=news]"))
    expect(region).to_have_text("3 tasks")
    tab.page.get_by_role("searchbox").fill("milk")
    expect(region).to_have_text("1 task")


@pytest.mark.parametrize("screen", SCREENS)
def test_every_text_has_a_contrast_of_4_5_to_1(service, open_tab, screen):
    tab = open_tab()
    bring(tab, service, screen)
    hidden = ("Buy milk", "Call Anna", "Pay rent") if screen in OVERLAYS else ()
    for scheme in SCHEMES:
        recolour(tab.page, scheme)
        found = contrasts(tab.page, OVERLAYS.get(screen))
        assert len(found) >= 5
        assert [pair for pair in found if pair[1] < 4.5 and pair[0] not in hidden] == [], scheme


@pytest.mark.parametrize("screen", SCREENS)
def test_everything_fits_into_every_width(service, open_tab, screen):
    service.tasks[0]["notes"] = service.tasks[2]["notes"] = "w" * 200
    tab = open_tab(viewport={"width": WIDTHS[0], "height": 844})
    bring(tab, service, screen)
    for width in WIDTHS:
        resize(tab.page, width, 844)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        for box in boxes(tab.page.get_by_role("button").or_(tab.page.get_by_role("link"))):
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert min(box["width"], box["height"]) >= 44


def test_long_titles_fit(service, open_tab):
    service.tasks[0]["name"] = "Wordwithoutend" * 14
    tab = open_tab(viewport={"width": 320, "height": 700})
    tab.shows("Wordwithoutend" * 14, "Call Anna", "Pay rent")
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 320
    service.stop()
    tab.button("Delete: " + "Wordwithoutend" * 14).click()
    expect(tab.alert).to_be_visible()
    box = tab.alert.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 320
    tab.accept()


def test_who_wants_no_motion_gets_none(service, open_tab):
    service.gate.clear()
    tab = open_tab()
    expect(tab.page.locator(".spinner")).to_be_visible()
    assert tab.page.evaluate("document.getAnimations().length") == 0
    service.gate.set()


def test_it_works_without_script(service, open_tab):
    tab = open_tab(java_script_enabled=False)
    # Drawn before the service has answered, the page asks again by itself.
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    tab.row("Pay rent").get_by_role("link").click()
    tab.is_at("/task/c")
    tab.title.fill("Pay the rent")
    tab.button("Save").click()
    tab.is_at("/")
    tab.shows("Buy milk", "Call Anna", "Pay the rent")
    tab.page.get_by_role("searchbox").fill("rent")
    tab.page.keyboard.press("Enter")
    tab.is_at("/?search=rent")
    tab.shows("Pay the rent")
