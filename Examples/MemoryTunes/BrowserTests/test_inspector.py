# SPDX-License-Identifier: MIT
"""Time travel through a game of pairs."""

import re

import pytest
from browsing import PATIENCE, free_port, run
from inspecting import press, select
from playwright.sync_api import expect


@pytest.fixture
def inspect(chromium, resting_server):
    """The program with an inspector, and a page of that."""
    port = free_port()
    process, address = run(
        "MEMORYTUNES_BINARY", "--port", str(resting_server.port), "--seed", "7", "--offline", "--inspector", str(port),
        environment=resting_server.environment)
    resting_server.process = process
    # They come in either order.
    assert {address, process.stdout.readline().strip()} == {resting_server.url, f"inspector http://127.0.0.1:{port}"}
    contexts = []

    def inspect(path="/"):
        contexts.append(chromium.new_context(reduced_motion="reduce"))
        contexts[-1].set_default_timeout(1_000 * PATIENCE)
        page = contexts[-1].new_page()
        page.goto(f"http://127.0.0.1:{port}{path}")
        return page

    yield inspect
    for context in contexts:
        context.close()


def flips(page):
    return page.locator(".entry", has_text=re.compile("flip"))


def test_a_game_goes_back_and_forward_again(inspect, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.click(0)
    tab.is_open(0)
    tab.click(1)
    tab.is_open(1)
    page = inspect()
    page.get_by_role("link", name=re.compile("^memorytunes")).last.click()
    page.get_by_role("searchbox", name="Search entries").fill("flip")
    page.keyboard.press("Enter")
    expect(flips(page)).to_have_count(2)
    select(page, flips(page).first)
    press(page, "Jump")
    expect(tab.card(1)).to_have_class(re.compile("closed"))
    tab.is_open(0)
    press(page, "Live")
    tab.is_open(1)


def test_the_board_follows_when_a_flip_is_skipped(inspect, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.click(0)
    tab.is_open(0)
    page = inspect()
    page.get_by_role("link", name=re.compile("^memorytunes")).last.click()
    select(page, flips(page).last)
    press(page, "Skip")
    expect(tab.card(0)).to_have_class(re.compile("closed|closing"))
    press(page, "Unskip")
    tab.is_open(0)


def test_each_visitor_is_a_store(inspect, open_tab):
    for _ in range(2):
        open_tab().new_game()
    page = inspect()
    expect(page.locator(".stores a")).to_have_count(2)
