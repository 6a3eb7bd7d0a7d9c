# SPDX-License-Identifier: MIT
"""Address bar, history and screen say the same, whoever moves first."""

import re

import pytest
from playwright.sync_api import expect


def at(tab, path, title):
    """Address, document title and heading are those of a screen."""
    expect(tab).to_have_url(re.compile(r"http://[^/]+" + re.escape(path) + "$"))
    expect(tab.get_by_role("heading")).to_have_text(title)
    expect(tab).to_have_title(title)


def button(tab, name):
    return tab.get_by_role("button", name=name, exact=True)


def link(tab, name):
    return tab.get_by_role("link", name=name, exact=True)


def mark(tab):
    """Marks the document, which a page load would replace."""
    tab.evaluate("() => { window.mark = true }")


def is_marked(tab):
    return tab.evaluate("() => window.mark === true")


def test_links_go_on_and_back_and_forward_follow(open_tab):
    tab = open_tab()
    mark(tab)
    link(tab, "Market").click()
    at(tab, "/pictures/1", "Market")
    link(tab, "Next").click()
    at(tab, "/pictures/2", "Lighthouse")
    tab.go_back()
    at(tab, "/pictures/1", "Market")
    tab.go_back()
    at(tab, "/", "Pictures")
    expect(button(tab, "Back")).to_be_disabled()
    tab.go_forward()
    at(tab, "/pictures/1", "Market")
    tab.go_forward()
    at(tab, "/pictures/2", "Lighthouse")
    tab.evaluate("history.go(-2)")
    at(tab, "/", "Pictures")
    assert is_marked(tab)


def test_a_screen_of_the_app_going_back_takes_the_history_along(open_tab):
    tab = open_tab()
    link(tab, "Market").click()
    link(tab, "Next").click()
    at(tab, "/pictures/2", "Lighthouse")
    button(tab, "Back").click()
    at(tab, "/pictures/1", "Market")
    assert tab.evaluate("history.state") == {"at": 1, "trail": ["/", "/pictures/1"]}
    tab.go_forward()
    at(tab, "/pictures/2", "Lighthouse")
    button(tab, "Back").click()
    at(tab, "/pictures/1", "Market")
    button(tab, "Back").click()
    at(tab, "/", "Pictures")


def test_going_back_faster_than_the_server_answers(open_tab):
    tab = open_tab()
    link(tab, "Harbour").click()
    for number, title in enumerate(("Market", "Lighthouse", "Harvest"), 1):
        link(tab, "Next").click()
        at(tab, f"/pictures/{number}", title)
    tab.evaluate("""async () => {
        for (const steps of [-1, -1, 1, -1, -1]) {
            history.go(steps);
            await new Promise(resolve => addEventListener("popstate", resolve, { once: true }));
        }
    }""")
    at(tab, "/pictures/0", "Harbour")
    tab.go_forward()
    at(tab, "/pictures/1", "Market")
    button(tab, "Back").click()
    at(tab, "/pictures/0", "Harbour")


# Moves wait in the page until a test lets the first of them go up, or all.
HOLD_MOVES = """() => {
    const { fetch } = window;
    window.held = [];
    window.fetch = (...request) =>
        new Promise(resolve => held.push(() => resolve(fetch(...request))));
    window.letGo = () => held.shift()();
    window.letAllGo = () => {
        window.fetch = fetch;
        while (held.length) letGo();
    };
    window.travel = (steps) => new Promise(resolve => {
        addEventListener("popstate", resolve, { once: true });
        history.go(steps);
    });
}"""


def test_who_comes_again_to_a_screen_while_leaving_it_stays_there(open_tab):
    tab = open_tab()
    for number, (name, title) in enumerate(
            (("Market", "Market"), ("Next", "Lighthouse"), ("Next", "Harvest")), 1):
        link(tab, name).click()
        at(tab, f"/pictures/{number}", title)
    tab.evaluate(HOLD_MOVES)
    tab.evaluate("async () => { await travel(-1); await travel(-1); letGo(); }")
    # The server has said that this tab is at /pictures/2, and is about to be notified that it goes on.
    tab.wait_for_function("() => held.length === 1")
    tab.evaluate("async () => { await travel(1); letAllGo(); }")
    at(tab, "/pictures/2", "Lighthouse")


