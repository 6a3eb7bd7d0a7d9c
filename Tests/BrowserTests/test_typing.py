# SPDX-License-Identifier: MIT
"""Somebody types on while the network is slow: what arrives is what was typed.

The time is that of the test: it puts the keys and the answers into the order in which they come with a typist of 120 ms
a key and a server that is so far away, and takes each step when the page has taken the one before.
"""

import heapq
import itertools
import json
import queue

import pytest
from browsing import COUNT_ANSWERS, PATIENCE
from playwright.sync_api import expect

KEY = 120  # milliseconds
DELAYS = [0, 100, 300, 1_000]
REFUSAL = "There is enough of that."


class Network:
    """The steps of a page with a server that is some milliseconds away."""

    def __init__(self, tab, stage, delay, refuses=(), redraws=None):
        self.tab, self.stage, self.delay, self.refuses, self.redraws = tab, stage, delay, refuses, redraws
        self.steps, self.numbers, self.now = [], itertools.count(), 0
        self.waiting, self.underway, self.answers = 0, 0, 0  # posts in the page, on their way; answers so far
        self.results, self.bodies = queue.Queue(), []
        stage.answer = lambda post: self.results.get(timeout=PATIENCE)
        tab.evaluate(COUNT_ANSWERS)

    def at(self, time, step):
        heapq.heappush(self.steps, (time, next(self.numbers), step))

    def type(self, *steps):
        """Keys and functions, one after the other."""
        for number, step in enumerate(steps):
            press = step if callable(step) else (lambda key=step: self.tab.keyboard.press(key))
            self.at(self.now + KEY * (number + 1), press)

    def submit(self, press=None):
        (press or (lambda: self.tab.keyboard.press("Enter")))()
        self.waiting += 1
        self.send()

    def send(self):
        """What has gathered goes up in one request, when none is under way."""
        if self.underway or not self.waiting:
            return
        self.underway, self.waiting = self.waiting, 0
        bodies = [self.stage.next_post()["body"] for _ in range(1)]
        self.bodies += bodies + [self.stage.next_post()["body"] for _ in range(self.underway - 1)]
        self.at(self.now + self.delay, self.answer)

    def answer(self):
        for body in self.bodies[-self.underway:]:
            isRefused = any(word in json.dumps(body) for word in self.refuses)
            self.results.put((409, {"message": REFUSAL}) if isRefused else (200, {"result": "dispatched"}))
        self.answers += 1
        if self.redraws:
            self.redraws()
        self.tab.wait_for_function("count => answers >= count", arg=self.answers)
        self.underway = 0
        self.send()

    def run(self):
        while self.steps:
            self.now, _, step = heapq.heappop(self.steps)
            step()


def page(fields, button="<button>Add</button>"):
    return ('<main><!--fragments--><div data-fragment="form"><form method="post" data-action data-reset>'
            f'<input type="hidden" name="type" value="T/add">{fields}{button}</form></div>'
            '<ul data-fragment="list"></ul></main>')


@pytest.mark.parametrize("redraws", [False, True], ids=["", "redrawn"])
@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("kind", ["text", "search", "email", "tel", "url", "password", "number", "textarea", "two"])
def test_what_arrives_is_what_was_typed(open_tab, stage, kind, delay, redraws):
    words = ["12", "3456", "789"] if kind == "number" else ["milk", "eggs", "bread"]
    field = {"textarea": '<textarea name="v"></textarea>', "two": '<input name="v"><input name="w">'}.get(
        kind, f'<input name="v" type="{kind}">')
    body = page(field).replace("<form", "<form novalidate")
    tab = open_tab(body=body)

    def redraw():
        stage.send({"key": "list", "tag": "ul", "html": f"<li>{stage.version}</li>"},
                   {"key": "form", "html": body.split('data-fragment="form">')[1].split("</div>")[0]})
        expect(tab.locator("li")).to_have_text(str(stage.version - 1))

    network = Network(tab, stage, delay, redraws=redraw if redraws else None)
    tab.locator("[name=v]").focus()
    steps = []
    for word in words:
        steps += list(word)
        if kind == "two":
            steps += ["Tab", *word, network.submit, "Shift+Tab"]
        elif kind == "textarea":
            steps += ["Tab", network.submit, "Shift+Tab"]
        else:
            steps.append(network.submit)
    network.type(*steps)
    network.run()
    assert [body["v"] for body in network.bodies] == words
    if kind == "two":
        assert [body["w"] for body in network.bodies] == words
    expect(tab.locator("[name=v]")).to_have_value("")


