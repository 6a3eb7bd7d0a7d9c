# SPDX-License-Identifier: MIT
"""Starts the list's own program and opens real browser tabs on it.

ROWS_BINARY  the program to test (needed)
"""

import pytest
from browsing import PATIENCE, end, note_violations, run

# Keeps the data of all events that come.
WATCH = """
window.received = [];
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        this.addEventListener("message", event => received.push(event.data));
    }
};
"""


@pytest.fixture
def server():
    """The address of a list with 1,000 rows."""
    process, address = run("ROWS_BINARY", "--port", "0")
    yield address
    assert end(process) == 0


@pytest.fixture
def open_tab(chromium, server):
    """Opens tabs; at the end no script and no policy may have complained in any of them."""
    tabs = []

    def open_tab(path="/", **options):
        tab = chromium.new_context(**options).new_page()
        tab.set_default_timeout(1_000 * PATIENCE)
        tab.complaints = []
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        note_violations(tab, tab.complaints.append)
        tab.add_init_script(WATCH)
        tabs.append(tab)
        tab.goto(server + path)
        return tab

    yield open_tab
    for tab in tabs:
        tab.context.close()
    assert [tab.complaints for tab in tabs if tab.complaints] == []
