# SPDX-License-Identifier: MIT
"""A picture of every screen, for eyes: set SCREENSHOTS to a folder."""

import pytest
from playwright.sync_api import expect

from test_access import SCREENS, bring

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS + ["alert", "loading"])
def test_every_screen_is_drawn(service, open_tab, screenshot, scheme, size, screen):
    width, height = SIZES[size]
    if screen == "loading":
        service.gate.clear()
    if screen == "alert":
        service.refusing = 500
    tab = open_tab(color_scheme=scheme, viewport={"width": width, "height": height})
    if screen == "loading":
        expect(tab.page.locator(".spinner")).to_be_visible()
    elif screen == "alert":
        expect(tab.alert).to_be_visible()
    else:
        bring(tab, service, screen)
    assert tab.page.evaluate("getComputedStyle(document.querySelector('.list')).gap") != "normal"
    screenshot(tab, f"{screen}-{size}-{scheme}")
    service.gate.set()
