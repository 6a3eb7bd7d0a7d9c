# SPDX-License-Identifier: MIT
"""What makes two elements the same, and what stays with an element that is."""

import re
import threading

import pytest
from playwright.sync_api import expect

NO_MOVES = "delete Element.prototype.moveBefore"


def page(html):
    return f'<main><!--fragments--><div data-fragment="a">{html}</div></main>'


def draw(tab, stage, html):
    stage.send({"key": "a", "html": f"{html}<i>{stage.version}</i>"})
    expect(tab.locator("i")).to_have_text(str(stage.version - 1))


FIELD = '<form method="post" data-action><input id="f" name="{}" type="{}"></form>'
LOOK = "[f === own, f.value, document.activeElement === f, f.selectionStart, f.type]"


@pytest.mark.parametrize("before, script, after", [
    (("pw", "password"), "f.type = 'text'", ("pw", "password")),
    (("pw", "password"), "", ("pw", "text")),
    (("pw", "text"), "", ("pw", "password")),
    (("q", "text"), "", ("q", "search")),
    (("q", "text"), "", ("q", "tel")),
    (("draft", "text"), "", ("text", "text")),
    (("draft", "text"), "", ("text", "url")),
], ids=str)
def test_a_field_with_an_id_keeps_text_focus_and_caret_whatever_its_type_and_name(open_tab, stage, before, script, after):
    tab = open_tab(body=page(FIELD.format(*before)))
    tab.locator("#f").click()
    tab.keyboard.type("secret")
    tab.evaluate(f"window.own = f; {script}; f.setSelectionRange(3, 3)")
    draw(tab, stage, FIELD.format(*after))
    assert tab.evaluate(LOOK) == [True, "secret", True, 3, after[1]]
    tab.keyboard.type("!")
    expect(tab.locator("#f")).to_have_value("sec!ret")


@pytest.mark.parametrize("kind", ["file", "checkbox", "hidden", "range", "email", "number"])
def test_a_type_that_cannot_hold_the_text_shows_what_the_server_says(open_tab, stage, kind):
    tab = open_tab(body=page('<input id="f" type="text">'))
    tab.locator("#f").click()
    tab.keyboard.type("typed")
    tab.evaluate("window.own = f")
    draw(tab, stage, f'<input id="f" type="{kind}" value="7" checked>')
    # An address may be what was typed; a number and a place on a scale may not.
    shown = {"file": "", "email": "typed", "number": "", "range": "50"}.get(kind, "7")
    assert tab.evaluate("[f === own, f.type, f.value, f.getAttribute('value')]") == [True, kind, shown, "7"]
    if kind == "checkbox":
        expect(tab.locator("#f")).to_be_checked()
    draw(tab, stage, '<input id="f" type="text" value="again">')
    tab.locator("#f").blur()
    draw(tab, stage, '<input id="f" type="text" value="last">')
    expect(tab.locator("#f")).to_have_value("last")


def test_a_select_with_an_id_stays_the_same_when_it_takes_several(open_tab, stage):
    select = '<select id="s" name="{}"{}><option>a</option><option>b</option><option>c</option></select>'
    tab = open_tab(body=page(select.format("x", "")))
    tab.select_option("#s", "b")
    tab.evaluate("window.own = s")
    for name, multiple in (("x", " multiple"), ("y", " multiple"), ("x", "")):
        draw(tab, stage, select.format(name, multiple))
        assert tab.evaluate("[s === own, [...s.selectedOptions].map(o => o.value).join()]") == [True, "b"]


def boxes(kind, values):
    return "<form data-action>" + "".join(
        f'<label><input type="{kind}" name="x" value="{value}">{value}</label>' for value in values) + "</form>"


def bare(kind, values):
    return "<form data-action>" + "".join(f'<input type="{kind}" name="x" value="{value}">' for value in values) + "</form>"


def wrapped(kind, values):
    cells = [f'<label><input type="{kind}" name="x" value="{value}"><b>{value}</b></label>' for value in values]
    return f"<form data-action><fieldset><p>{'</p><p>'.join(cells)}</p></fieldset></form>"


@pytest.mark.parametrize("moves", [True, False], ids=["moving", "inserting"])
@pytest.mark.parametrize("kind", ["checkbox", "radio"])
@pytest.mark.parametrize("first, second", [(boxes, boxes), (bare, bare), (wrapped, wrapped), (boxes, wrapped), (bare, boxes)])
def test_a_checked_box_stays_checked_wherever_it_is_drawn(open_tab, stage, kind, first, second, moves):
    tab = open_tab(body=page(first(kind, "abc")), script=None if moves else NO_MOVES)
    tab.locator("[value=b]").check()
    for values in ("abc", "abcd", "dabc", "cab", "bc", "b", "zbx"):
        draw(tab, stage, second(kind, values))
        found = tab.evaluate("[...document.querySelectorAll('input')].map(o => o.checked ? o.value.toUpperCase() : o.value).join('')")
        assert found == values.replace("b", "B")
    draw(tab, stage, second(kind, "ac"))
    assert tab.locator(":checked").count() == 0


