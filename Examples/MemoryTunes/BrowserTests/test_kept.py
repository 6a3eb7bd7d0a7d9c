# SPDX-License-Identifier: MIT
"""Games that are kept in a folder outlive their program."""

import signal

from playwright.sync_api import expect


def test_an_open_game_goes_on_by_itself_after_the_program_was_killed(resting_server, open_tab, tmp_path):
    arguments = ["--offline", "--data", f"{tmp_path}/games"]
    resting_server.start(*arguments)
    tab, other = open_tab(), open_tab()
    tab.new_game()
    tab.click(0)
    tab.is_open(0)
    cover = tab.cover(0)
    other.new_game()
    other.click(5)
    other.is_open(5)
    for page in (tab.page, other.page):
        page.evaluate("window.isSame = true")

    resting_server.stop(by=signal.SIGKILL)
    expect(tab.page.get_by_text("reconnecting…")).to_be_visible()
    resting_server.start(*arguments)
    expect(tab.page.get_by_text("reconnecting…")).to_be_hidden()
    expect(other.page.get_by_text("reconnecting…")).to_be_hidden()
    tab.is_at("/game", "Pop")
    tab.is_open(0)
    assert tab.cover(0) == cover
    assert tab.looks().count("open") == 1 and other.looks()[5] == "open"
    tab.click(1)
    tab.is_open(1)
    expect(tab.page.locator("#moves")).to_have_text("1")
    for page in (tab.page, other.page):
        assert page.evaluate("window.isSame")
    tab.complaints.clear()  # the stream that broke
    other.complaints.clear()
