# SPDX-License-Identifier: MIT
"""Forms and links do what they do in any page."""

import queue
import threading

import pytest
from browsing import COUNT_ANSWERS, PATIENCE, wait_for
from playwright.sync_api import expect


def form(inner, attributes=""):
    return (f'<main><form method="post" data-action {attributes}>'
            f'<input type="hidden" name="type" value="T/go">{inner}</form></main>')


def no_post(tab, stage):
    stage.settle(tab)
    assert stage.posts.empty()


@pytest.mark.parametrize("attributes, count", [("", 1), ("data-repeats", 2)])
def test_a_double_click_dispatches_once(open_tab, stage, attributes, count):
    tab = open_tab(body=form(f"<button {attributes}>Go</button>"))
    tab.get_by_role("button").dblclick(delay=30)
    requests = {stage.next_post()["body"]["request"] for _ in range(count)}
    assert len(requests) == count
    no_post(tab, stage)


def test_two_clicks_dispatch_twice_and_so_do_two_buttons(open_tab, stage):
    tab = open_tab(body=form('<button name="a" value="1">A</button><button name="a" value="2">B</button>'))
    for name in ("A", "A", "B"):
        tab.get_by_role("button", name=name).click()
    assert [stage.next_post()["body"]["a"] for _ in range(3)] == ["1", "1", "2"]


def test_a_double_click_on_what_is_drawn_anew_is_two(open_tab, stage):
    button = '<form method="post" data-action><button name="card" value="{}">Card</button></form>'
    tab = open_tab(body=f'<main><div data-fragment="a">{button.format(1)}</div></main>')
    stage.answer = lambda post: [stage.send({"key": "a", "html": button.format(2)}),
                                 (200, {"result": "dispatched"})][1]
    box = tab.get_by_role("button").bounding_box()
    tab.mouse.move(box["x"] + 5, box["y"] + 5)
    for count in (1, 2):
        tab.mouse.down(click_count=count)
        tab.mouse.up(click_count=count)
        tab.wait_for_function("() => document.querySelector('button').value === '2'")
    assert [stage.next_post()["body"]["card"] for _ in range(2)] == ["1", "2"]


@pytest.fixture
def slow(stage):
    """Answers come one by one, each when a result is put here."""
    results = queue.Queue()
    stage.answer = lambda post: (200, {"result": results.get(timeout=PATIENCE)})
    return results

FIELDS = '<input name="title"><input type="checkbox" name="urgent"><button>Go</button>'


def test_a_form_that_asks_for_it_is_empty_as_soon_as_it_is_sent(open_tab, stage):
    tab = open_tab(body=form(f'{FIELDS}<input name="reset" value="x">', "data-reset"))
    title = tab.locator("[name=title]")
    title.fill("Milk")
    tab.get_by_role("checkbox").check()
    title.press("Enter")
    assert stage.next_post()["body"]["title"] == "Milk"
    expect(title).to_have_value("")
    expect(title).to_be_focused()
    expect(tab.get_by_role("checkbox")).not_to_be_checked()
    assert tab.locator("[name=reset]").input_value() == "x"


def test_a_form_that_does_not_ask_keeps_what_was_typed(open_tab, stage):
    tab = open_tab(body=form(FIELDS))
    tab.evaluate(COUNT_ANSWERS)
    tab.locator("[name=title]").fill("Milk")
    tab.get_by_role("button").click()
    stage.next_post()
    tab.wait_for_function("() => answers === 1")
    expect(tab.locator("[name=title]")).to_have_value("Milk")


@pytest.mark.parametrize("result, typed, left", [
    ("refused", "", "Milk"), ("withheld", "", "Milk"), ("dispatched", "y", "y"),
], ids=["refused", "withheld", "typed on meanwhile"])
def test_what_was_typed_is_not_lost(open_tab, slow, result, typed, left):
    tab = open_tab(body=form(FIELDS, "data-reset"))
    title = tab.locator("[name=title]")
    title.fill("Milk")
    title.press("Enter")
    expect(tab.get_by_role("button")).to_have_attribute("aria-busy", "true")
    expect(title).to_have_value("")
    title.press_sequentially(typed)
    slow.put(result)
    expect(tab.get_by_role("button")).not_to_have_attribute("aria-busy", "true")
    expect(title).to_have_value(left)


