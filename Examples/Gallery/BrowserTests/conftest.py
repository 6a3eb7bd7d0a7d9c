# SPDX-License-Identifier: MIT
"""Starts the gallery's own program and opens real browser tabs on it.

GALLERY_BINARY  the program to test (needed)
"""

import pytest
from browsing import PATIENCE, end, note_violations, run


@pytest.fixture
def server():
    """The address of a gallery."""
    process, address = run("GALLERY_BINARY", "--port", "0")
    yield address
    assert end(process) == 0


@pytest.fixture
def open_tab(chromium, server):
    """Opens tabs; at the end no script and no policy may have complained in any of them."""
    tabs = []

    def open_tab(path="/", beside=None, **options):
        """A tab of a new visitor, or of the visitor whose tab is given."""
        context = beside.context if beside else chromium.new_context(**options)
        tab = context.new_page()
        tab.set_default_timeout(1_000 * PATIENCE)
        tab.complaints = []
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        note_violations(tab, tab.complaints.append)
        tabs.append(tab)
        tab.goto(server + path)
        return tab

    yield open_tab
    for context in {tab.context for tab in tabs}:
        context.close()
    assert [tab.complaints for tab in tabs if tab.complaints] == []
