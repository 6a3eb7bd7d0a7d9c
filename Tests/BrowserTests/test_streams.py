# SPDX-License-Identifier: MIT
"""What comes down a stream, right or wrong, and what the page says of it."""

import re

import pytest
from playwright.sync_api import expect

ROWS = "".join(f'<li data-row="{n}"><input aria-label="{n}"></li>' for n in range(5))
LIST = f'<main><!--fragments--><ul data-fragment="rows">{ROWS}</ul></main>'
REFUSAL = "This is refused for a reason that takes a moment to read."
BUTTON = ('<main><form method="post" data-action><input type="hidden" name="type" value="T/go">'
          '<button>Go</button></form></main>')


def status(tab):
    return tab.get_by_role("status")


def rows(tab):
    return tab.evaluate("[...document.querySelectorAll('[data-row]')].map(row => row.dataset.row)")


# Counts the streams that ended or were refused, before the page's script acts upon it: then it has, in the same turn.
COUNT_ENDS = """window.ends = 0;
window.EventSource = class extends EventSource {
    constructor(...call) {
        super(...call);
        this.addEventListener("error", () => (ends += 1));
    }
};"""


def wait_for_ends(tab, count):
    """Waits until the page's script knows that so many of its streams have ended, or were refused."""
    tab.wait_for_function("count => ends === count", arg=count)


def test_the_page_says_what_it_has_when_it_has_patched_it(open_tab, stage):
    tab = open_tab()
    stage.send({"keys": ["a"]}, {"key": "a", "html": "<p>one</p>"})
    expect(tab.locator("p", has_text="one")).to_be_visible()
    stage.open_streams.pop().put(None)
    address, _ = stage.next_stream()
    assert "since=e-2" in address


def test_an_event_that_cannot_be_applied_brings_the_whole_page(open_tab, stage):
    tab = open_tab(body='<main><!--fragments--><div data-fragment="a"><p>one</p></div></main>')
    for broken in ("{", {"key": "unknown", "html": "x"}, {"key": "a", "rows": [{"row": "7"}]}):
        stage.send(broken)
        address, _ = stage.next_stream()
        assert "since" not in address
        stage.open_streams.pop(0)
        stage.send({"keys": ["a"]}, {"key": "a", "html": f"<p>after {stage.version}</p>"})
        expect(tab.get_by_text(f"after {stage.version - 1}")).to_be_visible()
    expect(status(tab)).to_have_text("")


def test_a_page_that_cannot_be_drawn_at_all_says_so(open_tab, stage):
    tab = open_tab()
    stage.send("{")
    stage.next_stream()
    stage.open_streams.pop(0)
    stage.send("{")
    expect(status(tab)).to_have_text("This page can't be brought up to date. Please load it again.")
    stage.send({"keys": ["a"]}, {"key": "a", "html": "<p>whole</p>"})
    expect(tab.get_by_text("whole")).to_be_visible()


def test_a_row_that_is_unknown_has_the_list_sent_again(open_tab, stage):
    tab = open_tab(body=LIST)
    for steps in ([{"row": "9"}], [{"row": "9", "html": '<li data-row="9"></li>'}],
                  [{"row": "1", "after": "9"}], [{"row": "9", "after": None}]):
        stage.send({"key": "rows", "rows": steps})
        address, _ = stage.next_stream()
        assert "since" not in address
        stage.open_streams.pop(0)
        stage.send({"keys": ["rows"]}, {"key": "rows", "tag": "ul", "html": ROWS})
    assert rows(tab) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("more", [0, 9])
def test_a_row_that_has_another_name_is_the_same_element(open_tab, stage, more):
    def row(name):
        return (f'<li data-row="{name}"><form method="post" data-action><input type="hidden" name="to" value="rows/#{name}">'
                f'<label for="title-{name}">Title of {name}</label><input id="title-{name}" name="title"></form></li>')

    body = f'<main><!--fragments--><ul data-fragment="rows">{row("1")}{row("new")}{row("7")}</ul></main>'
    tab = open_tab(body=body)
    field = tab.get_by_label("Title of new")
    field.fill("typed")
    tab.evaluate("window.field = document.activeElement")
    rest = [{"row": f"x{n}", "html": row(f"x{n}"), "after": "1"} for n in range(more)]
    stage.send({"key": "rows", "rows": [
        {"row": "7"}, {"row": "new", "now": "7"}, *rest, {"row": "7", "html": row("7")},
        {"row": "new", "html": row("new"), "after": "7"}]})
    expect(tab.get_by_label("Title of 7")).to_have_value("typed")
    assert rows(tab) == ["1", *[f"x{n}" for n in reversed(range(more))], "7", "new"]
    assert tab.evaluate("window.field === document.activeElement && window.field.id") == "title-7"
    expect(tab.get_by_label("Title of new")).to_have_value("")


