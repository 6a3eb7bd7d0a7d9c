# SPDX-License-Identifier: MIT
"""What a reader does arrives in that order, all of it, and once."""

import threading

import pytest
from browsing import wait_for
from playwright.sync_api import expect

BUTTONS = "<main><!--fragments-->" + "".join(
    f'<form method="post" data-action><button name="type" value="T/{name}">{name}</button></form>'
    for name in ("one", "two", "three", "four")) + '<a href="/elsewhere">Leave</a></main>'


def press(tab, *names):
    for name in names:
        tab.evaluate("name => [...document.querySelectorAll('button')]"
                     ".find(button => button.textContent === name).click()", name)


def press_offline(tab, *names):
    """Presses buttons while there is no line, until the browser has tried in vain."""
    tab.context.set_offline(True)
    with tab.expect_event("requestfailed", lambda request: request.method == "POST"):
        press(tab, *names)


def arrived(stage, count):
    return [stage.next_post()["body"]["type"][2:] for _ in range(count)]


def test_quick_presses_go_together_behind_the_one_that_is_under_way(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    gate = threading.Event()
    stage.answer = lambda post: (gate.wait(20), (200, {"result": "dispatched"}))[1]
    press(tab, "one", "two", "three", "four", "two")
    wait_for(lambda: stage.requests)
    stage.settle(tab)
    assert len(stage.requests) == 1
    gate.set()
    assert arrived(stage, 5) == ["one", "two", "three", "four", "two"]
    assert len(stage.requests) == 2


def test_each_post_has_the_next_number_of_its_page(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    orders = []
    for name in ("one", "two"):
        press(tab, name)
        orders.append(stage.next_post()["headers"]["Onward-Order"].split("/"))
        stage.settle(tab)
    assert orders[0][0] == orders[1][0]
    assert [number for _, number in orders] == ["1", "2"]


def test_what_was_done_offline_arrives_first(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    for _ in range(3):
        press_offline(tab, "one")
        tab.context.set_offline(False)
        press(tab, "two")
        assert arrived(stage, 2) == ["one", "two"]


@pytest.mark.parametrize("leave", [
    lambda tab: press_and_go(tab, "/elsewhere"), lambda tab: press_and_go(tab, "/"),
], ids=["to another document", "to the same one"])
def test_what_is_not_answered_when_the_page_is_left_is_sent_by_the_next(open_tab, stage, leave):
    tab = open_tab(body=BUTTONS)
    stage.answer = lambda post: (500, "no JSON object") if len(stage.requests) < 2 else (
        200, {"result": "dispatched"})
    press_offline(tab, "one", "two")
    tab.context.set_offline(False)
    leave(tab)
    ids = {}
    for _ in range(2):
        post = stage.next_post()["body"]
        ids.setdefault(post["type"], set()).add(post["request"])
    assert set(ids) == {"T/one", "T/two"} and all(len(requests) == 1 for requests in ids.values())
    wait_for(lambda: tab.evaluate(UNSENT) == [])


def close(tab):
    """Closes a tab as a reader does."""
    with tab.expect_event("close"):
        tab.close(run_before_unload=True)


UNSENT = "Object.keys(localStorage).filter(name => name.startsWith('onward-unsent'))"


def test_what_was_done_offline_in_a_tab_that_is_closed_is_sent_by_the_next_one(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    press_offline(tab, "one", "two")
    close(tab)
    tab.context.set_offline(False)
    next_tab = open_tab(beside=tab)
    assert arrived(stage, 2) == ["one", "two"]
    press(next_tab, "three")
    assert arrived(stage, 1) == ["three"]
    assert next_tab.evaluate(UNSENT) == []


def test_another_tab_that_is_open_sends_what_a_closed_one_has_left(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    other = open_tab(beside=tab)
    press_offline(tab, "one")
    close(tab)
    tab.context.set_offline(False)
    assert arrived(stage, 1) == ["one"]
    wait_for(lambda: other.evaluate(UNSENT) == [])


def test_what_was_left_too_long_ago_is_not_done_but_said(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    tab.evaluate("""() => localStorage.setItem("onward-unsent a", JSON.stringify({
        visit: null, at: Date.now() - 3_600_000,
        posts: [{ address: location.href, body: "{}", sender: "aaaa-bbbb", number: 1 }] }))""")
    tab.reload()
    expect(tab.get_by_role("status")).to_have_text(
        "What you did last could not be sent. Please look whether it was done.")
    stage.settle(tab)
    assert stage.posts.empty() and tab.evaluate(UNSENT) == []


def press_and_go(tab, path):
    tab.evaluate("path => location.assign(path + '?left')", path)
    tab.wait_for_url("**?left")


def test_a_press_arrives_though_the_tab_is_closed_at_once(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    press(tab, "three")
    tab.close()
    assert arrived(stage, 1) == ["three"]


def test_what_was_done_in_a_visit_that_has_ended_is_not_done_in_another(open_tab, stage):
    stage.visit = "aaaa"
    tab = open_tab(body=BUTTONS)
    press_offline(tab, "one")
    stage.visit = "bbbb"
    tab.context.set_offline(False)
    press_and_go(tab, "/")
    expect(tab.get_by_role("status")).to_have_text(
        "What you did last could not be sent, as that visit has ended.")
    stage.settle(tab)
    assert stage.posts.empty()


def test_a_server_without_room_is_asked_again_when_it_says_so(open_tab, stage):
    tab = open_tab(body=BUTTONS)
    stage.answer = lambda post: (
        (503, {"message": "Please come back later."}, {"Retry-After": "1"})
        if len(stage.requests) < 3 else (200, {"result": "dispatched"}))
    press(tab, "one", "two")
    wait_for(lambda: len(stage.requests) == 3)
    posts = [stage.next_post()["body"] for _ in range(stage.posts.qsize())]
    assert len({post["request"] for post in posts}) == 2
    assert [post["type"] for post in posts][-1] == "T/two"
    expect(tab.get_by_role("status")).to_have_text("")


def test_six_windows_that_are_all_seen_leave_connections_to_their_posts(open_tab, stage):
    windows = []
    for _ in range(6):
        windows.append(open_tab(body=BUTTONS, beside=windows[0] if windows else None))
    press(windows[0], "one")
    assert arrived(stage, 1) == ["one"]
    # The first ones ask now and then, and so have what is new.
    stage.send({"keys": ["a"]}, {"key": "a", "html": "<p>news</p>"})
    for window in windows[2:]:
        expect(window.get_by_text("news")).to_be_visible()
    expect(windows[0].get_by_role("status")).to_have_text("")
    stage.next_stream()


OVER_HTTP_2 = """Object.defineProperty(PerformanceResourceTiming.prototype, "nextHopProtocol", { get: () => "h2" })"""


def test_windows_that_share_one_connection_all_keep_their_streams(open_tab, stage):
    windows = []
    for _ in range(5):
        windows.append(open_tab(body=BUTTONS, beside=windows[0] if windows else None, script=OVER_HTTP_2))
    for text in ("news", "more news"):
        stage.send({"keys": ["a"]}, {"key": "a", "html": f"<p>{text}</p>"})
        for window in windows:
            expect(window.get_by_text(text, exact=True)).to_be_visible()


def test_a_clock_that_is_set_back_does_not_keep_a_page_from_loading(open_tab, stage):
    tab = open_tab()
    tab.evaluate("sessionStorage.setItem('onward-load', Date.now() + 3_600_000)")
    stage.send("cookie", event="load")
    stage.next_stream()
    assert len(stage.documents) == 2
