# SPDX-License-Identifier: MIT
"""For everybody: names, focus, contrast, motion, small screens."""

import pytest
from contrasts import contrasts
from looks import SCHEMES, WIDTHS, boxes, recolour, resize
from playwright.sync_api import expect

SCREENS = ["menu", "categories", "game", "end"]


def bring(tab, screen):
    """Leads to a screen."""
    if screen == "categories":
        tab.button("Choose Category 🎵").click()
        tab.is_at("/categories", "Categories")
    if screen in ("game", "end"):
        tab.new_game()
        tab.click(0)
        tab.is_open(0)
    if screen == "end":
        tab.page.reload()
        tab.is_dealt()
        tab.click(0)
        tab.play(tab.click)
        expect(tab.alert).to_be_visible()


def test_every_card_says_where_it_is_and_what_can_be_seen(server, open_tab):
    tab = open_tab()
    tab.new_game()
    for number in range(16):
        name = f"Row {number // 4 + 1}, column {number % 4 + 1}: closed"
        expect(tab.page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    tab.click(6)
    tab.is_open(6)
    label = tab.card(6).get_attribute("aria-label")
    assert label.startswith("Row 2, column 3: cover ") and len(label) > len("Row 2, column 3: cover A")


def test_a_live_region_reports_what_happened_and_outlives_every_change(server, open_tab):
    tab = open_tab()
    region = tab.page.get_by_role("status").filter(has=tab.page.locator("[data-fragment=news]"))
    region.evaluate("element => { element.mark = 'the same' }")
    tab.new_game()
    expect(region).to_contain_text("The cards are dealt.")
    tab.click(0)
    expect(region).to_contain_text("Row 1, column 1: cover")
    tab.click(1)
    expect(region).to_contain_text("pair")
    assert region.evaluate("element => element.mark") == "the same"


def test_a_new_screen_begins_at_its_heading(server, open_tab):
    tab = open_tab()
    tab.button("Choose Category 🎵").click()
    tab.is_at("/categories", "Categories")
    expect(tab.heading).to_be_focused()
    tab.page.go_back()
    tab.is_at("/", "Menu")
    expect(tab.heading).to_be_focused()


def test_the_focus_stays_on_the_tapped_card(server, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.card(9).focus()
    tab.page.keyboard.press("Enter")
    tab.is_open(9)
    expect(tab.page.locator("#time")).to_have_text("0:02")
    expect(tab.card(9)).to_be_focused()


@pytest.mark.parametrize("screen", SCREENS)
def test_every_text_has_a_contrast_of_4_5_to_1(server, open_tab, screen):
    tab = open_tab()
    bring(tab, screen)
    for scheme in SCHEMES:
        recolour(tab.page, scheme)
        found = contrasts(tab.page)
        assert len(found) >= 5
        assert [pair for pair in found if pair[1] < 4.5] == [], scheme


@pytest.mark.parametrize("screen", SCREENS)
def test_everything_fits_into_every_width(server, open_tab, screen):
    tab = open_tab(viewport={"width": WIDTHS[0], "height": 844})
    bring(tab, screen)
    for width in WIDTHS:
        resize(tab.page, width, 844)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
        for box in boxes(tab.page.get_by_role("button")):
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert min(box["width"], box["height"]) >= 44


def test_cards_are_80_by_80_teal_and_rounded(server, open_tab):
    for size in ({"width": 390, "height": 844}, {"width": 1280, "height": 800}):
        tab = open_tab(viewport=size)
        tab.new_game()
        box = tab.card(0).bounding_box()
        assert (box["width"], box["height"]) == (80, 80)
        style = tab.card(0).evaluate(
            "card => (s => [s.backgroundColor, s.borderRadius])(getComputedStyle(card))")
        assert style == ["rgb(13, 124, 128)", "14px"]


def test_covers_fade_in_and_out_within_0_3_seconds(server, open_tab):
    tab = open_tab(reduced_motion="no-preference")
    tab.new_game()
    fade = "card => (s => [s.animationName, s.animationDuration])(getComputedStyle(card))"
    tab.click(0)
    tab.is_open(0)
    assert tab.card(0).locator("img").evaluate(fade) == ["appear", "0.3s"]
    for number in range(1, 16):
        if tab.looks().count("open") == 2:
            break
        tab.click(number)
        tab.is_open(number)
    pair = [number for number in range(16) if tab.looks()[number] == "open"]
    third = next(number for number in range(16) if tab.looks()[number] == "closed")
    tab.click(third)
    tab.is_open(third)
    assert tab.card(pair[0]).locator("img").evaluate(fade) == ["vanish", "0.3s"]


def test_who_wants_no_motion_gets_none(server, open_tab):
    tab = open_tab()
    bring(tab, "game")
    assert tab.page.evaluate("document.getAnimations().length") == 0