def test_a_button_says_that_it_works_until_all_that_it_sent_is_answered(open_tab, stage, slow):
    tab = open_tab(body=form('<button name="a" value="1">A</button><button name="a" value="2">B</button>'))
    first, second = tab.get_by_role("button", name="A"), tab.get_by_role("button", name="B")
    tab.evaluate(COUNT_ANSWERS)
    tab.evaluate("""() => {
        window.ends = 0;
        const note = ([{ target }]) => (ends += target.hasAttribute("aria-busy") ? 0 : 1);
        new MutationObserver(note).observe(document.querySelector("button"), { attributes: true });
    }""")
    first.click()
    expect(first).to_have_attribute("aria-busy", "true")
    expect(second).not_to_have_attribute("aria-busy", "true")
    first.click()
    for answered in range(2):
        stage.next_post()
        assert tab.evaluate("[answers, ends]") == [answered, 0]
        slow.put("dispatched")
        tab.wait_for_function("count => answers === count", arg=answered + 1)
    expect(first).not_to_have_attribute("aria-busy", "true")
    expect(first).to_be_enabled()


def test_all_boxes_of_one_name_are_sent(open_tab, stage):
    boxes = "".join(f'<input type="checkbox" name="tag" value="{n}" checked>' for n in "abc")
    tab = open_tab(body=form(
        f'{boxes}<input name="one" value="1"><input name="__proto__" value="2">'
        '<input type="file" name="file"><button>Go</button>'))
    tab.get_by_role("button", name="Go").click()
    body = stage.next_post()["body"]
    assert (body["tag"], body["one"], body["__proto__"]) == (["a", "b", "c"], "1", "2")


def test_fields_may_have_any_name(open_tab, stage):
    names = ["matches", "getAttribute", "action", "hasAttribute", "method", "target", "closest"]
    fields = "".join(f'<input name="{name}" value="x">' for name in names)
    tab = open_tab(body=form(f"{fields}<button>Go</button>", 'action="/there"'))
    tab.evaluate("document.querySelector('button').click()")  # the test's own tools stumble
    post = stage.next_post()
    assert post["path"] == "/there"
    assert {name: "x" for name in names}.items() <= post["body"].items()


def test_a_button_may_have_an_address_of_its_own(open_tab, stage):
    tab = open_tab(body=form('<button formaction="/other?x=1">Go</button>', 'action="/there"'))
    tab.get_by_role("button").click()
    post = stage.next_post()
    assert post["path"] == "/other?x=1"
    assert post["body"]["type"] == "T/go"


@pytest.mark.parametrize("button, attributes", [
    ("<button>Go</button>", 'target="_blank"'),
    ('<button formtarget="_blank">Go</button>', ""),
    ('<button formtarget="elsewhere">Go</button>', 'target="_self"'),
])
def test_what_opens_a_window_does(open_tab, stage, button, attributes):
    tab = open_tab(body=form(button, attributes))
    with tab.context.expect_page() as opened:
        tab.get_by_role("button").click()
    assert opened.value != tab
    assert stage.next_post()["body"] == "type=T%2Fgo"
    assert stage.documents == ["/", "POST /"]


def test_a_button_may_ask_instead_of_posting(open_tab, stage):
    tab = open_tab(body=form('<button formmethod="get">Go</button>'))
    tab.get_by_role("button").click()
    expect(tab).to_have_url(f"{stage.url}/?type=T%2Fgo")
    no_post(tab, stage)


