# SPDX-License-Identifier: MIT
"""A picture of every screen, for eyes: set SCREENSHOTS to a folder."""

import itertools

import pytest
from looks import SCHEMES, SIZES, recolour, resize
from test_access import SCREENS, bring


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_is_drawn_with_its_pictures(server, open_tab, screenshot, screen):
    tab = open_tab(reduced_motion="no-preference")
    bring(tab, screen)
    for image in tab.page.locator("img").all():
        image.evaluate("image => image.decode()")
    for size, scheme in itertools.product(SIZES, SCHEMES):
        resize(tab.page, *SIZES[size])
        recolour(tab.page, scheme)
        assert tab.page.evaluate("getComputedStyle(document.querySelector('main')).display") == "grid"
        screenshot(tab, f"{screen}-{size}-{scheme}")
