# SPDX-License-Identifier: MIT
"""A picture of every screen, for eyes: set SCREENSHOTS to a folder."""

import itertools

import pytest
from looks import SCHEMES, SIZES, recolour, resize
from playwright.sync_api import expect
from test_access import SCREENS, bring


@pytest.mark.parametrize("screen", SCREENS + ["alert", "loading"])
def test_every_screen_is_drawn(service, open_tab, screenshot, screen):
    if screen == "loading":
        service.gate.clear()
    if screen == "alert":
        service.refusing = 500
    tab = open_tab()
    if screen == "loading":
        expect(tab.page.locator(".spinner")).to_be_visible()
    elif screen == "alert":
        expect(tab.alert).to_be_visible()
    else:
        bring(tab, service, screen)
    for size, scheme in itertools.product(SIZES, SCHEMES):
        resize(tab.page, *SIZES[size])
        recolour(tab.page, scheme)
        assert tab.page.evaluate("getComputedStyle(document.querySelector('.list')).gap") != "normal"
        screenshot(tab, f"{screen}-{size}-{scheme}")
    service.gate.set()
