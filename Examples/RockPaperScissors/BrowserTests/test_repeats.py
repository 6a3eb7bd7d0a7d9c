# SPDX-License-Identifier: MIT
"""A late or repeated request never plays twice."""

import json
import re

from playwright.sync_api import expect

PLAY = {"method": "POST", "headers": {"Content-Type": "application/json"}}


def post(tab, body):
    """Posts as the page's own script would, and returns the status."""
    return tab.page.evaluate(
        "([request, body]) => fetch('/', {...request, body}).then(answer => answer.status)",
        [PLAY, json.dumps(body)])


def field(tab, name):
    return tab.page.locator(f".weapons input[name={name}]").get_attribute("value")


def test_a_double_click_plays_once(open_tab):
    tab = open_tab()
    tab.forgives = expected(409)
    rock = tab.page.get_by_role("button", name="Rock")
    rock.click(trial=True)
    box = rock.bounding_box()
    tab.page.mouse.dblclick(box["x"] + 20, box["y"] + 20)
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.choose("Paper")
    tab.shows("PLAYER 2 WINS!")


def test_the_second_half_of_a_slow_double_click_hits_nothing(open_tab):
    """When the page shows the next turn, the button under the mouse rests for a moment."""
    tab = open_tab()
    rock = tab.page.get_by_role("button", name="Rock")
    rock.click(trial=True)
    box = rock.bounding_box()
    hit = tab.page.evaluate(
        """async ([x, y]) => {
            const turned = new Promise(done => new MutationObserver(done).observe(
                document.querySelector(".weapons"), { attributes: true }));
            const hit = () => document.elementFromPoint(x, y).closest("button")?.id;
            const before = hit();
            document.querySelector("#rock").click();
            await turned;
            return [before, hit()];
        }""",
        [box["x"] + 20, box["y"] + 20])
    assert hit == ["rock", None]
    tab.choose("Rock")
    tab.shows("DRAW!")


def test_two_clicks_in_one_breath_play_once(open_tab):
    tab = open_tab()
    tab.forgives = expected(409)
    tab.page.evaluate("for (let n = 0; n < 5; n++) document.querySelector('#rock').click()")
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.choose("Paper")
    tab.shows("PLAYER 2 WINS!")
    tab.shows_score(0, 1)


def test_a_repeated_request_is_answered_again_and_played_once(open_tab):
    tab = open_tab()
    body = {
        "type": "GameAction/choose", "weapon": "rock",
        "request": "00000000-0000-4000-8000-000000000001", "expects": field(tab, "expects"),
    }
    first, second = post(tab, body), post(tab, body)
    assert first == second
    assert first < 300
    tab.shows("PLAYER 2 - Choose your weapon:")
    tab.shows_squares("chosen", "")


def test_a_late_request_is_refused_and_plays_nothing(open_tab):
    tab = open_tab()
    tab.forgives = expected(409)
    body = {
        "type": "GameAction/choose", "weapon": "rock",
        "request": "00000000-0000-4000-8000-000000000002", "expects": field(tab, "expects"),
    }
    tab.choose("Scissors")
    tab.shows("PLAYER 2 - Choose your weapon:")
    assert post(tab, body) == 409
    tab.choose("Rock")
    tab.shows_squares("Scissors", "Rock")
    assert post(tab, {**body, "request": "00000000-0000-4000-8000-000000000003"}) == 409
    tab.play_again()
    tab.shows("PLAYER 1 - Choose your weapon:")
    assert post(tab, {**body, "request": "00000000-0000-4000-8000-000000000004"}) == 409
    tab.shows_squares("", "")


def test_play_again_from_two_tabs_at_once_starts_one_round(open_tab):
    left, right = open_tab(), open_tab()
    left.forgives = right.forgives = expected(409)
    left.choose("Rock")
    left.shows("PLAYER 2 - Choose your weapon:")
    left.choose("Rock")
    for tab in (left, right):
        tab.shows("DRAW!")
    for tab in (left, right):
        tab.page.evaluate("setTimeout(() => document.querySelector('#again')?.click())")
    for tab in (left, right):
        expect(tab.page.locator(".round")).to_have_text("Round 2")
        tab.shows("PLAYER 1 - Choose your weapon:")


def expected(status):
    """The browser's own line about an answer that we asked for."""
    return re.compile(rf"status of {status}")