def test_what_is_typed_beside_a_box_stays_beside_it(open_tab, stage):
    def rows(values):
        return "<ul>" + "".join(f'<li><input type="checkbox" name="buy" value="{v}"><input name="amount"></li>' for v in values) + "</ul>"

    tab = open_tab(body=page(rows("abc")))
    tab.locator("li:nth-child(2) [name=amount]").fill("for b")
    draw(tab, stage, rows("zcba"))
    found = tab.evaluate("[...document.querySelectorAll('li')].map(li => [...li.children].map(f => f.value).join(':'))")
    assert found == ["z:", "c:", "b:for b", "a:"]


@pytest.mark.parametrize("mark", ["id", "data-key", "data-row"])
def test_an_element_with_a_mark_stays_the_same_under_another_parent(open_tab, stage, mark):
    card = f'<li {mark}="7"><input aria-label="Title"></li>'
    tab = open_tab(body=page(f"<ul><li>x</li>{card}</ul><ol></ol>"))
    tab.get_by_label("Title").fill("typed")
    tab.evaluate("document.activeElement.own = true")
    draw(tab, stage, f"<ul><li>x</li></ul><ol><li>y</li>{card}</ol>")
    assert tab.evaluate("[document.activeElement.own, document.activeElement.closest('ol') !== null]") == [True, True]
    expect(tab.get_by_label("Title")).to_have_value("typed")


def test_a_field_with_a_name_stays_the_same_under_another_parent(open_tab, stage):
    tab = open_tab(body=page('<form><input name="title"></form>'))
    tab.locator("input").fill("typed")
    draw(tab, stage, '<form><p>Taken.</p><div><label>Title <input name="title" type="search"></label></div></form>')
    expect(tab.locator("input")).to_have_value("typed")
    expect(tab.locator("input")).to_be_focused()


@pytest.mark.parametrize("before, after", [
    ('<div id="a"><input name="text"></div><div id="b"></div>', '<div id="a"></div><div id="b"><input name="text"></div>'),
    ('<p><form><input type="hidden" name="to" value="a"><input name="text"></form></p>',
     '<section><form><input type="hidden" name="to" value="b"><input name="text"></form></section>'),
], ids=["in another element with a mark", "in a form for something else"])
def test_a_name_is_another_field_where_it_means_something_else(open_tab, stage, before, after):
    tab = open_tab(body=page(before))
    tab.locator("[name=text]").fill("for a")
    draw(tab, stage, after)
    expect(tab.locator("[name=text]")).to_have_value("")


DIALOG = '<dialog id="d"><p>Sure?</p><input aria-label="Why"></dialog>'


@pytest.mark.parametrize("moves", [True, False], ids=["moving", "inserting"])
@pytest.mark.parametrize("after", [f"<section>{DIALOG}</section>", f"<p>First</p>{DIALOG}", f"<div><p>1</p><div>{DIALOG}</div></div>"])
def test_a_modal_dialog_that_moves_stays_modal(open_tab, stage, moves, after):
    tab = open_tab(body=page(f'<p id="p">Page</p>{DIALOG}'), script=None if moves else NO_MOVES)
    tab.evaluate("d.showModal()")
    tab.get_by_label("Why").fill("because")
    draw(tab, stage, after)
    assert tab.evaluate("[d.matches(':modal'), d.open, document.activeElement.value]") == [True, True, "because"]
    draw(tab, stage, f'{DIALOG}<p id="p">Page</p>')
    assert tab.evaluate("[d.matches(':modal'), d.open, document.activeElement.value]") == [True, True, "because"]
    tab.evaluate("d.close()")
    draw(tab, stage, after)
    assert tab.evaluate("[d.matches(':modal'), d.open]") == [False, False]


def test_an_open_popover_that_moves_stays_open(open_tab, stage):
    popover = '<div id="pop" popover>Help</div>'
    tab = open_tab(body=page(popover), script=NO_MOVES)
    tab.evaluate("pop.showPopover()")
    draw(tab, stage, f"<section>{popover}</section>")
    assert tab.evaluate("pop.matches(':popover-open')")


FORM = '<form action="/search" data-route><input id="q" name="q"><input type="checkbox" name="all"></form>'


