# SPDX-License-Identifier: MIT
"""A picture of every screen, for eyes: set SCREENSHOTS to a folder."""

import pytest

from test_access import STATES, bring

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_every_screen_is_drawn_with_its_pictures(open_tab, screenshot, scheme, size, state):
    width, height = SIZES[size]
    tab = open_tab(
        color_scheme=scheme, viewport={"width": width, "height": height},
        reduced_motion="no-preference")
    bring(tab, state)
    # Pictures that came with a patch load after the page.
    tab.page.wait_for_function("() => [...document.images].every(image => image.complete)")
    assert tab.page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert tab.page.evaluate("getComputedStyle(document.querySelector('.board')).display") == "grid"
    screenshot(tab, f"{state}-{size}-{scheme}")
