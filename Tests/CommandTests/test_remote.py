# SPDX-License-Identifier: MIT
"""A program without a server that connects to an inspector in another process, as an app on a device does.

ONWARD_BINARY     the command (needed)
INSPECTED_BINARY  the program that connects, Tests/InspectedProgram (needed)
"""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from browsing import PATIENCE, end, free_port, run
from inspecting import press
from playwright.sync_api import expect


class App:
    """A shop that dispatches what it reads."""

    def __init__(self, url):
        environment = os.environ | {"ONWARD_INSPECTOR": url}
        self.process = subprocess.Popen(
            [os.environ["INSPECTED_BINARY"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def dispatch(self, line):
        """Has it dispatch, and returns the total that it has then; what it says of the connection is left out."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        while not (said := self.process.stdout.readline()).startswith("total "):
            assert said, "It has ended."
        return int(said.split()[1])

    def kill(self):
        self.process.stdin.close()
        end(self.process, signal.SIGKILL)


class Inspector:
    """An inspector in a process of its own, and apps that connect to it."""

    def __init__(self, *arguments):
        self.port = free_port()
        self.arguments = arguments
        self.apps = []
        self.start()

    def start(self):
        self.process, self.url = run("ONWARD_BINARY", "inspector", "--port", str(self.port), *self.arguments)

    def connect(self, url=None):
        self.apps.append(App(url or self.url))
        return self.apps[-1]

    def post(self, path, body, token=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        address = f"http://127.0.0.1:{self.port}{path}"
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def close(self):
        for app in self.apps:
            if app.process.poll() is None:
                app.kill()
        end(self.process, signal.SIGKILL)


@pytest.fixture
def inspector():
    inspector = Inspector()
    yield inspector
    inspector.close()


@pytest.fixture
def open_page(chromium):
    contexts = []

    def open_page(address, **options):
        contexts.append(chromium.new_context(**options))
        contexts[-1].set_default_timeout(1_000 * PATIENCE)
        page = contexts[-1].new_page()
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()


def shows_entries(page, *ids):
    expect(page.locator(".entry .id")).to_have_text([f"{entry}" for entry in ids])


def test_an_app_elsewhere_is_seen_and_steered(inspector, open_page):
    app = inspector.connect()
    assert app.dispatch("Pear") == 5
    page = open_page(inspector.url + "/shop")
    shows_entries(page, 1)
    assert app.dispatch("<b>Fig</b>") == 10
    shows_entries(page, 1, 2)
    expect(page.locator(".body")).to_contain_text("<b>Fig</b>")
    page.get_by_role("link", name="State", exact=True).click()
    expect(page.get_by_role("link", name="cart", exact=True).first).to_be_visible()
    press(page, "Earlier")
    expect(page.locator(".moment b")).to_have_text("1")
    # The app shows the past: what is dispatched is recorded at the end.
    assert app.dispatch("Kiwi") == 5
    shows_entries(page, 1, 2, 3)
    press(page, "Live")
    expect(page.locator(".moment b")).to_have_text("3")
    assert app.dispatch("Plum") == 20
    page.get_by_role("link", name="Diff").click()
    expect(page.locator(".changes")).to_contain_text("total")
    page.get_by_role("link", name="Dispatch").click()
    page.get_by_label("Action", exact=True).select_option("JSON")
    page.get_by_label("An action as JSON").fill(json.dumps({"type": "CartAction/explode"}))
    press(page, "Dispatch")
    expect(page.get_by_role("alert")).to_contain_text("no such case")


def test_an_app_that_is_killed_comes_back_to_its_place(inspector, open_page):
    app = inspector.connect()
    app.dispatch("Pear")
    page = open_page(inspector.url + "/shop/entries/1/state")
    expect(page.get_by_role("link", name="cart", exact=True).first).to_be_visible()
    app.kill()
    expect(page.get_by_role("alert")).to_contain_text("shop is away")
    # What was known is still there.
    shows_entries(page, 1)
    expect(page.get_by_role("link", name="cart", exact=True).first).to_be_visible()
    app = inspector.connect()
    expect(page.get_by_role("alert")).to_have_count(0)
    shows_entries(page)
    app.dispatch("Fig")
    shows_entries(page, 1)
    expect(page.locator(".entry")).to_contain_text("Fig")
    expect(page.locator(".stores a")).to_have_count(1)


def test_an_app_goes_on_while_the_inspector_is_away(inspector, open_page):
    app = inspector.connect()
    app.dispatch("Pear")
    page = open_page(inspector.url + "/shop")
    shows_entries(page, 1)
    end(inspector.process, signal.SIGKILL)
    assert app.dispatch("Fig") == 10
    inspector.start()
    # It comes back with all that it has recorded meanwhile.
    page.goto(inspector.url + "/shop")
    shows_entries(page, 1, 2)


def test_an_entry_is_moved_by_keys_and_by_hand(inspector, open_page):
    app = inspector.connect()
    for name in ["Pear", "Fig", "Kiwi"]:
        app.dispatch(name)
    page = open_page(inspector.url + "/shop/entries/3")
    above, below = [page.get_by_role("button", name=f"Run it {place}") for place in
                    ["before the entry above", "after the entry below"]]
    expect(above).to_be_visible()
    page.keyboard.press("[")
    shows_entries(page, 1, 3, 2)
    expect(below).to_be_visible()
    page.keyboard.press("]")
    shows_entries(page, 1, 2, 3)
    entries = page.locator(".entry")
    entries.last.drag_to(entries.first, target_position={"x": 60, "y": 2})
    shows_entries(page, 3, 1, 2)
    height = entries.last.bounding_box()["height"]
    entries.first.drag_to(entries.last, target_position={"x": 60, "y": height - 2})
    shows_entries(page, 1, 2, 3)


def test_a_shortest_test_leaves_out_what_a_value_does_not_need(inspector, open_page):
    app = inspector.connect()
    for name in ["Pear", "Fig", "clear", "Kiwi"]:
        app.dispatch(name)
    page = open_page(inspector.url + "/shop/entries/4/test?shortest=1&path=cart.total")
    source = page.locator("pre#source")
    expect(source).to_contain_text('#"{"id":0,"name":"","price":5}"#')
    expect(source).not_to_contain_text("clear")


def test_what_a_hostile_app_says_is_text_and_has_bounds(inspector, open_page):
    evil = '<img src=x onerror="window.pwned = 1"><script>window.pwned = 1</script>'
    status, welcome = inspector.post("/apps/v2/connect", {"app": evil, "process": 1})
    assert status == 200
    exchange = f"/apps/v2/exchange/{welcome['key']}"
    log = {"count": 1 << 62, "cursor": -1, "shownID": 1, "newestID": 1, "skipped": -5, "isLocked": False,
           "isPaused": False, "limit": 0, "taken": 1, "revision": 0, "keptBytes": 1 << 62}
    news = {"stores": [{"name": evil, "log": log, "isEnded": False}], "answers": [], "pending": []}
    for many in [100, 10_000]:
        assert inspector.post(exchange, {"stores": news["stores"] * many, "answers": [], "pending": []})[0] == 400
    page = open_page(inspector.url)
    line = {"id": 1, "moment": -(1 << 62), "name": evil, "preview": evil, "address": evil, "time": 1 << 62,
            "delta": -(1 << 62), "file": evil, "line": -1, "isSkipped": False, "isAhead": False}
    many = {"entries": [line] * 2_000, "examined": 1 << 62, "later": 1 << 62}
    # The message is within its limit, the answer isn't within that of answers.
    big = {"message": "x" * (5 << 20)}
    lies = [json.dumps(many), "[" * 10_000, "null", json.dumps(big)]
    sent = 0
    for _ in range(20):
        status, orders = inspector.post(exchange, news)
        assert status == 200
        news["answers"] = []
        for order in orders["requests"]:
            lie = lies[sent % 4] if not news["answers"] else lies[sent % 3]
            news["answers"].append({"id": order["id"], "status": 200, "json": lie})
            sent += 1
    assert sent
    expect(page.locator(".stores a")).to_have_count(1)
    expect(page.get_by_role("alert")).to_contain_text("can't be read")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img[src=x]").count() == 0


def test_a_device_is_let_in_by_the_code(open_page):
    inspector = Inspector("--host", "127.0.0.1", "--code", "ABCDE-FGHJK")
    try:
        assert inspector.url == f"http://127.0.0.1:{inspector.port}/?token=ABCDE-FGHJK"
        plain = inspector.url.split("?")[0]
        assert inspector.post("/apps/v2/connect", {"app": "x", "process": 1})[0] == 401
        inspector.connect(plain + "?token=WRONG-FGHJK").dispatch("Fig")
        inspector.connect().dispatch("Pear")
        page = open_page(inspector.url)
        expect(page.locator(".stores a")).to_have_count(1)
        expect(page.locator(".entry")).to_contain_text("Pear")
        assert open_page(plain).locator(".stores").count() == 0
    finally:
        inspector.close()
