# SPDX-License-Identifier: MIT
"""Players read what happened before a problem, and download it as a file that isn't readable for others."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def recorded(resting_server, tmp_path):
    """The program, recording."""
    resting_server.start("--offline", "--reports", str(tmp_path / "reports"))
    return resting_server


def test_a_report_is_read_and_downloaded(recorded, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.click(0)
    tab.is_open(0)
    tab.click(1)
    tab.is_open(1)
    with tab.page.context.expect_page() as opened:
        tab.page.get_by_role("link", name="Read the report").click()
    expect(opened.value.locator("body")).to_contain_text("The replaced values lead to the same course:")
    expect(opened.value.locator("body")).to_contain_text("GameAction/flip")
    opened.value.close()
    with tab.page.expect_download() as download:
        tab.page.get_by_role("link", name="Report a problem").click()
    assert download.value.suggested_filename == "problem.onwardreport"
    content = open(download.value.path(), "rb").read()
    assert b"GameAction/flip" in content
    for title in (b"Lemonade", b"Balcony", b"/covers/"):
        assert title not in content
    # The game goes on.
    tab.click(2)
    tab.is_open(2)


def test_what_is_not_recorded_is_not_reported(server, open_tab):
    tab = open_tab()
    tab.new_game()
    expect(tab.page.get_by_role("link", name="Report a problem")).to_have_count(0)
