# SPDX-License-Identifier: MIT
"""Starts the game's own program and opens real browser tabs on it.

RPS_BINARY  the program to test (needed)
"""

import re
import signal

import pytest
from browsing import PATIENCE, end, free_port, note_violations, run
from playwright.sync_api import expect


class Server:
    """One run of the program after the other, always on the same port."""

    def __init__(self):
        self.port = free_port()
        self.process = None
        self.arguments = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments):
        self.process, address = run(
            "RPS_BINARY", "--port", str(self.port), *self.arguments, *arguments)
        assert address == self.url

    def stop(self, by=signal.SIGTERM):
        return end(self.process, by)


class Tab:
    """A page of the game, in the words of a player."""

    def __init__(self, page):
        self.page = page
        self.complaints = []
        self.forgives = re.compile("(?!)")
        page.on("console", lambda said: said.type in ("error", "warning") and self.note(said.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        note_violations(page, self.note)

    def note(self, complaint):
        self.complaints.append(complaint)

    def choose(self, weapon):
        self.page.get_by_role("button", name=weapon).click()

    def play_again(self):
        self.page.get_by_role("button", name="Play again").click()

    def shows(self, message):
        expect(self.page.locator(".message")).to_have_text(message)

    def shows_squares(self, first, second):
        expect(self.square(1)).to_have_text(first)
        expect(self.square(2)).to_have_text(second)

    def shows_score(self, first, second):
        expect(self.page.locator(".score")).to_have_text([f"Score {first}", f"Score {second}"])

    def square(self, player):
        return self.page.get_by_role("figure", name=f"Player {player}").locator(".square")

    def check(self):
        """Fails if the browser had anything to complain about."""
        assert [text for text in self.complaints if not self.forgives.search(text)] == []


@pytest.fixture
def server():
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def open_tab(chromium, server):
    """Opens tabs, each with its own cookies; at the end none of them may have complained."""
    tabs, contexts = [], []

    def open_tab(**options):
        context = chromium.new_context(**{"reduced_motion": "reduce", **options})
        context.set_default_timeout(1_000 * PATIENCE)
        contexts.append(context)
        tab = Tab(context.new_page())
        tab.page.goto(server.url)
        if options.get("java_script_enabled", True):
            tabs.append(tab)
        return tab

    yield open_tab
    for tab in tabs:
        tab.check()
    for context in contexts:
        context.close()