def test_a_row_may_become_another_element(open_tab, stage):
    body = '<main><!--fragments--><div data-fragment="rows"><p data-row="1">one</p></div></main>'
    tab = open_tab(body=body)
    stage.send({"key": "rows", "rows": [{"row": "1", "html": '<section data-row="1">two</section>'}]})
    expect(tab.locator("section")).to_have_text("two")
    expect(tab.locator("p[data-row]")).to_have_count(0)


def test_composing_goes_on_while_rows_move(open_tab, stage):
    tab = open_tab(body=LIST)
    field = tab.get_by_label("2")
    field.focus()
    keyboard = tab.context.new_cdp_session(tab)
    compose = lambda text: keyboard.send("Input.imeSetComposition", {
        "text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    compose("に")
    stage.send({"key": "rows", "rows": [{"row": "2", "after": None}, {"row": "4", "after": "2"}]})
    tab.wait_for_function("() => document.querySelector('li').dataset.row === '2'")
    compose("にほ")
    stage.send({"key": "rows", "rows": [{"row": "2", "after": "3"}]})
    tab.wait_for_function("() => document.querySelector('li').dataset.row === '4'")
    compose("にほん")
    whole = "".join(f'<li data-row="{n}"><input aria-label="{n}"></li>' for n in (2, 3, 1, 4))
    stage.send({"key": "rows", "tag": "ul", "html": whole})
    tab.wait_for_function("() => document.querySelector('li').dataset.row === '2'")
    keyboard.send("Input.insertText", {"text": "日本"})
    expect(field).to_have_value("日本")
    expect(field).to_be_focused()
    assert rows(tab) == ["2", "3", "1", "4"]


def test_a_file_stays_chosen(open_tab, stage):
    tab = open_tab(body='<main><div data-fragment="a"><input type="file" value="1">one</div></main>')
    tab.locator("input").set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"})
    stage.send({"key": "a", "html": '<input type="file" value="2">two'})
    expect(tab.get_by_text("two")).to_be_visible()
    assert tab.evaluate("document.querySelector('input').files[0].name") == "a.txt"


def test_a_focused_box_takes_what_the_server_says(open_tab, stage):
    box = '<input type="checkbox" aria-label="Done"{}>'
    tab = open_tab(body=f'<main><div data-fragment="a">{box.format("")}</div></main>')
    tab.get_by_label("Done").click()
    stage.send({"key": "a", "html": box.format(" checked")})
    tab.wait_for_function("() => document.querySelector('input').defaultChecked")
    stage.send({"key": "a", "html": box.format("")})
    expect(tab.get_by_label("Done")).not_to_be_checked()
    expect(tab.get_by_label("Done")).to_be_focused()


def test_what_is_in_hand_never_changes(open_tab, stage):
    field = '<input aria-label="Name" value="{}"><i>{}</i>'
    tab = open_tab(body=f'<main><div data-fragment="a">{field.format("Ann", 1)}</div></main>')
    tab.get_by_label("Name").fill("Annab")
    stage.send({"key": "a", "html": field.format("Bert", 2)})
    expect(tab.locator("i")).to_have_text("2")
    expect(tab.get_by_label("Name")).to_have_value("Annab")
    tab.get_by_label("Name").blur()
    stage.send({"key": "a", "html": field.format("Carl", 3)})
    expect(tab.get_by_label("Name")).to_have_value("Carl")


def test_what_a_browser_keeps_over_a_reload_is_the_readers(open_tab, stage):
    field = '<input aria-label="Name" value="Ann"><i>{}</i>'
    tab = open_tab(body=f'<main><div data-fragment="a">{field.format(1)}</div></main>')
    tab.add_init_script("addEventListener('DOMContentLoaded', () => 0); document.addEventListener("
                        "'readystatechange', () => { const f = document.querySelector('input');"
                        " if (f && document.readyState === 'interactive') f.value = 'typed'; })")
    tab.reload()
    stage.next_stream()
    stage.send({"key": "a", "html": field.format(2)})
    expect(tab.locator("i")).to_have_text("2")
    expect(tab.get_by_label("Name")).to_have_value("typed")


def test_the_first_fragment_comes_where_the_layout_has_them(open_tab, stage):
    tab = open_tab(body="<main><h1>Heading</h1><!--fragments--><p>End</p></main>"
                        "<aside><!--fragment side--></aside>")
    stage.send({"keys": ["a", "side", "b"]}, {"key": "a", "html": "a"},
               {"key": "side", "html": "side"}, {"key": "b", "html": "b"})
    expect(tab.locator("main")).to_have_text("Headinga" + "bEnd")
    expect(tab.locator("aside")).to_have_text("side")
    stage.send({"keys": []})
    expect(tab.locator("[data-fragment]")).to_have_count(0)
    stage.send({"keys": ["b", "a"]}, {"key": "b", "html": "b"}, {"key": "a", "html": "a"})
    expect(tab.locator("main")).to_have_text("HeadingbaEnd")


def test_the_reason_of_a_refusal_stays_until_it_is_read(open_tab, stage):
    tab = open_tab(body=BUTTON, stops_time=True)
    stage.answer = lambda post: (409, {"message": REFUSAL})
    tab.get_by_role("button").click()
    expect(status(tab)).to_have_text(REFUSAL)
    stage.next_stream()  # the page asks what it may have missed
    stage.answer = lambda post: (200, {"result": "dispatched"})
    tab.get_by_role("button").click()
    stage.next_post()
    stage.next_post()
    tab.clock.run_for(300)  # a button whose action isn't answered says so by now
    expect(tab.get_by_role("button")).not_to_have_attribute("aria-busy", "true")
    stage.open_streams[-1].put(None)
    expect(status(tab)).to_have_text(f"{REFUSAL} reconnecting…")
    tab.clock.run_for(1_000)
    stage.next_stream()
    tab.clock.run_for(1_000)
    expect(status(tab)).to_have_text(REFUSAL)
    tab.clock.run_for(10_000)
    expect(status(tab)).to_have_text("")


def test_a_notice_of_the_document_stays_until_it_is_read(open_tab, stage):
    stage.notice = REFUSAL
    tab = open_tab(body=LIST)
    stage.send({"key": "rows", "rows": [{"row": "2"}]})
    expect(tab.get_by_label("2")).to_have_count(0)
    expect(status(tab)).to_have_text(REFUSAL)


def test_what_a_server_says_of_itself_ends_with_its_stream(open_tab, stage):
    tab = open_tab(body=LIST)
    stage.send("The database is away.", event="notice")
    expect(status(tab)).to_have_text("The database is away.")
    stage.open_streams.pop().put(None)
    stage.next_stream()
    expect(status(tab)).to_have_text("")


def test_a_stream_that_is_never_answered_is_tried_again_after_a_beat(open_tab, stage):
    stage.stream_mode = "silent"
    tab = open_tab(stops_time=True)
    tab.clock.run_for(14_000)
    stage.settle(tab)
    assert stage.streams.empty(), "The page didn't wait for a beat."
    stage.stream_mode = "open"
    tab.clock.run_for(2_000)
    stage.next_stream()
    expect(status(tab)).to_have_text("")


@pytest.mark.parametrize("readers, most", [("", 600), ("200", 600), ("1000", 5_000)], ids=["few", "200", "1,000"])
def test_a_page_that_is_seen_is_live_again_within_a_second_of_the_servers_return(open_tab, stage, readers, most):
    tab = open_tab(body=LIST, stops_time=True, script=COUNT_ENDS)
    stage.send(readers, event="beat")
    stage.send({"key": "rows", "rows": [{"row": "2"}]})
    expect(tab.get_by_label("2")).to_have_count(0)
    stage.stream_mode = "refused"
    stage.open_streams.pop().put(None)
    expect(status(tab)).to_have_text("reconnecting…")
    for ends in range(1, 21):  # however long it is away
        wait_for_ends(tab, ends)
        tab.clock.run_for(most)
        stage.next_stream()
    wait_for_ends(tab, 21)
    stage.stream_mode = "open"
    tab.clock.run_for(most)
    stage.next_stream()
    expect(status(tab)).to_have_text("This page is live again.")
    tab.clock.run_for(10_000)
    expect(status(tab)).to_have_text("")


def test_a_page_that_is_loaded_in_place_of_one_that_returned_says_so(open_tab, stage):
    tab = open_tab(body=LIST, stops_time=True, script=COUNT_ENDS)
    stage.stream_mode = "refused"
    stage.open_streams.pop().put(None)
    for ends in range(1, 3):
        wait_for_ends(tab, ends)
        tab.clock.run_for(600)
        stage.next_stream()
    wait_for_ends(tab, 3)
    stage.stream_mode = "open"
    tab.clock.run_for(600)
    stage.next_stream()
    expect(status(tab)).to_have_text("This page is live again.")
    stage.send("cookie", event="load")
    stage.open_streams.clear()
    stage.next_stream()
    assert stage.documents == ["/", "/"]
    expect(status(tab)).to_have_text("This page is live again.")
    tab.reload()
    stage.next_stream()
    stage.settle(tab)
    expect(status(tab)).to_have_text("")


def test_the_pages_of_a_crowd_do_not_come_back_at_the_same_moment(open_tab, stage):
    tab = open_tab(body=LIST, stops_time=True)
    stage.send("4000", event="beat")
    stage.send({"key": "rows", "rows": [{"row": "2"}]})
    expect(tab.get_by_label("2")).to_have_count(0)
    tab.evaluate("Math.random = () => 0.5")
    stage.stream_mode = "refused"
    stage.open_streams.pop().put(None)
    expect(status(tab)).to_have_text("reconnecting…")
    tab.clock.run_for(9_000)
    stage.settle(tab)
    assert stage.streams.empty()
    tab.clock.run_for(2_000)
    stage.next_stream()


def test_a_page_for_another_visitor_loads_once(open_tab, stage):
    stage.visit = "aaaa"
    tab = open_tab("/?x=1", stops_time=True)
    stage.send(event="load")
    stage.open_streams.clear()
    address, _ = stage.next_stream()
    assert "visit=aaaa" in address
    assert stage.documents == ["/?x=1", "/?x=1"]
    stage.send(event="load")
    expect(status(tab)).to_have_text(re.compile("needs cookies"))
    stage.settle(tab)
    assert stage.documents == ["/?x=1", "/?x=1"]
    assert stage.streams.empty()


@pytest.mark.parametrize("routes", [None, ["/"]])
def test_an_address_that_looks_like_another_host_stays_on_its_site(open_tab, stage, routes):
    stage.routes = routes
    tab = open_tab("//127.0.0.1:1/stolen?x=1#part")
    stage.send("cookie", event="load")
    stage.open_streams.clear()
    stage.next_stream()
    assert tab.url.startswith(stage.url + "//127.0.0.1:1/stolen?x=1")
    if routes:
        assert stage.next_post()["body"]["route"] == "//127.0.0.1:1/stolen?x=1"


def test_a_page_whose_visit_ends_twice_in_a_moment_waits_before_it_loads_again(open_tab, stage):
    tab = open_tab(stops_time=True)

    def end_visit():
        stage.send("cookie", event="load")
        stage.open_streams.clear()

    end_visit()
    stage.next_stream()
    end_visit()
    expect(status(tab)).to_have_text("reconnecting…")
    tab.clock.run_for(1_900)
    stage.settle(tab)
    assert stage.streams.empty()
    tab.clock.run_for(100)
    stage.next_stream()
    assert len(stage.documents) == 2
    end_visit()
    stage.next_stream()
    assert len(stage.documents) == 3


def test_a_post_for_another_visitor_loads_the_page(open_tab, stage):
    stage.visit = "aaaa"
    stage.answer = lambda post: (409, {"message": REFUSAL, "load": True})
    tab = open_tab(body=BUTTON, stops_time=True)
    tab.get_by_role("button").click()
    assert stage.next_post()["headers"]["Onward-Visit"] == "aaaa"
    stage.next_stream()
    assert stage.documents == ["/", "/"]
    tab.get_by_role("button").click()
    expect(status(tab)).to_have_text(f"{REFUSAL} reconnecting…")
    tab.clock.run_for(2_000)
    expect(status(tab)).to_have_text(REFUSAL)
    assert stage.documents == ["/", "/"]


def test_tabs_that_were_opened_at_once_end_as_one_visitor(open_tab, stage):
    stage.visit = "aaaa"
    left = open_tab()
    stage.visit = "bbbb"
    right = open_tab(beside=left)
    address, _ = stage.next_stream()
    assert "visit=bbbb" in address
    assert len(stage.documents) == 3
    for tab in (left, right):
        tab.wait_for_function("() => document.querySelector('script').dataset.events.includes('bbbb')")
        stage.settle(tab)
    assert stage.streams.empty()


def be_seen(tab, is_seen):
    """A browser that shows one tab says so to the others, which nobody sees then."""
    tab.evaluate("""isHidden => {
        Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
        dispatchEvent(new Event("visibilitychange"));
    }""", not is_seen)


def test_of_many_tabs_those_that_nobody_sees_leave_connections_to_others(open_tab, stage):
    tabs = []
    for number in range(8):  # a browser has six connections
        tabs.append(open_tab(body=BUTTON + "<!--fragments-->", beside=tabs[0] if tabs else None))
        for tab in tabs[:-1]:
            be_seen(tab, False)
    tabs[-1].get_by_role("button").click()
    stage.next_post()
    stage.send({"keys": ["a"]}, {"key": "a", "html": "<p>news</p>"})
    for tab in tabs[-4:]:
        expect(tab.get_by_text("news")).to_be_visible()
    assert [tab.get_by_text("news").count() for tab in tabs[:4]] == [0, 0, 0, 0]
    be_seen(tabs[7], False)
    be_seen(tabs[0], True)
    address, _ = stage.next_stream()
    assert "since=e-1" in address
    stage.send({"keys": ["a"]}, {"key": "a", "html": "<p>news</p>"})
    expect(tabs[0].get_by_text("news")).to_be_visible()
    expect(status(tabs[0])).to_have_text("")
