# SPDX-License-Identifier: MIT
"""Players read what happened before a problem, and download it, once a round is over."""

import pytest
from conftest import Server
from playwright.sync_api import expect


@pytest.fixture
def server(tmp_path):
    """The program, recording."""
    server = Server()
    server.start("--reports", str(tmp_path / "reports"))
    yield server
    server.stop()


def test_a_report_is_read_and_downloaded(open_tab):
    tab = open_tab()
    link = tab.page.get_by_role("link", name="Report a problem")
    tab.choose("Rock")
    # A choice is for the turn that the page shows: pressed before, the second one would be stale.
    tab.shows("PLAYER 2 - Choose your weapon:")
    expect(link).to_have_count(0)
    tab.choose("Paper")
    with tab.page.context.expect_page() as opened:
        tab.page.get_by_role("link", name="Read the report").click()
    expect(opened.value.locator("body")).to_contain_text("The replaced values lead to the same course:")
    opened.value.close()
    with tab.page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "problem.onwardreport"
    assert b"GameAction/choose" in open(download.value.path(), "rb").read()
    tab.play_again()
    expect(link).to_have_count(0)
