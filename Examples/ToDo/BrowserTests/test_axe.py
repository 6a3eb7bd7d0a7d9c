# SPDX-License-Identifier: MIT
"""What axe knows of pages that keep somebody out."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from looks import SCHEMES, recolour
from playwright.sync_api import expect
from test_access import SCREENS, bring


@pytest.mark.parametrize("screen", SCREENS + ["alert"])
def test_axe_finds_no_fault_in_any_screen(service, open_tab, screen):
    if screen == "alert":
        service.refusing = 500
    tab = open_tab()
    if screen == "alert":
        expect(tab.alert).to_be_visible()
    else:
        bring(tab, service, screen)
    for scheme in SCHEMES:
        recolour(tab.page, scheme)
        found = Axe().run(tab.page)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def test_axe_finds_a_fault_that_is_there(open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    tab.page.evaluate("document.querySelector('#undo').removeAttribute('aria-label')")
    tab.page.evaluate("document.querySelector('#undo').removeAttribute('title')")
    tab.page.evaluate("document.querySelector('#undo').disabled = false")
    assert [fault["id"] for fault in Axe().run(tab.page).response["violations"]] == ["button-name"]
