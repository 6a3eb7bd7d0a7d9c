# SPDX-License-Identifier: MIT
"""An app that is kept in a folder outlives its program."""

import re
import signal

from browsing import PATIENCE, free_port
from conftest import App, Tab
from playwright.sync_api import expect

LOST = re.compile("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY")


def test_an_open_page_goes_on_by_itself_after_the_program_was_killed(chromium, service, tmp_path):
    port = free_port()

    def start():
        return App(service.url, tmp_path, ("--data", f"{tmp_path}/app"), port=port)

    app = start()
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(1_000 * PATIENCE)
    try:
        tab = Tab(context.new_page(), app.url)
        tab.forgives = LOST
        tab.go()
        tab.shows("Buy milk", "Call Anna", "Pay rent")
        service.stop()
        tab.check("Buy milk").click()
        tab.is_alerted(
            "“Buy milk” couldn't be saved.",
            "The server can't be reached. The change is kept and can be sent again.")
        tab.page.evaluate("window.isSame = true")

        app.stop(signal.SIGKILL)
        reconnecting = tab.page.get_by_text("reconnecting…")
        expect(reconnecting).to_be_visible()
        service.start()
        app = start()
        expect(reconnecting).to_be_hidden()
        # What was shown is still there: the alert, the change that isn't sent, what can be taken back.
        tab.accept()
        tab.is_done("Buy milk")
        tab.button("Send again").click()
        assert service.first_changes(1)[-1][1]["state"] == 1
        tab.button("Undo").click()
        tab.is_done("Buy milk", False)
        assert tab.page.evaluate("window.isSame")
        tab.check_complaints()
    finally:
        context.close()
        app.stop()
