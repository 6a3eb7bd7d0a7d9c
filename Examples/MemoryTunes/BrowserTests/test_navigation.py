# SPDX-License-Identifier: MIT
"""Screens, the address bar, and the browser's own buttons."""

import re

import pytest
from playwright.sync_api import expect


def test_the_menu_leads_to_both_screens_and_back(server, open_tab):
    tab = open_tab()
    rows = tab.page.locator(".row")
    expect(rows).to_have_text(["New Game 🎲", "Choose Category 🎵"])
    tab.button("Choose Category 🎵").click()
    tab.is_at("/categories", "Categories")
    tab.button("Menu").click()
    tab.is_at("/", "Menu")
    tab.new_game()
    tab.is_at("/game", "Pop")


def test_back_and_forward_keep_screen_and_address_in_step(server, open_tab):
    tab = open_tab()
    tab.button("Choose Category 🎵").click()
    tab.is_at("/categories", "Categories")
    tab.page.go_back()
    tab.is_at("/", "Menu")
    tab.new_game()
    tab.click(2)
    tab.is_open(2)
    tab.page.go_back()
    tab.is_at("/", "Menu")
    tab.page.go_forward()
    tab.is_at("/game", "Pop")
    tab.is_dealt()
    tab.is_open(2)
    tab.page.go_back()
    tab.is_at("/", "Menu")
    expect(tab.button("Continue: 0 of 8 pairs")).to_be_visible()
    tab.button("Continue: 0 of 8 pairs").click()
    tab.is_at("/game", "Pop")
    tab.is_open(2)


@pytest.mark.parametrize(
    "path, title", [("/", "Menu"), ("/categories", "Categories"), ("/game", "Pop")])
def test_a_deep_link_and_a_reload_open_the_right_screen(server, open_tab, path, title):
    tab = open_tab(path)
    tab.is_at(path, title)
    tab.page.reload()
    tab.is_at(path, title)


def test_a_deep_link_to_the_game_deals_one(server, open_tab):
    tab = open_tab("/game")
    tab.is_dealt()
    tab.click(5)
    tab.is_open(5)
    tab.page.reload()
    tab.is_dealt()
    tab.is_open(5)


def test_a_deep_link_has_a_way_back(server, open_tab):
    tab = open_tab("/categories")
    tab.button("Menu").click()
    tab.is_at("/", "Menu")


def test_an_unknown_address_says_so(server, open_tab):
    tab = open_tab()
    response = tab.page.request.get(tab.url + "/nowhere")
    assert response.status == 404
    assert "Nothing here" in response.text()


def test_the_chosen_category_has_the_mark_and_the_next_game(server, open_tab):
    tab = open_tab("/categories")
    rows = tab.page.locator(".category")
    expect(rows).to_have_text(["Pop✓", "Electronic", "Rock", "Metal", "Rap"])
    tab.button("Rap").click()
    expect(rows).to_have_text(["Pop", "Electronic", "Rock", "Metal", "Rap✓"])
    tab.is_at("/categories", "Categories")
    expect(tab.button("Rap")).to_have_attribute("aria-pressed", "true")
    tab.button("Menu").click()
    tab.new_game()
    tab.is_at("/game", "Rap")


def test_two_tabs_of_one_visitor_are_at_their_own_screens_of_one_game(server, open_tab):
    left = open_tab()
    right = open_tab("/categories", beside=left)
    left.new_game()
    right.is_at("/categories", "Categories")
    right.button("Metal").click()
    expect(right.page.locator(".category[aria-pressed=true]")).to_have_text("Metal✓")
    left.is_at("/game", "Pop")
    right.page.goto(right.url + "/game")
    right.is_dealt()
    left.click(1)
    left.is_open(1)
    right.is_open(1)
    right.click(2)
    left.is_open(2)
    right.button("Menu").click()
    right.is_at("/", "Menu")
    left.is_at("/game", "Pop")
    expect(left.card(2)).to_have_class(re.compile("open|guessed"))


def test_two_visitors_play_games_of_their_own(server, open_tab):
    one, two = open_tab(), open_tab()
    one.new_game()
    one.click(0)
    one.is_open(0)
    two.is_at("/", "Menu")
    two.new_game()
    assert two.looks() == ["closed"] * 16
    two.click(7)
    two.is_open(7)
    assert one.looks()[7] == "closed"


def test_game_and_category_survive_a_restart_of_the_program(server, open_tab):
    tab = open_tab("/categories")
    tab.button("Rock").click()
    expect(tab.button("Rock")).to_have_attribute("aria-pressed", "true")
    tab.button("Menu").click()
    tab.new_game()
    tab.click(0)
    tab.is_open(0)
    cover = tab.cover(0)
    tab.go("/categories")
    assert server.stop() == 0
    server.start("--offline")
    tab.go("/game")
    tab.is_at("/game", "Rock")
    tab.is_open(0)
    assert tab.cover(0) == cover
    assert tab.page.evaluate(
        "[...document.images].every(image => image.complete && image.naturalWidth === 160)")
    stranger = open_tab("/categories")
    expect(stranger.button("Pop")).to_have_attribute("aria-pressed", "true")
    tab.complaints.clear()  # the stream that broke when the program ended
