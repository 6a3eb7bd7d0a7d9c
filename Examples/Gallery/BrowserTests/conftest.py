# SPDX-License-Identifier: MIT
"""Starts the gallery's own program and opens real browser tabs on it.

GALLERY_BINARY  the program to test (needed)
"""

import os
import signal
import subprocess

import pytest
from playwright.sync_api import sync_playwright

# Notes what the browser's policy forbade.
WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective));
"""


@pytest.fixture
def server():
    """The address of a gallery."""
    process = subprocess.Popen(
        [os.environ["GALLERY_BINARY"], "--port", "0"], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.send_signal(signal.SIGTERM)
    try:
        assert process.wait(timeout=10) == 0
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    finally:
        process.stdout.close()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_tab(browser, server):
    """Opens tabs; at the end no script and no policy may have complained in any of them."""
    tabs = []

    def open_tab(path="/", beside=None, **options):
        """A tab of a new visitor, or of the visitor whose tab is given."""
        context = beside.context if beside else browser.new_context(**options)
        tab = context.new_page()
        tab.set_default_timeout(10_000)
        tab.complaints = []
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.add_init_script(WATCH)
        tabs.append(tab)
        tab.goto(server + path)
        return tab

    yield open_tab
    for tab in tabs:
        assert tab.complaints == []
        if tab.evaluate("Array.isArray(window.violations)"):
            assert tab.evaluate("violations") == []
    for context in {tab.context for tab in tabs}:
        context.close()
