# SPDX-License-Identifier: MIT
"""A whole game, as its player sees it."""

import re

from playwright.sync_api import expect


def test_a_whole_game_by_mouse(server, open_tab):
    tab = open_tab()
    tab.is_at("/", "Menu")
    tab.new_game()
    tab.is_at("/game", "Pop")
    assert tab.looks() == ["closed"] * 16
    tab.play(tab.click)
    expect(tab.alert).to_have_count(1)
    expect(tab.alert).to_contain_text("You've finished the game!")
    expect(tab.button("Play again")).to_be_focused()
    tab.button("OK").click()
    expect(tab.alert).to_have_count(0)
    assert tab.looks() == ["guessed"] * 16
    expect(tab.page.locator("#pairs")).to_have_text("8 of 8")


def test_a_whole_game_by_keyboard(server, open_tab):
    tab = open_tab()
    press = tab.page.keyboard.press
    press("Tab")
    expect(tab.button("New Game 🎲")).to_be_focused()
    press("Enter")
    tab.is_dealt()
    expect(tab.heading).to_be_focused()
    for _ in range(2):
        press("Tab" if tab.page.evaluate("document.activeElement.id") == "title" else "Shift+Tab")
    while tab.page.evaluate("document.activeElement.id") != "card-0":
        press("Tab")
    place = [0]

    def tap(number):
        """Walks there by arrow keys."""
        while place[0] // 4 != number // 4:
            down = number // 4 > place[0] // 4
            press("ArrowDown" if down else "ArrowUp")
            place[0] += 4 if down else -4
        while place[0] != number:
            press("ArrowRight" if number > place[0] else "ArrowLeft")
            place[0] += 1 if number > place[0] else -1
        expect(tab.card(number)).to_be_focused()
        press("Enter" if number % 2 else "Space")

    tab.play(tap)
    expect(tab.button("Play again")).to_be_focused()
    press("Tab")
    assert tab.page.evaluate("document.activeElement.closest('dialog') !== null") or (
        tab.page.evaluate("document.activeElement === document.body"))
    tab.button("OK").focus()
    press("Enter")
    expect(tab.alert).to_have_count(0)
    expect(tab.button("New Game")).to_be_focused()
    press("Enter")
    expect(tab.page.locator("#pairs")).to_have_text("0 of 8")


def test_the_rules_of_a_turn(server, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.click(0)
    tab.is_open(0)
    assert tab.looks().count("open") == 1
    other = next(
        number for number in range(1, 16)
        if (tab.click(number), tab.is_open(number), tab.cover(number) != tab.cover(0))[-1])
    assert [tab.looks()[number] for number in (0, other)] == ["open", "open"]
    tab.click(0)
    tab.click(other)
    third = next(n for n in range(1, 16) if n != other and tab.looks()[n] == "closed")
    tab.click(third)
    tab.is_open(third)
    expect(tab.card(0)).to_have_class(re.compile("clos"))
    assert tab.looks().count("open") == 1
    expect(tab.page.locator("#moves")).to_have_text("1")


def test_a_closed_cover_is_not_in_the_page(server, open_tab):
    tab = open_tab()
    tab.new_game()
    assert "/covers/" not in tab.page.content()
    assert "<img" not in tab.page.locator(".board").inner_html()


def test_the_alert_is_shown_once_and_escape_means_ok(server, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.page.evaluate("""() => {
        window.alerts = 0;
        new MutationObserver(records => {
            for (const record of records) for (const node of record.addedNodes) {
                if (node.localName === "dialog" || node.querySelector?.("dialog")) alerts += 1;
            }
        }).observe(document.body, { childList: true, subtree: true });
    }""")
    tab.play(tab.click)
    expect(tab.alert).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.alert).to_have_count(0)
    assert tab.page.evaluate("alerts") == 1
    tab.page.reload()
    tab.is_dealt()
    expect(tab.alert).to_have_count(0)
    assert tab.looks() == ["guessed"] * 16


def test_a_reload_before_ok_still_says_it(server, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.play(tab.click)
    expect(tab.alert).to_be_visible()
    tab.page.reload()
    expect(tab.alert).to_have_count(1)
    tab.button("OK").click()
    expect(tab.alert).to_have_count(0)


def test_time_and_moves_and_pairs_are_on_the_screen(server, open_tab):
    tab = open_tab()
    tab.new_game()
    expect(tab.page.locator("#moves")).to_have_text("0")
    expect(tab.page.locator("#pairs")).to_have_text("0 of 8")
    expect(tab.page.locator("#time")).to_have_text("0:01")
    expect(tab.page.locator("#time")).to_have_text("0:02")


def test_another_game_begins_anew(server, open_tab):
    tab = open_tab()
    tab.new_game()
    tab.click(3)
    tab.is_open(3)
    tab.button("New Game").click()
    expect(tab.page.locator(".card.open")).to_have_count(0)
    tab.is_dealt()
    assert tab.looks() == ["closed"] * 16


def test_the_game_is_played_without_script(server, open_tab):
    tab = open_tab(java_script_enabled=False)
    tab.button("Choose Category 🎵").click()
    tab.is_at("/categories", "Categories")
    tab.button("Metal").click()
    expect(tab.page.locator(".category[aria-pressed=true]")).to_contain_text("Metal")
    tab.button("Menu").click()
    tab.is_at("/", "Menu")
    tab.button("New Game 🎲").click()
    tab.is_at("/game", "Metal")
    while tab.page.get_by_text("Loading covers…").count():
        tab.go("/game")
    tab.is_dealt()
    tab.play(tab.click)
    expect(tab.page.get_by_text("You've finished the game!")).to_be_visible()
    tab.button("OK").click()
    expect(tab.page.get_by_text("You've finished the game!")).to_have_count(0)
    assert tab.looks() == ["guessed"] * 16
