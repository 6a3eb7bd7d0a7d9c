# SPDX-License-Identifier: MIT
"""A game that is kept in a folder outlives its program."""

import re
import signal
import subprocess
import os

import pytest
from browsing import LOST_CONNECTION, PATIENCE
from playwright.sync_api import expect

LOST = re.compile(LOST_CONNECTION)


@pytest.fixture
def kept_server(server, tmp_path):
    """The program with a folder."""
    server.stop()
    server.arguments = ["--data", f"{tmp_path}/game"]
    server.start()
    return server


def test_an_open_page_goes_on_by_itself_after_the_program_was_killed(open_tab, kept_server):
    tab = open_tab()
    tab.forgives = LOST
    for player_1, player_2 in [("Rock", "Scissors"), ("Paper", "Scissors")]:
        tab.choose(player_1)
        tab.shows("PLAYER 2 - Choose your weapon:")
        tab.choose(player_2)
        tab.play_again()
        tab.shows("PLAYER 1 - Choose your weapon:")
    tab.choose("Rock")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.evaluate("window.isSame = true")

    kept_server.stop(by=signal.SIGKILL)
    expect(tab.page.get_by_text("reconnecting…")).to_be_visible()
    kept_server.start()
    expect(tab.page.get_by_text("reconnecting…")).to_be_hidden()
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.shows_squares("chosen", "")
    tab.shows_score(1, 1)
    tab.choose("Paper")
    tab.shows("PLAYER 2 WINS!")
    tab.shows_squares("Rock", "Paper")
    tab.shows_score(1, 2)
    assert tab.page.evaluate("window.isSame")


def test_a_page_shows_the_same_after_a_stop_and_a_start(open_tab, kept_server):
    tab = open_tab()
    tab.forgives = LOST
    tab.choose("Rock")
    tab.shows("PLAYER 2 - Choose your weapon:")
    assert kept_server.stop() == 0
    kept_server.start()
    tab.choose("Scissors")
    tab.shows("PLAYER 1 WINS!")
    tab.shows_score(1, 0)


def test_a_second_program_in_the_same_folder_says_so_and_ends(kept_server):
    second = subprocess.run(
        [os.environ["RPS_BINARY"], "--port", "0", *kept_server.arguments], capture_output=True, text=True,
        timeout=PATIENCE)
    assert second.returncode == 1
    assert second.stdout == ""
    assert f"is already written by process {kept_server.process.pid}" in second.stderr
