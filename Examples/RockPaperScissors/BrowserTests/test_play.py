# SPDX-License-Identifier: MIT
"""A round, as two players see it."""

import re

import pytest
from playwright.sync_api import expect

PAIRS = [
    ("Rock", "Rock", "DRAW!"),
    ("Rock", "Paper", "PLAYER 2 WINS!"),
    ("Rock", "Scissors", "PLAYER 1 WINS!"),
    ("Paper", "Rock", "PLAYER 1 WINS!"),
    ("Paper", "Paper", "DRAW!"),
    ("Paper", "Scissors", "PLAYER 2 WINS!"),
    ("Scissors", "Rock", "PLAYER 2 WINS!"),
    ("Scissors", "Paper", "PLAYER 1 WINS!"),
    ("Scissors", "Scissors", "DRAW!"),
]


@pytest.mark.parametrize("first, second, message", PAIRS)
def test_a_round_runs_from_the_first_choice_to_its_message(open_tab, first, second, message):
    tab = open_tab()
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.shows_squares("", "")
    tab.choose(first)
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.shows_squares("chosen", "")
    tab.choose(second)
    tab.shows(message)
    tab.shows_squares(first, second)


def test_after_the_end_the_weapons_rest_until_play_again(open_tab):
    tab = open_tab()
    expect(tab.page.get_by_role("button", name="Play again")).to_have_count(0)
    tab.choose("Rock")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.choose("Paper")
    for weapon in ("Rock", "Paper", "Scissors"):
        expect(tab.page.get_by_role("button", name=weapon)).to_be_disabled()
    tab.play_again()
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.shows_squares("", "")
    expect(tab.page.get_by_text("Round 2")).to_be_visible()
    for weapon in ("Rock", "Paper", "Scissors"):
        expect(tab.page.get_by_role("button", name=weapon)).to_be_enabled()
    expect(tab.page.get_by_role("button", name="Play again")).to_have_count(0)


def test_the_score_is_kept_over_the_rounds(open_tab):
    tab = open_tab()
    tab.shows_score(0, 0)
    for first, second, score in [
        ("Rock", "Scissors", (1, 0)),
        ("Paper", "Paper", (1, 0)),
        ("Scissors", "Rock", (1, 1)),
        ("Paper", "Rock", (2, 1)),
    ]:
        tab.choose(first)
        tab.shows("PLAYER 2 - Choose your weapon:")
        tab.choose(second)
        tab.shows_score(*score)
        tab.play_again()
        tab.shows("PLAYER 1 - Choose your weapon:")
        tab.shows_score(*score)


def test_the_first_weapon_is_nowhere_in_the_document_before_the_end(open_tab):
    """Everything the browser knows is the same whatever player 1 has chosen."""
    known = set()
    tab = open_tab()
    for weapon in ("Rock", "Paper", "Scissors"):
        tab.choose(weapon)
        tab.shows("PLAYER 2 - Choose your weapon:")
        known.add(tab.page.locator(".board").evaluate("board => board.outerHTML"))
        tab.choose("Rock")
        tab.play_again()
        tab.shows("PLAYER 1 - Choose your weapon:")
        tab.page.evaluate("document.activeElement.blur()")
    assert len({re.sub(r"(Score </span>)\d+", r"\1", html) for html in known}) == 1
    assert not any("weapon" in html for html in known)