@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("kind", ["checkbox", "radio", "select", "multiple", "date", "file"])
def test_what_arrives_is_what_was_chosen(open_tab, stage, kind, delay):
    boxes = "".join(f'<input type="{kind}" name="v" value="{v}">' for v in "abc")
    choices = '<option value="">-</option>' + "".join(f"<option>{v}</option>" for v in "abc")
    field = {"select": f'<select name="v">{choices}</select>', "multiple": f'<select name="v" multiple>{choices}</select>',
             "date": '<input type="date" name="v">', "file": '<input type="file" name="v">'}.get(kind, boxes)
    tab = open_tab(body=page(field))
    network = Network(tab, stage, delay)

    def choose(value):
        if kind in ("checkbox", "radio"):
            tab.locator(f"[value={value}]").check()
        elif kind in ("select", "multiple"):
            tab.select_option("select", value)
        elif kind == "date":
            tab.locator("[name=v]").fill(f"2026-01-0{'abc'.index(value) + 1}")
        else:
            tab.locator("[name=v]").set_input_files({"name": value, "mimeType": "text/plain", "buffer": b"x"})

    press = lambda: tab.get_by_role("button", name="Add").click()
    steps = [step for value in "abc" for step in (lambda value=value: choose(value), lambda: network.submit(press))]
    network.type(*steps)
    network.run()
    expected = ["2026-01-01", "2026-01-02", "2026-01-03"] if kind == "date" else list("abc")
    assert [body["v"] for body in network.bodies] == expected


@pytest.mark.parametrize("delay", DELAYS)
def test_a_refused_text_is_never_lost_and_never_mixed_with_the_next(open_tab, stage, delay):
    tab = open_tab(body=page('<input name="v"><input name="n" value="1">'))
    network = Network(tab, stage, delay, refuses=["milk"])
    tab.locator("[name=v]").focus()
    network.type(*"milk", network.submit, *"eggs", network.submit)
    network.run()
    assert [body["v"] for body in network.bodies] == ["milk", "eggs"]
    if tab.locator("[name=v]").input_value() == "":
        tab.get_by_role("button", name="Put back").click()
    # It was refused after the next one was sent, or was typed over, and is offered.
    expect(tab.locator("[name=v]")).to_have_value("milk")
    expect(tab.locator("[name=v]")).to_be_focused()
    expect(tab.get_by_role("button", name="Put back")).to_have_count(0)
    network.refuses = ()
    network.type("End", "!", network.submit)
    network.run()
    assert [body["v"] for body in network.bodies] == ["milk", "eggs", "milk!"]
    expect(tab.locator("[name=v]")).to_have_value("")


def test_a_refused_entry_returns_where_nothing_else_was_begun(open_tab, stage):
    fields = ('<input name="v" required><textarea name="t"></textarea><select name="s"><option>a</option><option>b</option></select>'
              '<input type="checkbox" name="c"><input type="radio" name="r" value="1"><input type="radio" name="r" value="2">'
              '<input type="date" name="d"><input type="file" name="f">')
    tab = open_tab(body=page(fields))
    stage.answer = lambda post: (409, {"message": REFUSAL})
    tab.locator("[name=v]").fill("milk")
    tab.locator("[name=t]").fill("two\nlines")
    tab.select_option("select", "b")
    tab.locator("[name=c]").check()
    tab.locator("[value='2']").check()
    tab.locator("[name=d]").fill("2026-11-29")
    tab.locator("[name=f]").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"})
    tab.get_by_role("button", name="Add").click()
    expect(tab.get_by_role("status")).to_have_text(REFUSAL)
    found = tab.evaluate("""() => { const e = document.forms[0].elements;
        return [e.v.value, e.t.value, e.s.value, e.c.checked, e.r.value, e.d.value, e.f.files[0]?.name]; }""")
    assert found == ["milk", "two\nlines", "b", True, "2", "2026-11-29", "a.txt"]
    expect(tab.get_by_role("button", name="Put back")).to_have_count(0)


