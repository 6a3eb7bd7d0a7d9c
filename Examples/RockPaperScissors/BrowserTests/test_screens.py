# SPDX-License-Identifier: MIT
"""A picture of every screen, for eyes: set SCREENSHOTS to a folder."""

import itertools

import pytest
from looks import SCHEMES, SIZES, recolour, resize
from test_access import STATES, bring


@pytest.mark.parametrize("state", STATES)
def test_every_screen_is_drawn_with_its_pictures(open_tab, screenshot, state):
    tab = open_tab(reduced_motion="no-preference")
    bring(tab, state)
    # Pictures that came with a patch load after the page.
    tab.page.wait_for_function("() => [...document.images].every(image => image.complete)")
    assert tab.page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    for size, scheme in itertools.product(SIZES, SCHEMES):
        resize(tab.page, *SIZES[size])
        recolour(tab.page, scheme)
        assert tab.page.evaluate("getComputedStyle(document.querySelector('.board')).display") == "grid"
        screenshot(tab, f"{state}-{size}-{scheme}")
