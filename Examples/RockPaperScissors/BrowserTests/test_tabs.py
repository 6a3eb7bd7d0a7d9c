# SPDX-License-Identifier: MIT
"""One game for everybody: all tabs show the same moment."""


def test_two_tabs_show_the_same_game_at_the_same_moment(open_tab):
    left, right = open_tab(), open_tab()
    left.choose("Rock")
    for tab in (left, right):
        tab.shows("PLAYER 2 - Choose your weapon:")
        tab.shows_squares("chosen", "")
    right.choose("Paper")
    for tab in (left, right):
        tab.shows("PLAYER 2 WINS!")
        tab.shows_squares("Rock", "Paper")
        tab.shows_score(0, 1)
    left.play_again()
    for tab in (left, right):
        tab.shows("PLAYER 1 - Choose your weapon:")
        tab.shows_squares("", "")


def test_a_reload_and_a_later_tab_show_the_game_as_it_stands(open_tab):
    tab = open_tab()
    tab.choose("Scissors")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.reload()
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.shows_squares("chosen", "")
    tab.choose("Scissors")
    tab.shows("DRAW!")
    tab.page.reload()
    tab.shows("DRAW!")
    tab.shows_squares("Scissors", "Scissors")
    late = open_tab()
    late.shows("DRAW!")
    late.shows_squares("Scissors", "Scissors")


def test_the_other_tab_changes_only_what_changed(open_tab):
    """Elements that stay the same stay the same elements."""
    left, right = open_tab(), open_tab()
    right.page.evaluate("document.querySelector('h1').mark = 1")
    right.page.evaluate("document.querySelectorAll('.player')[1].querySelector('.score').mark = 2")
    right.page.evaluate("document.querySelector('#paper').mark = 3")
    left.choose("Rock")
    right.shows_squares("chosen", "")
    assert right.page.evaluate("document.querySelector('h1').mark") == 1
    assert right.page.evaluate(
        "document.querySelectorAll('.player')[1].querySelector('.score').mark") == 2
    assert right.page.evaluate("document.querySelector('#paper').mark") == 3
