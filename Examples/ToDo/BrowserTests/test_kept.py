# SPDX-License-Identifier: MIT
"""An app that is kept in a folder outlives its program."""

import re
import signal

from browsing import LOST_CONNECTION, free_port
from conftest import App, Tab
from playwright.sync_api import expect

LOST = re.compile(LOST_CONNECTION)


def test_an_open_page_goes_on_by_itself_after_the_program_was_killed(context, service, tmp_path):
    port = free_port()

    def start():
        return App(service.url, tmp_path, ("--data", f"{tmp_path}/app"), port=port)

    app = start()
    try:
        tab = Tab(context.new_page(), app.url)
        tab.forgives = LOST
        tab.go()
        tab.follows()
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
        app.stop()
