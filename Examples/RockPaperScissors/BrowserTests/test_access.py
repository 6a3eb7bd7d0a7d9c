# SPDX-License-Identifier: MIT
"""A page for everybody: names, landmarks, contrast, motion, small screens."""

import pytest
from contrasts import contrasts
from looks import SCHEMES, WIDTHS, boxes, recolour, resize
from playwright.sync_api import expect

STATES = ["turn-1", "turn-2", "won", "draw"]

# The rays behind the squares of a win, as strong as they shine: a colour, or nothing.
RAYS = """
() => {
    const board = document.querySelector(".board");
    const rays = getComputedStyle(board).getPropertyValue("--rays");
    const strength = parseFloat(getComputedStyle(board, "::before").opacity) * 100;
    return rays && `color-mix(in srgb, ${rays} ${strength}%, transparent)`;
}
"""


def bring(tab, state):
    """Plays until the page is in `state`."""
    if state != "turn-1":
        tab.choose("Rock")
        tab.shows("PLAYER 2 - Choose your weapon:")
    if state == "won":
        tab.choose("Scissors")
        tab.shows("PLAYER 1 WINS!")
    if state == "draw":
        tab.choose("Rock")
        tab.shows("DRAW!")


def test_landmarks_heading_and_language_are_there(open_tab):
    page = open_tab().page
    assert page.locator("html").get_attribute("lang") == "en"
    expect(page).to_have_title("Rock, paper, scissors")
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("banner")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Rock, paper, scissors")


def test_every_control_has_a_name_of_its_own(open_tab):
    tab = open_tab()
    for weapon in ("Rock", "Paper", "Scissors"):
        expect(tab.page.get_by_role("button", name=weapon, exact=True)).to_have_count(1)
    bring(tab, "draw")
    expect(tab.page.get_by_role("button", name="Play again", exact=True)).to_have_count(1)


def test_the_squares_are_named_and_say_what_is_in_them(open_tab):
    tab = open_tab()
    for player in (1, 2):
        figure = tab.page.get_by_role("figure", name=f"Player {player}")
        expect(figure.get_by_role("img", name="Nothing chosen yet")).to_have_count(1)
    bring(tab, "won")
    for player, weapon in ((1, "Rock"), (2, "Scissors")):
        figure = tab.page.get_by_role("figure", name=f"Player {player}")
        expect(figure.get_by_text(weapon)).to_be_visible()


def test_a_live_region_announces_the_message_and_outlives_every_change(open_tab):
    tab = open_tab()
    region = tab.page.get_by_role("status").filter(has=tab.page.locator(".message"))
    expect(region).to_have_attribute("aria-live", "polite")
    region.evaluate("element => { element.mark = 'the same' }")
    bring(tab, "won")
    expect(region).to_have_text("PLAYER 1 WINS!")
    assert region.evaluate("element => element.mark") == "the same"


@pytest.mark.parametrize("state", STATES)
def test_every_text_has_a_contrast_of_4_5_to_1(open_tab, state):
    tab = open_tab()
    bring(tab, state)
    for scheme in SCHEMES:
        recolour(tab.page, scheme)
        found = contrasts(tab.page, tab.page.evaluate(RAYS))
        assert len(found) >= 8
        assert [pair for pair in found if pair[1] < 4.5] == [], scheme


@pytest.mark.parametrize("state", STATES)
def test_no_width_scrolls_sideways(open_tab, state):
    tab = open_tab(viewport={"width": WIDTHS[0], "height": 844}, reduced_motion="no-preference")
    bring(tab, state)
    for width in WIDTHS:
        resize(tab.page, width, 844)
        assert tab.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("state", STATES)
def test_everything_fits_into_every_width(open_tab, state):
    tab = open_tab(viewport={"width": WIDTHS[0], "height": 844})
    bring(tab, state)
    for width in WIDTHS:
        resize(tab.page, width, 844)
        for box in boxes(tab.page.locator("button:visible, .square, .message")):
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


def test_a_phone_shows_the_whole_game_without_scrolling(open_tab):
    tab = open_tab(viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True)
    bring(tab, "won")
    tall = tab.page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
    assert tall[0] <= tall[1]


def test_buttons_are_large_enough_for_a_thumb(open_tab):
    tab = open_tab(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    bring(tab, "draw")
    for button in tab.page.get_by_role("button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44


def test_who_wants_no_motion_gets_none(open_tab):
    moving = "document.getAnimations().length"
    calm, lively = open_tab(), open_tab(reduced_motion="no-preference")
    bring(calm, "won")
    lively.shows("PLAYER 1 WINS!")
    assert calm.page.evaluate(moving) == 0
    assert lively.page.evaluate(moving) > 0


def test_the_pointer_that_rests_on_the_chosen_weapon_does_not_point_it_out(open_tab):
    tab = open_tab()
    tab.choose("Rock")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.page.get_by_role("button", name="Rock").hover()
    looks = {
        button.evaluate("b => (s => [s.backgroundColor, s.translate, s.color].join())"
                        "(getComputedStyle(b))")
        for button in tab.page.locator(".weapon-button").all()
    }
    assert len(looks) == 1