@pytest.mark.parametrize("place", ["fragment", "layout"])
def test_a_field_that_asks_shows_the_query_after_back_and_forward(open_tab, stage, place):
    places = [["/"]]

    def screen(routes):
        return f'<h1>{routes[-1]}</h1><a data-route href="/search?q=link">Link</a>' + (FORM if place == "fragment" else "")

    def answer(post):
        body, routes = post["body"], places[-1]
        if body.get("move") == "push":
            routes = routes + [body["route"]]
        elif body.get("move") in ("back", "forward"):
            known = body["route"] in routes
            routes = routes[:routes.index(body["route"]) + 1] if known else routes + [body["route"]]
        places.append(routes)
        at = {"routes": routes, "title": "t", "version": len(places)}
        if body.get("move") != "open":
            stage.send({"tab": at}, {"key": "s", "html": screen(routes)})
        return 200, {"result": "dispatched", "tab": at}

    stage.routes, stage.answer = ["/"], answer
    layout = FORM if place == "layout" else ""
    tab = open_tab(body=f'{layout}<main><!--fragments--><div data-fragment="s">{screen(["/"])}</div></main>')
    field, box, heading = tab.locator("#q"), tab.get_by_role("checkbox"), tab.get_by_role("heading")
    for word in ("cat", "dog"):
        field.fill(word)
        box.set_checked(word == "dog")
        field.press("Enter")
        expect(heading).to_have_text(f"/search?q={word}" + ("&all=on" if word == "dog" else ""))
    expect(field).to_have_value("dog")  # which has the focus
    tab.go_back()
    expect(heading).to_have_text("/search?q=cat")
    expect(field).to_have_value("cat")
    expect(box).not_to_be_checked()
    tab.go_back()
    expect(heading).to_have_text("/")
    expect(field).to_have_value("")
    tab.go_forward()
    expect(heading).to_have_text("/search?q=cat")
    expect(field).to_have_value("cat")
    tab.go_forward()
    expect(heading).to_have_text("/search?q=dog&all=on")
    expect(field).to_have_value("dog")
    expect(box).to_be_checked()
    tab.get_by_role("link").click()
    expect(field).to_have_value("link")
    expect(box).not_to_be_checked()


@pytest.mark.parametrize("mover", ["reader", "server"])
def test_what_is_typed_while_a_screen_is_on_its_way_is_sent(open_tab, stage, mover):
    places, may_answer = [["/"]], threading.Event()

    def at(route):
        places.append([route])
        return {"routes": [route], "title": "t", "version": len(places)}

    def answer(post):
        body = post["body"]
        if body["move"] == "open":
            return 200, {"result": "dispatched", "tab": {"routes": ["/"], "title": "t", "version": 0}}
        if body["route"] == "/slow":
            may_answer.wait(30)
        place = at(body["route"])
        stage.send({"tab": place}, {"key": "s", "html": f"<h1>{body['route']}</h1>"})
        return 200, {"result": "dispatched", "tab": place}

    stage.routes, stage.answer = ["/"], answer
    link = '<a data-route href="/slow">Link</a>'
    tab = open_tab(body=f'{FORM}{link}<main><!--fragments--><div data-fragment="s"><h1>/</h1></div></main>')
    stage.settle(tab)
    field, heading = tab.locator("#q"), tab.get_by_role("heading")
    field.fill("before")
    if mover == "reader":
        tab.get_by_role("link").click()
    field.fill("cho")
    field.press("End")
    field.press_sequentially("ose")
    may_answer.set()
    if mover == "server":  # as an app that searches with each letter: two answers about older ones
        for route in ("/slower", "/slow"):
            stage.send({"tab": at(route)}, {"key": "s", "html": f"<h1>{route}</h1>"})
            expect(tab).to_have_url(re.compile(f"{route}$"))
    expect(heading).to_have_text("/slow")
    expect(tab).to_have_url(re.compile("/slow$"))
    expect(field).to_have_value("choose")
    field.press("Enter")
    expect(heading).to_have_text("/search?q=choose")
    expect(field).to_have_value("choose")
    # What was typed before a link was followed is no query of the new screen.
    field.fill("after")
    tab.get_by_role("link").click()
    expect(heading).to_have_text("/slow")
    expect(field).to_have_value("")


def test_a_search_that_is_typed_on_keeps_what_is_typed(open_tab, stage):
    def answer(post):
        route = post["body"]["route"]
        at = {"routes": [route], "title": "t", "version": stage.version}
        stage.send({"tab": at}, {"key": "s", "html": f"<h1>{route}</h1>"})
        return 200, {"result": "dispatched", "tab": at}

    stage.routes, stage.answer = ["/"], answer
    tab = open_tab(body=f'{FORM.replace("data-route", "data-route=replace")}<main><!--fragments--><div data-fragment="s"></div></main>')
    tab.locator("#q").fill("ca")
    tab.evaluate("() => { q.form.requestSubmit(); q.value = 'cats'; }")
    expect(tab.get_by_role("heading")).to_have_text("/search?q=ca")
    expect(tab.locator("#q")).to_have_value("cats")


@pytest.mark.parametrize("form, shown", [
    (FORM, ["cat", True]), (FORM.replace('name="q"', 'name="q" value="Cat"'), ["Cat", True]),
    (FORM.replace("/search", "/other"), ["", False]),
])
def test_a_field_that_asks_shows_the_query_of_the_loaded_page_where_the_server_says_nothing(open_tab, stage, form, shown):
    stage.routes = ["/search?q=cat&all=on"]
    tab = open_tab("/search?q=cat&all=on", body=f"{form}<main><h1>S</h1></main>")
    assert tab.evaluate("[q.value, document.querySelector('[name=all]').checked]") == shown
