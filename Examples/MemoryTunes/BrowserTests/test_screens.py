# SPDX-License-Identifier: MIT
"""A picture of every screen, for eyes: set SCREENSHOTS to a folder."""

import pytest

from test_access import SCREENS, bring

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_is_drawn_with_its_pictures(
    server, open_tab, screenshot, scheme, size, screen
):
    width, height = SIZES[size]
    tab = open_tab(
        color_scheme=scheme, viewport={"width": width, "height": height},
        reduced_motion="no-preference")
    bring(tab, screen)
    for image in tab.page.locator("img").all():
        image.evaluate("image => image.decode()")
    assert tab.page.evaluate("getComputedStyle(document.querySelector('main')).display") == "grid"
    screenshot(tab, f"{screen}-{size}-{scheme}")