def test_a_form_for_another_site_goes_there(open_tab, stage):
    tab = open_tab(body=form("<button>Go</button>", 'action="http://127.0.0.1:1000/away"'))
    tab.evaluate("addEventListener('securitypolicyviolation', () => window.isForbidden = true)")
    tab.get_by_role("button").click(no_wait_after=True)
    # The page's policy forbids it: it was the browser that tried.
    tab.wait_for_function("() => window.isForbidden")
    assert tab.complaints == ["forbidden by the policy: form-action"]
    tab.complaints.clear()
    no_post(tab, stage)


def test_who_says_no_to_a_submit_is_obeyed(open_tab, stage):
    tab = open_tab(body=form("<button>Go</button>"))
    tab.evaluate("document.addEventListener('submit', event => event.preventDefault())")
    tab.get_by_role("button").click()
    no_post(tab, stage)


@pytest.fixture
def screens(stage):
    """A page with routes: a post takes the tab to its route, and the screen is drawn by a stream."""
    stage.routes = ["/"]
    places = [["/"]]

    def screen(routes):
        links = "".join(f'<p><a data-route href="/{n}">Screen {n}</a></p>' for n in "ab")
        filler = "".join(f'<p style="height: 1">{n}</p>' for n in range(100)).replace(
            ' style="height: 1"', "")
        return (f'<h1>Screen {routes[-1]}</h1>{links}<p><a data-route href="/a?x=1#part">Part</a></p>'
                f'<p><a data-route href="#part">Here</a></p>'
                f'<p><a data-route href="/a" target="_blank">Window</a></p>'
                f'<p><a data-route href="http://127.0.0.1:1000/away">Away</a></p>'
                f'<p><a data-route href="/a" download>Save</a></p>'
                f'<form data-route="replace" action="/found"><input name="q" aria-label="Search"></form>{filler}'
                f'<h2 id="part">Part</h2>{filler}<p><a data-route href="/b">Last</a></p>')

    def answer(post):
        body = post["body"]
        routes = places[-1]
        if body.get("move") == "push" and routes[-1] != body["route"]:
            routes = routes + [body["route"]]
        elif body.get("move") == "replace":
            routes = routes[:-1] + [body["route"]]
        elif body.get("move") in ("back", "forward"):
            found = body["route"] in routes
            routes = routes[:routes.index(body["route"]) + 1] if found else routes + [body["route"]]
        places.append(routes)
        tab = {"routes": routes, "title": routes[-1], "version": len(places)}
        if body.get("move") != "open":
            stage.send({"tab": tab}, {"key": "screen", "html": screen(routes)})
        return 200, {"result": "dispatched", "tab": tab}

    stage.answer = answer
    stage.body = f'<main><!--fragments--><div data-fragment="screen">{screen(["/"])}</div></main>'
    return answer


def heading(tab, text):
    expect(tab.get_by_role("heading", level=1)).to_have_text(text)


def test_a_new_screen_begins_at_the_top_and_back_is_where_it_was(open_tab, stage, screens):
    tab = open_tab()
    tab.get_by_role("link", name="Last").scroll_into_view_if_needed()
    below = tab.evaluate("scrollY")
    assert below > 500
    tab.get_by_role("link", name="Last").click()
    heading(tab, "Screen /b")
    expect(tab.get_by_role("heading", level=1)).to_be_in_viewport()
    assert tab.evaluate("scrollY") == 0
    tab.go_back()
    heading(tab, "Screen /")
    tab.wait_for_function("below => Math.abs(scrollY - below) < 2", arg=below)
    tab.go_forward()
    heading(tab, "Screen /b")
    tab.wait_for_function("() => scrollY === 0")


def test_a_search_that_goes_on_leaves_one_entry_in_the_history(open_tab, stage, screens):
    tab = open_tab()
    tab.get_by_role("link", name="Screen a").click()
    heading(tab, "Screen /a")
    for text in ["p", "pe", "pear"]:
        tab.get_by_label("Search").fill(text)
        tab.get_by_label("Search").press("Enter")
        heading(tab, f"Screen /found?q={text}")
    tab.go_back()
    heading(tab, "Screen /")


