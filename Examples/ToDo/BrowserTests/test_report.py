# SPDX-License-Identifier: MIT
"""Users read what happened before a problem, and download it as a file without what they have written."""

import pytest
from conftest import App
from playwright.sync_api import expect


@pytest.fixture
def app(service, tmp_path):
    """The app, recording."""
    app = App(service.url, arguments=("--reports", str(tmp_path / "reports")))
    yield app
    app.stop()


def test_a_report_is_read_and_downloaded(open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    with tab.page.context.expect_page() as opened:
        tab.page.get_by_role("link", name="Read the report").click()
    expect(opened.value.locator("body")).to_contain_text("The replaced values lead to the same course:")
    expect(opened.value.locator("body")).to_contain_text("ListAction/toggle")
    opened.value.close()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("link", name="Report a problem").click()
    assert download.value.suggested_filename == "problem.onwardreport"
    content = open(download.value.path(), "rb").read()
    assert b"ListAction/toggle" in content
    for text in (b"milk", b"Anna", b"Friday", b"rent"):
        assert text not in content
    # The list goes on.
    tab.check("Pay rent").click()
    tab.is_done("Pay rent")
