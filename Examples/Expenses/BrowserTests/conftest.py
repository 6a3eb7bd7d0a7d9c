# SPDX-License-Identifier: MIT
"""Starts the app's own program on a ledger of its own, and opens real browser tabs on it.

EXPENSES_BINARY  the program to test (needed)
"""

import os
import subprocess

import pytest
from browsing import PATIENCE, end, note_violations, run


def said(*arguments):
    """The program's exit code and what it wrote."""
    done = subprocess.run([os.environ["EXPENSES_BINARY"], *arguments],
                          capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout + done.stderr


class Ledger:
    """A ledger in a file, and the program that serves it."""

    def __init__(self, file):
        self.file = file
        self.process = self.address = None

    def command(self, *arguments):
        """What the program says of the ledger; the page has to be closed meanwhile."""
        return said(*arguments, "--data", self.file)

    def replay(self, report, *arguments):
        """What it says of a report, whatever is open."""
        return said("replay", str(report), *arguments)

    def serve(self):
        self.process, self.address = run("EXPENSES_BINARY", "serve", "--port", "0", "--data", self.file)

    def stop(self):
        assert end(self.process) == 0
        self.process = None


@pytest.fixture
def ledger(tmp_path):
    """A ledger without an expense, which is served by nobody yet."""
    ledger = Ledger(str(tmp_path / "ledger.sqlite"))
    yield ledger
    if ledger.process:
        ledger.stop()


@pytest.fixture
def open_tab(chromium, ledger):
    """Opens tabs; at the end no script and no policy may have complained in any of them."""
    tabs = []

    def open_tab(**options):
        tab = chromium.new_context(**options).new_page()
        tab.set_default_timeout(1_000 * PATIENCE)
        tab.complaints = []
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        note_violations(tab, tab.complaints.append)
        tabs.append(tab)
        if not ledger.process:
            ledger.serve()
        tab.goto(ledger.address)
        return tab

    yield open_tab
    for tab in tabs:
        tab.context.close()
    assert [tab.complaints for tab in tabs if tab.complaints] == []
