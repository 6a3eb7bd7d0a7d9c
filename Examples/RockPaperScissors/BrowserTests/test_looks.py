# SPDX-License-Identifier: MIT
"""In forced colours, at large text, and on a phone."""

import re

import pytest
from looks import ENLARGED, PHONE, difference, drawn, emoji, fits_enlarged, texts
from playwright.sync_api import expect
from test_access import STATES, bring


def test_forced_colours_show_weapons_squares_and_who_has_won(open_tab):
    tab = open_tab(forced_colors="active")
    for name in ("Rock", "Paper", "Scissors"):
        assert drawn(tab.page.get_by_role("button", name=name).locator("img")) > 0.02
    empty = tab.square(2)
    bring(tab, "turn-2")
    assert difference(tab.square(1), empty) > 0.02
    tab.choose("Scissors")
    tab.shows("PLAYER 1 WINS!")
    assert drawn(tab.square(2)) > 0.02
    assert drawn(tab.page.get_by_role("button", name="Play again")) > 0.02


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_cut_or_covered_at_large_text_and_at_four_times_the_size(open_tab, state):
    tab = open_tab(viewport=ENLARGED)
    bring(tab, state)
    fits_enlarged(tab.page)


@pytest.mark.parametrize("way", ["click", "key"])
def test_after_a_round_the_focus_is_on_play_again(open_tab, way):
    tab = open_tab()
    for weapon in ("Rock", "Paper"):
        button = tab.page.get_by_role("button", name=weapon)
        if way == "click":
            button.click()
        else:
            button.press("Enter")
        if weapon == "Rock":
            tab.shows("PLAYER 2 - Choose your weapon:")
    again = tab.page.get_by_role("button", name="Play again")
    expect(again).to_be_focused()
    tab.page.keyboard.press("Enter")
    tab.shows("PLAYER 1 - Choose your weapon:")


def test_keys_can_be_switched_off_and_stay_off(open_tab):
    tab = open_tab()
    box = tab.page.get_by_role("checkbox", name="Play by keys")
    box.uncheck()
    expect(tab.page.locator("kbd").first).to_be_hidden()
    tab.page.reload()
    expect(box).not_to_be_checked()
    tab.page.locator("h1").click()
    tab.page.keyboard.press("r")
    box.check()
    tab.page.locator("h1").click()
    tab.page.keyboard.press("p")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.keyboard.press("r")
    tab.shows("PLAYER 1 WINS!")


def test_a_phone_shows_no_keys(open_tab):
    tab = open_tab(**PHONE)
    for state in STATES[:3]:
        bring(tab, state)
        for key in tab.page.locator("kbd").all():
            expect(key).to_be_hidden()
        assert [text for text in texts(tab.page) if re.search(r"\b(keys?|Ctrl|click|Enter)\b", text, re.I)] == []
        if state == "turn-2":
            tab.choose("Rock")
            tab.play_again()
    assert emoji(tab.page) == []
