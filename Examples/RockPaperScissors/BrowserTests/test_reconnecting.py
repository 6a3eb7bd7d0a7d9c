# SPDX-License-Identifier: MIT
"""The server stops and comes back."""

import re
import signal

import pytest
from browsing import LOST_CONNECTION
from playwright.sync_api import expect

LOST = re.compile(LOST_CONNECTION)


def test_a_lost_server_is_said_and_a_restarted_one_is_noticed(open_tab, server, screenshot):
    tab = open_tab()
    tab.forgives = LOST
    status = tab.page.get_by_text("reconnecting…")
    expect(status).to_be_hidden()
    tab.choose("Rock")
    tab.shows_squares("chosen", "")

    assert server.stop() == 0
    expect(status).to_be_visible()
    assert status.evaluate("element => element.closest('[role=status]') !== null")
    screenshot(tab, "reconnecting")

    server.start()
    expect(status).to_be_hidden(timeout=30_000)
    tab.shows("PLAYER 1 - Choose your weapon:")
    tab.shows_squares("", "")
    tab.choose("Paper")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.choose("Rock")
    tab.shows("PLAYER 1 WINS!")


def test_a_restart_is_noticed_even_if_both_games_have_come_equally_far(open_tab, server):
    """Version 2 of the new game isn't taken for version 2 of the old one."""
    tab = open_tab()
    tab.forgives = LOST
    tab.choose("Rock")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.choose("Paper")
    tab.shows_squares("Rock", "Paper")
    server.stop()
    server.start()
    other = open_tab(java_script_enabled=False)
    other.choose("Scissors")
    other.shows("PLAYER 2 - Choose your weapon:")
    other.choose("Paper")
    expect(tab.square(1)).to_have_text("Scissors")
    tab.shows_squares("Scissors", "Paper")


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_the_program_ends_well_while_tabs_are_open(open_tab, server, by):
    tab = open_tab()
    tab.forgives = LOST
    tab.choose("Rock")
    tab.shows_squares("chosen", "")
    assert server.stop(by) == 0
