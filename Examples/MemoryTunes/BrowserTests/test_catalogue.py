# SPDX-License-Identifier: MIT
"""What the player sees of a catalogue that fails."""

from playwright.sync_api import expect


def test_a_failing_catalogue_is_reported_and_tried_again(resting_server, catalogue, open_tab):
    resting_server.start("--catalogue-url", catalogue.url)
    catalogue.status = 500
    tab = open_tab()
    tab.button("New Game 🎲").click()
    expect(tab.page.locator(".sorry")).to_have_text("The catalogue answered with status 500.")
    catalogue.status, catalogue.count = 200, 5
    tab.button("Try again").click()
    expect(tab.page.locator(".sorry")).to_have_text(
        "A game needs 8 different covers, the catalogue has 5.")
    catalogue.count = 20
    tab.button("Try again").click()
    tab.is_dealt()
    expect(tab.page.locator(".sorry")).to_have_count(0)


def test_a_catalogue_that_was_chosen_and_cannot_be_reached_is_reported(resting_server, open_tab):
    resting_server.start("--catalogue-url", "http://127.0.0.1:9")
    tab = open_tab("/game")
    expect(tab.page.locator(".sorry")).to_have_text("The catalogue can't be reached.")
    expect(tab.button("Try again")).to_be_visible()


def test_without_internet_the_app_plays_with_its_own_covers_and_says_so(resting_server, open_tab):
    # The standard catalogue's name means nothing behind a proxy-less, closed network; where there is
    # internet, its covers are dealt.
    resting_server.start()
    tab = open_tab("/game")
    tab.page.locator(".card, .sorry").first.wait_for()
    tab.is_dealt()


def test_covers_that_fail_show_placeholders_and_the_game_goes_on(
    resting_server, catalogue, open_tab
):
    catalogue.broken = {0, 3, 5}
    resting_server.start("--catalogue-url", catalogue.url)
    tab = open_tab()
    tab.new_game()
    kinds = set()
    tab.page.on("response", lambda response: "/covers/" in response.url
                and kinds.add(response.headers["content-type"]))
    tab.play(tab.click)
    expect(tab.alert).to_be_visible()
    tab.button("OK").click()
    tab.page.wait_for_function("() => [...document.images].every(image => image.complete)")
    assert tab.page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert kinds == {"image/png", "image/svg+xml"}
    sources = tab.page.evaluate("[...document.querySelectorAll('.card img')].map(i => i.src)")
    assert len(set(sources)) == 8
    assert all(source.startswith(tab.url + "/covers/") for source in sources)


def test_titles_from_the_catalogue_are_text_and_nothing_else(resting_server, catalogue, open_tab):
    catalogue.title = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'"
    resting_server.start("--catalogue-url", catalogue.url)
    tab = open_tab("/game")
    tab.is_dealt()
    tab.click(0)
    tab.is_open(0)
    assert catalogue.title in tab.card(0).get_attribute("aria-label")
    assert tab.page.locator(".board script, .board [onerror], main > div script").count() == 0