def test_a_link_to_a_part_of_a_screen_leads_there(open_tab, stage, screens):
    tab = open_tab()
    tab.get_by_role("link", name="Part").click()
    heading(tab, "Screen /a?x=1")
    expect(tab).to_have_url(f"{stage.url}/a?x=1#part")
    expect(tab.get_by_role("heading", level=2)).to_be_in_viewport()
    tab.go_back()
    heading(tab, "Screen /")
    expect(tab).to_have_url(f"{stage.url}/")


def test_a_link_to_a_part_of_this_screen_scrolls(open_tab, stage, screens):
    tab = open_tab()
    tab.get_by_role("link", name="Screen a").click()
    heading(tab, "Screen /a")
    tab.get_by_role("link", name="Here").click()
    expect(tab).to_have_url(f"{stage.url}/a#part")
    expect(tab.get_by_role("heading", level=2)).to_be_in_viewport()
    assert tab.evaluate("history.state") == {"at": 2, "trail": ["/", "/a", "/a"]}
    tab.go_back()
    expect(tab).to_have_url(f"{stage.url}/a")
    tab.wait_for_function("() => scrollY < 100")
    tab.go_back()
    heading(tab, "Screen /")
    assert [stage.next_post()["body"].get("move") for _ in range(3)] == ["open", "push", "back"]


@pytest.mark.parametrize("name", ["Window", "Save", "Away"])
def test_links_that_lead_elsewhere_are_the_browsers(open_tab, stage, screens, name):
    tab = open_tab()
    stage.next_post()
    if name == "Window":
        with tab.context.expect_page() as opened:
            tab.get_by_role("link", name=name).click()
        opened.value.wait_for_load_state()
        assert stage.documents == ["/", "/a"]
        stage.next_post()
    elif name == "Save":
        with tab.expect_download() as saved:
            tab.get_by_role("link", name=name).click()
        assert saved.value.url == f"{stage.url}/a"
    else:
        with tab.expect_request(lambda request: request.url.endswith("/away")):
            tab.get_by_role("link", name=name).click(no_wait_after=True)
        # The page is being left, so it isn't asked any more.
        assert stage.posts.empty()
        return
    no_post(tab, stage)


REFUSED = 409, {"message": "Your visit has ended.", "load": True}


def test_who_is_on_the_way_when_the_page_loads_itself_arrives(open_tab, stage, screens):
    tab = open_tab()
    stage.next_post()
    asked = threading.Event()
    stage.answer = lambda post: (asked.wait(PATIENCE), REFUSED)[1]
    tab.get_by_role("link", name="Screen a").click()
    stage.next_post()
    stage.send(event="load")
    stage.next_stream()
    asked.set()
    expect(tab).to_have_url(f"{stage.url}/a")
    assert stage.documents == ["/", "/a"]


def test_a_link_leads_on_while_the_page_loads_itself(open_tab, stage, screens):
    tab = open_tab()
    stage.next_post()
    stage.answer = lambda post: (stage.gate.wait(PATIENCE), REFUSED)[1]
    stage.gate.clear()
    # By the page itself, since the test's own tools wait for the load.
    tab.evaluate("""() => {
        const timer = setInterval(() => {
            if (!sessionStorage.getItem("onward-load")) return;
            clearInterval(timer);
            document.querySelector("a").click();
        }, 50);
    }""")
    stage.send(event="load")
    wait_for(lambda: "/a" in stage.documents)
    stage.gate.set()
    expect(tab).to_have_url(f"{stage.url}/a")


def test_fields_named_tab_and_move_are_the_forms_own_on_a_page_without_routes(open_tab, stage):
    tab = open_tab(body="""<main><form method="post" data-action>
        <input name="tab" value="Table 5"><input name="move" value="e2e4">
        <button name="type" value="T/move">Move</button></form></main>""")
    tab.get_by_role("button").click()
    body = stage.next_post()["body"]
    assert (body["tab"], body["move"], body["type"]) == ("Table 5", "e2e4", "T/move")