# Answers come after the next event, or never, and `seen` says what URL each screen had when it came.
SLOW_ANSWERS = """
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        this.addEventListener("message", () => setTimeout(() => window.receive?.()));
    }
};
window.delayAnswers = (isForEver) => {
    const { fetch } = window;
    const received = new Promise(resolve => isForEver || (window.receive = resolve));
    window.fetch = async (...request) => {
        const answer = await fetch(...request);
        await received;
        return answer;
    };
    window.seen = [];
    new MutationObserver(() => {
        const screen = [location.pathname, document.querySelector("h1").textContent];
        if (String(seen.at(-1)) !== String(screen)) seen.push(screen);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
};
"""


def test_a_screen_that_is_seen_has_its_url(open_tab):
    tab = open_tab()
    tab.add_init_script(SLOW_ANSWERS)
    tab.reload()
    at(tab, "/", "Pictures")
    tab.evaluate("delayAnswers(false)")
    link(tab, "Market").click()
    at(tab, "/pictures/1", "Market")
    assert tab.evaluate("seen") == [["/pictures/1", "Market"]]


def test_an_answer_that_never_comes_keeps_no_screen_back(open_tab):
    tab = open_tab()
    tab.add_init_script(SLOW_ANSWERS)
    tab.reload()
    at(tab, "/", "Pictures")
    tab.evaluate("delayAnswers(true)")
    link(tab, "Market").click()
    expect(tab.get_by_role("heading")).to_have_text("Market")


def test_a_deep_link_opens_its_screen_with_a_way_back(open_tab):
    tab = open_tab("/pictures/3")
    mark(tab)
    at(tab, "/pictures/3", "Harvest")
    expect(button(tab, "Back")).to_be_enabled()
    button(tab, "Back").click()
    at(tab, "/", "Pictures")
    assert is_marked(tab)


def test_reload_shows_the_same_screen_and_back_still_leads_back(open_tab):
    tab = open_tab()
    link(tab, "Market").click()
    link(tab, "Next").click()
    at(tab, "/pictures/2", "Lighthouse")
    button(tab, "Like").click()
    expect(tab.locator("output")).to_have_text("1")
    tab.reload()
    at(tab, "/pictures/2", "Lighthouse")
    expect(tab.locator("output")).to_have_text("1")
    tab.go_back()
    at(tab, "/pictures/1", "Market")
    tab.reload()
    at(tab, "/pictures/1", "Market")
    tab.go_forward()
    at(tab, "/pictures/2", "Lighthouse")
    button(tab, "Back").click()
    at(tab, "/pictures/1", "Market")
    button(tab, "Back").click()
    at(tab, "/", "Pictures")


def test_two_tabs_of_a_visitor_are_where_they_are_and_share_the_rest(open_tab):
    left = open_tab("/pictures/1")
    right = open_tab("/pictures/1", beside=left)
    stranger = open_tab("/pictures/1")
    link(right, "Next").click()
    at(right, "/pictures/2", "Lighthouse")
    at(left, "/pictures/1", "Market")
    right.go_back()
    at(right, "/pictures/1", "Market")
    button(right, "Like").click()
    expect(left.locator("output")).to_have_text("1")
    link(left, "All pictures").click()
    at(left, "/", "Pictures")
    at(right, "/pictures/1", "Market")
    expect(stranger.locator("output")).to_have_text("0")


def test_a_sheet_is_a_step_of_the_history_over_its_screen(open_tab):
    tab = open_tab("/pictures/1")
    sheet = tab.get_by_role("dialog")
    button(tab, "About").click()
    expect(sheet).to_be_visible()
    expect(tab).to_have_url(re.compile("/about$"))
    expect(tab.get_by_role("heading")).to_have_text("Market")
    tab.go_back()
    expect(sheet).to_have_count(0)
    at(tab, "/pictures/1", "Market")
    button(tab, "About").click()
    button(tab, "Close").click()
    expect(sheet).to_have_count(0)
    at(tab, "/pictures/1", "Market")