def test_what_has_begun_anew_stays_and_the_refused_entry_takes_its_place_when_asked(open_tab, stage):
    tab = open_tab(body=page('<input name="v"><input type="checkbox" name="c">'))
    network = Network(tab, stage, 300, refuses=["milk", "rice"])
    field = tab.locator("[name=v]")
    field.focus()
    network.type(*"milk", network.submit, *"rice", network.submit, *"egg")
    network.run()
    expect(field).to_have_value("egg")
    put_back = tab.get_by_role("button", name="Put back")
    expect(tab.get_by_role("status")).to_contain_text(f"{REFUSAL} (“rice”)")
    put_back.click()
    expect(field).to_have_value("rice")
    expect(tab.get_by_role("status")).to_contain_text("“egg”")
    put_back.click()
    expect(field).to_have_value("egg")
    tab.get_by_role("button", name="Discard").click()
    expect(tab.get_by_role("status")).to_contain_text("“milk”")
    put_back.click()
    expect(field).to_have_value("milk")


@pytest.mark.parametrize("form", ['<input name="v" required>', '<input name="v">'])
def test_a_double_click_sends_one_entry_and_complains_of_nothing(open_tab, stage, form):
    tab = open_tab(body=page(form))
    tab.evaluate("addEventListener('invalid', () => { window.isInvalid = true }, true)")
    tab.locator("[name=v]").fill("milk")
    tab.get_by_role("button").dblclick(delay=30)
    assert stage.next_post()["body"]["v"] == "milk"
    stage.settle(tab)
    assert stage.posts.empty() and not tab.evaluate("window.isInvalid")
    tab.locator("[name=v]").fill("eggs")
    tab.get_by_role("button").click()
    assert stage.next_post()["body"]["v"] == "eggs"


def test_a_post_that_could_not_be_sent_gives_its_text_back(open_tab, stage):
    tab = open_tab(body=page('<input name="v">'))
    tab.clock.install()
    tab.context.route("**/*", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    tab.locator("[name=v]").fill("milk")
    tab.locator("[name=v]").press("Enter")
    expect(tab.locator("[name=v]")).to_have_value("")
    for _ in range(30):
        tab.clock.run_for(5_000)
        if tab.locator("[name=v]").input_value():
            break
    expect(tab.locator("[name=v]")).to_have_value("milk")
    expect(tab.get_by_role("status")).to_contain_text("could not be sent")


def test_a_refused_text_is_offered_though_its_form_has_gone_and_returns_with_it(open_tab, stage):
    tab = open_tab(body=page('<input name="v"><input type="hidden" name="to" value="1">'))
    form = tab.evaluate("document.querySelector('[data-fragment=form]').innerHTML")
    network = Network(tab, stage, 300, refuses=["milk"])
    tab.locator("[name=v]").focus()

    def leave():
        stage.send({"key": "form", "html": "<p>Elsewhere</p>"})
        # Before the refusal, on which the page asks for a new stream: this stage doesn't say again what the old one held.
        expect(tab.get_by_text("Elsewhere")).to_be_visible()

    network.type(*"milk", network.submit, leave)
    network.run()
    status, put_back = tab.get_by_role("status"), tab.get_by_role("button", name="Put back")
    expect(status).to_contain_text(f"{REFUSAL} (“milk”)")
    expect(put_back).to_have_count(0)
    stage.next_stream()
    stage.send({"key": "form", "html": form.replace('value="1"', 'value="2"')})
    expect(tab.locator("[name=v]")).to_be_visible()
    expect(put_back).to_have_count(0)  # it is for something else
    stage.send({"key": "form", "html": form})
    put_back.click()
    expect(tab.locator("[name=v]")).to_have_value("milk")
    expect(status).to_have_text("")


def test_what_a_script_fills_in_is_nothing_that_has_begun(open_tab, stage):
    tab = open_tab(body=page('<input name="v"><input type="date" name="day">'))
    tab.evaluate("document.addEventListener('reset', () => setTimeout(() => { document.forms[0].day.value = '2026-11-29' }))")
    stage.answer = lambda post: (409, {"message": REFUSAL})
    tab.locator("[name=v]").fill("milk")
    tab.locator("[name=day]").fill("2026-01-02")
    tab.get_by_role("button", name="Add").click()
    expect(tab.locator("[name=v]")).to_have_value("milk")
    expect(tab.locator("[name=day]")).to_have_value("2026-01-02")
