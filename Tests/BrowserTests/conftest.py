# SPDX-License-Identifier: MIT
"""Opens tabs on a stage, a server that each test directs."""

import pytest
from browsing import PATIENCE, note_violations
from stage import Stage


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.fixture
def open_tab(chromium, stage):
    """Opens tabs with their first stream; at the end no script may have failed in any of them."""
    contexts, tabs = [], []

    def open_tab(path="/", body=None, beside=None, waits=True, script=None, stops_time=False, **options):
        if body is not None:
            stage.body = body
        context = beside.context if beside else chromium.new_context(**options)
        contexts.append(context)
        if script and not beside:
            context.add_init_script(script)
        tab = context.new_page()
        tab.set_default_timeout(1_000 * PATIENCE)
        tab.complaints = []
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        note_violations(tab, tab.complaints.append)
        tabs.append(tab)
        # Time goes by only as a test says, from the beginning: what a page began by the browser's own clock goes by
        # that one, and what it begins before the new clock is stopped is due at once.
        if stops_time:
            tab.clock.install(time=0)
            tab.clock.pause_at(100)
        tab.goto(stage.url + path)
        if waits:
            stage.next_stream()
        return tab

    yield open_tab
    for context in set(contexts):
        context.close()
    assert [tab.complaints for tab in tabs if tab.complaints] == []