def test_a_search_is_an_address(open_tab):
    tab = open_tab()
    mark(tab)
    tab.get_by_label("Title").fill("har & +ü")
    button(tab, "Search").click()
    at(tab, "/search?q=har%20%26%20%2B%C3%BC", "Search: har & +ü")
    tab.get_by_label("Title").fill("har")
    button(tab, "Search").click()
    at(tab, "/search?q=har", "Search: har")
    expect(tab.get_by_role("listitem")).to_have_text(["Harbour", "Harvest"])
    tab.go_back()
    at(tab, "/search?q=har%20%26%20%2B%C3%BC", "Search: har & +ü")
    assert is_marked(tab)
    tab.reload()
    at(tab, "/search?q=har%20%26%20%2B%C3%BC", "Search: har & +ü")


def test_a_dead_link_leads_to_a_screen_that_says_so(open_tab):
    tab = open_tab("/pictures/99")
    expect(tab.get_by_role("heading")).to_have_text("Not found")
    link(tab, "All pictures").click()
    at(tab, "/", "Pictures")
    link(tab, "A dead link").click()
    at(tab, "/not-found", "Not found")
    tab.go_back()
    at(tab, "/", "Pictures")


def test_who_moves_while_the_stream_is_broken_arrives_all_the_same(open_tab):
    tab = open_tab()
    tab.context.route("**/events*", lambda route: route.abort())
    tab.reload()
    expect(tab.get_by_text("reconnecting…")).to_be_visible()
    link(tab, "Market").click()
    expect(tab).to_have_url(re.compile("/pictures/1$"))
    tab.context.unroute("**/events*")
    at(tab, "/pictures/1", "Market")
    tab.go_back()
    at(tab, "/", "Pictures")


def test_the_history_is_kept_in_step_beyond_what_browsers_keep(open_tab):
    tab = open_tab("/pictures/0")
    titles = ["Harbour", "Market", "Lighthouse", "Harvest", "Night train"]
    for number in range(1, 61):
        link(tab, "Next").click()
        expect(tab.get_by_role("heading")).to_have_text(titles[number % 5])
    assert tab.evaluate("[history.state.at, history.state.trail.length]") == [60, 50]
    link(tab, "All pictures").click()
    at(tab, "/", "Pictures")
    for number in range(60, 50, -1):
        tab.go_back()
        at(tab, f"/pictures/{number % 5}", titles[number % 5])
    button(tab, "Back").click()
    at(tab, "/pictures/0", "Harbour")
    tab.go_forward()
    at(tab, "/pictures/1", "Market")


def test_a_link_leads_on_when_the_visit_has_ended(open_tab):
    tab = open_tab()
    tab.context.clear_cookies()
    link(tab, "Market").click()
    at(tab, "/pictures/1", "Market")
    button(tab, "Back").click()
    at(tab, "/", "Pictures")


def test_the_new_screen_is_read_from_its_heading(open_tab):
    tab = open_tab()
    link(tab, "Market").press("Enter")
    at(tab, "/pictures/1", "Market")
    expect(tab.get_by_role("heading")).to_be_focused()


def test_everything_works_without_script(open_tab):
    tab = open_tab(java_script_enabled=False)
    link(tab, "Market").click()
    at(tab, "/pictures/1", "Market")
    button(tab, "Like").click()
    at(tab, "/pictures/1", "Market")
    expect(tab.locator("output")).to_have_text("1")
    link(tab, "Next").click()
    at(tab, "/pictures/2", "Lighthouse")
    tab.go_back()
    at(tab, "/pictures/1", "Market")
    button(tab, "Back").click()
    at(tab, "/", "Pictures")
    tab.get_by_label("Title").fill("har")
    button(tab, "Search").click()
    at(tab, "/search?q=har", "Search: har")
    button(tab, "About").click()
    at(tab, "/about", "About")
