# SPDX-License-Identifier: MIT
"""In forced colours, at large text, on a phone, and where there is nothing to see."""

import re

import pytest
from looks import ENLARGED, PHONE, difference, drawn, emoji, fits_enlarged, texts
from playwright.sync_api import expect
from test_access import SCREENS, bring


def test_forced_colours_show_ticks_bins_and_the_chosen_filter(service, open_tab):
    tab = open_tab(forced_colors="active")
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    tab.is_done("Call Anna")
    assert difference(tab.check("Call Anna"), tab.check("Buy milk")) > 0.05
    assert drawn(tab.button("Delete: Buy milk")) > 0.02
    for name in ("Update", "Add task"):
        assert drawn(tab.button(name)) > 0.02
    chosen, other = tab.page.locator(".show a[aria-current]"), tab.page.locator(".show a").nth(1)
    assert difference(chosen, other) > 0.3
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    expect(tab.button("Undo")).to_be_enabled()
    assert drawn(tab.button("Undo")) > 0.02
    tab.open("Call Anna")
    assert drawn(tab.page.locator("#done")) > 0.05


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut_or_covered_at_large_text_and_at_four_times_the_size(service, open_tab, screen):
    tab = open_tab(viewport=ENLARGED)
    bring(tab, service, screen)
    fits_enlarged(tab.page)


def test_an_address_that_leads_nowhere_says_so_and_offers_a_way_on(open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    page = tab.page.context.new_page()  # in which a browser may complain that there is no such document
    for path, text in [("/nowhere", "There is nothing here."), ("/task/gone", "There is no such task.")]:
        assert page.goto(tab.url + path).status == 404
        expect(page.get_by_role("heading", level=2)).to_have_text(text)
        page.locator(".nothing").get_by_role("link", name="Tasks").click()
        expect(page).to_have_url(tab.url + "/")
        expect(page.locator(".task")).to_have_count(3)
    assert page.goto(tab.url + "/task/b").status == 200


def test_a_task_without_a_date_says_nothing_of_it_in_the_list(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    assert "--" not in texts(tab.page)
    expect(tab.row("Buy milk").locator(".date")).to_be_empty()


def test_a_list_that_could_not_be_updated_says_so_until_it_is(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.stop()
    tab.button("Update").click()
    tab.accept()
    expect(tab.page.locator(".activity")).to_have_text("Not up to date")
    service.start()
    tab.button("Update").click()
    expect(tab.page.locator(".activity")).to_have_text("")


def test_single_keys_can_be_switched_off_and_stay_off(open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    box = tab.page.get_by_role("checkbox", name=re.compile("^Keys"))
    box.uncheck()
    tab.page.locator("h1").click()
    tab.page.keyboard.press("/")
    tab.page.keyboard.press("n")
    expect(tab.page.get_by_role("searchbox")).not_to_be_focused()
    tab.page.reload()
    expect(box).not_to_be_checked()
    tab.page.locator("h1").click()
    tab.page.keyboard.press("n")
    box.check()
    tab.page.locator("h1").click()
    tab.page.keyboard.press("n")
    tab.is_at("/new")
    tab.page.go_back()
    # The first ones would have led to a new task before.
    assert tab.page.evaluate("history.state.at") == 0


def test_a_phone_does_not_speak_of_keys_and_clicks(open_tab):
    tab = open_tab(**PHONE)
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    assert [text for text in texts(tab.page) if re.search(r"\b(keys?|Ctrl|click)\b", text, re.I)] == []


def test_buttons_are_drawn_not_written(service, open_tab):
    for path in ("/", "/task/b", "/new"):
        tab = open_tab(path)
        expect(tab.page.get_by_role("heading", level=1)).to_be_attached()
        assert emoji(tab.page) == []
