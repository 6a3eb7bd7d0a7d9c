# SPDX-License-Identifier: MIT
"""The game by plain forms."""

from playwright.sync_api import expect


def test_a_full_round_is_played_with_the_script_disabled(open_tab, server):
    tab = open_tab(java_script_enabled=False)
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.choose("Paper")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.shows_squares("chosen", "")
    tab.choose("Rock")
    tab.shows("PLAYER 1 WINS!")
    tab.shows_squares("Paper", "Rock")
    tab.shows_score(1, 0)
    expect(tab.page.get_by_role("button", name="Rock")).to_be_disabled()
    tab.play_again()
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.shows_score(1, 0)
    assert tab.page.url.rstrip("/") == server.url


def test_reloading_after_a_post_plays_nothing(open_tab):
    tab = open_tab(java_script_enabled=False)
    tab.choose("Rock")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.reload()
    tab.page.reload()
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.shows_squares("chosen", "")


def test_a_click_on_an_old_page_plays_nothing_and_says_so(open_tab):
    old, other = open_tab(java_script_enabled=False), open_tab()
    other.choose("Rock")
    other.shows("PLAYER 2 - Choose your weapon:")
    with old.page.expect_response(lambda response: response.request.method == "POST") as answer:
        old.choose("Paper")
    assert answer.value.status == 409
    other.shows("PLAYER 2 - Choose your weapon:")
    other.shows_squares("chosen", "")
    old.shows("PLAYER 2 - Choose your weapon:")


def test_a_tab_without_script_and_one_with_it_play_together(open_tab):
    plain, live = open_tab(java_script_enabled=False), open_tab()
    plain.choose("Scissors")
    plain.shows("PLAYER 2 - Choose your weapon:")
    live.shows("PLAYER 2 - Choose your weapon:")
    live.choose("Paper")
    live.shows("PLAYER 1 WINS!")
    plain.page.reload()
    plain.shows("PLAYER 1 WINS!")
