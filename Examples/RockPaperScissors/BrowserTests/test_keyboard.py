# SPDX-License-Identifier: MIT
"""The game by keyboard only."""

import pytest
from playwright.sync_api import expect


def test_r_p_s_and_enter_play_whole_rounds(open_tab):
    tab = open_tab()
    press = tab.page.keyboard.press
    for round, (first, second, message) in enumerate(
        [("r", "p", "PLAYER 2 WINS!"), ("S", "S", "DRAW!"), ("p", "r", "PLAYER 1 WINS!")]
    ):
        expect(tab.page.locator(".round")).to_have_text(f"Round {round + 1}")
        tab.shows("PLAYER 1 - Choose your weapon:")
        press(first)
        tab.shows("PLAYER 2 - Choose your weapon:")
        press(second)
        tab.shows(message)
        press("Enter")
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.shows_score(1, 1)


def test_the_buttons_are_reached_by_tab_and_pressed_by_enter_and_space(open_tab):
    tab = open_tab()
    press = tab.page.keyboard.press
    for weapon in ("Rock", "Paper"):
        press("Tab")
        expect(tab.page.get_by_role("button", name=weapon)).to_be_focused()
    press("Enter")
    tab.shows("PLAYER 2 - Choose your weapon:")
    expect(tab.page.get_by_role("button", name="Paper")).to_be_focused()
    press("Tab")
    press("Space")
    tab.shows("PLAYER 2 WINS!")
    tab.shows_squares("Paper", "Scissors")
    # The pressed button rests now: the way on has the focus.
    expect(tab.page.get_by_role("button", name="Play again")).to_be_focused()
    press("Enter")
    tab.shows("PLAYER 1 - Choose your weapon:")
    expect(tab.page.locator(".round")).to_have_text("Round 2")


def test_enter_after_the_end_plays_one_new_round_wherever_the_focus_is(open_tab):
    tab = open_tab()
    rock = tab.page.get_by_role("button", name="Rock")
    rock.focus()
    tab.page.keyboard.press("Enter")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.keyboard.press("Enter")
    tab.shows("DRAW!")
    expect(rock).not_to_be_focused()
    tab.page.keyboard.press("Enter")
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.shows_squares("", "")
    expect(tab.page.locator(".round")).to_have_text("Round 2")


@pytest.mark.parametrize("chord", ["Control+p", "Alt+r", "Meta+s"])
def test_keys_that_belong_to_the_browser_play_nothing(open_tab, chord):
    tab = open_tab()
    tab.page.evaluate("window.print = () => {}")
    tab.page.keyboard.press(chord)
    tab.page.keyboard.press("x")
    tab.page.keyboard.press("r")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.keyboard.press("p")
    tab.shows_squares("Rock", "Paper")


def test_the_focus_can_be_seen(open_tab):
    tab = open_tab()
    tab.page.keyboard.press("Tab")
    width = tab.page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    assert width >= 3


def test_the_focus_stays_while_the_other_tab_plays(open_tab):
    left, right = open_tab(), open_tab()
    right.page.get_by_role("button", name="Scissors").focus()
    left.choose("Rock")
    right.shows("PLAYER 2 - Choose your weapon:")
    expect(right.page.get_by_role("button", name="Scissors")).to_be_focused()


def test_a_held_key_presses_once(open_tab):
    tab = open_tab()
    tab.page.get_by_role("button", name="Rock").focus()
    tab.page.keyboard.down("Enter")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.keyboard.down("Enter")
    tab.page.keyboard.down("Enter")
    tab.page.keyboard.up("Enter")
    tab.page.keyboard.down("p")
    tab.page.keyboard.down("p")
    tab.page.keyboard.up("p")
    tab.shows("PLAYER 2 WINS!")
    tab.shows_squares("Rock", "Paper")
