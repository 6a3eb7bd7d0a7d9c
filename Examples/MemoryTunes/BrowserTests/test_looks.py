# SPDX-License-Identifier: MIT
"""In forced colours, at large text, on a phone, and where there is nothing to see."""

import re

import pytest
from looks import ENLARGED, PHONE, difference, drawn, emoji, fits_enlarged, texts
from playwright.sync_api import expect
from test_access import SCREENS, bring


def test_forced_colours_show_open_and_closed_cards_and_the_category(server, open_tab):
    tab = open_tab(forced_colors="active")
    for name in ("New Game 🎲", "Choose Category 🎵"):
        assert drawn(tab.button(name).locator(".icon")) > 0.02
    bring(tab, "categories")
    chosen = tab.page.locator(".category[aria-pressed=true]")
    assert difference(chosen, tab.page.locator(".category[aria-pressed=false]").first) > 0.02
    tab.page.go_back()
    tab.new_game()
    assert drawn(tab.card(3)) > 0.02
    tab.click(0)
    tab.is_open(0)
    assert difference(tab.card(0), tab.card(3)) > 0.1


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_is_cut_or_covered_at_large_text_and_at_four_times_the_size(server, open_tab, screen):
    tab = open_tab(viewport=ENLARGED)
    bring(tab, screen)
    fits_enlarged(tab.page)


def test_the_end_of_a_game_offers_the_next_one(server, open_tab):
    tab = open_tab()
    bring(tab, "end")
    again = tab.alert.get_by_role("button", name="Play again")
    expect(again).to_be_focused()
    sizes = [button.bounding_box() for button in (again, tab.alert.get_by_role("button", name="OK"))]
    assert sizes[0]["width"] >= sizes[1]["width"] and sizes[0]["height"] >= sizes[1]["height"]
    tab.page.keyboard.press("Enter")
    expect(tab.alert).to_have_count(0)
    tab.is_dealt()
    assert set(tab.looks()) == {"closed"}


def test_an_address_that_leads_nowhere_says_so_and_offers_a_way_on(server, open_tab):
    tab = open_tab()
    page = tab.page.context.new_page()  # in which a browser may complain that there is no such document
    assert page.goto(tab.url + "/nowhere").status == 404
    expect(page.locator(".stage p")).to_have_text(
        "The address leads to no page. It may have been mistyped.")
    page.get_by_role("button", name="To the menu").click()
    expect(page).to_have_url(tab.url + "/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Menu")


def test_buttons_are_drawn_not_written(server, open_tab):
    tab = open_tab()
    for screen in SCREENS:
        bring(tab, screen)
        assert emoji(tab.page) == []
        tab.go("/")


def test_a_phone_does_not_speak_of_keys_and_clicks(server, open_tab):
    tab = open_tab(**PHONE)
    for screen in SCREENS:
        bring(tab, screen)
        assert [text for text in texts(tab.page) if re.search(r"\b(keys?|Ctrl|click)\b", text, re.I)] == []
        tab.go("/")
