# SPDX-License-Identifier: MIT
"""Starts the app's own program and opens real browser tabs on it.

MEMORYTUNES_BINARY  the program to test (needed)
"""

import http.server
import json
import os
import re
import signal
import threading
import zlib

import pytest
from browsing import PATIENCE, end, free_port, note_violations, run
from playwright.sync_api import expect


class Server:
    """One run of the program after the other, with the same port, cache and games."""

    def __init__(self, folder):
        self.port = free_port()
        self.process = None
        self.environment = {
            **os.environ, "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{folder}/cache"}
        self.environment.pop("MEMORYTUNES_CATALOGUE_URL", None)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments):
        self.process, address = run(
            "MEMORYTUNES_BINARY", "--port", str(self.port), "--seed", "7", *arguments,
            environment=self.environment)
        assert address == self.url

    def stop(self, by=signal.SIGTERM):
        return end(self.process, by)


class Tab:
    """A page of the app, in the words of a player."""

    def __init__(self, page, url):
        self.page = page
        self.url = url
        self.complaints = []
        page.on("console", lambda said: said.type in ("error", "warning") and self.note(said.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        note_violations(page, self.note)

    def note(self, complaint):
        self.complaints.append(complaint)

    def go(self, path="/"):
        self.page.goto(self.url + path)

    def is_at(self, path, title):
        expect(self.page).to_have_url(self.url + path)
        expect(self.heading).to_have_text(title)

    @property
    def heading(self):
        return self.page.get_by_role("heading", level=1)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def new_game(self):
        """From the menu to dealt cards."""
        self.button("New Game 🎲").click()
        self.is_dealt()

    def is_dealt(self):
        expect(self.page.locator(".card")).to_have_count(16)

    def card(self, number):
        return self.page.locator(f"#card-{number}")

    def looks(self):
        """What the cards look like, in their places: closed (also while closing), open, guessed."""
        return self.page.evaluate(
            "[...document.querySelectorAll('.card')].map(card => card.classList[1])"
            ".map(look => look === 'closing' ? 'closed' : look)")

    def is_open(self, number):
        expect(self.card(number)).to_have_class(re.compile("open|guessed"))

    def cover(self, number):
        """Where the picture of an open card is."""
        return self.card(number).locator("img").get_attribute("src")

    def play(self, tap):
        """Plays to the end as somebody does who remembers everything."""
        known, unseen = {}, list(range(16))
        while "closed" in self.looks():
            first = unseen.pop(0)
            tap(first)
            self.is_open(first)
            cover = self.cover(first)
            second = known.pop(cover, None)
            if second is None:
                known[cover] = first
                second = unseen.pop(0)
                tap(second)
                self.is_open(second)
                match = known.pop(self.cover(second), None)
                if match is None:
                    known[self.cover(second)] = second
                elif match != first:
                    for number in (match, second):
                        if "open" not in self.card(number).get_attribute("class"):
                            tap(number)
                            self.is_open(number)
            else:
                tap(second)
                self.is_open(second)

    def click(self, number):
        self.card(number).click()

    @property
    def alert(self):
        return self.page.get_by_role("alertdialog", name="Congratulations!")

    def check(self):
        """Fails if the browser had anything to complain about."""
        assert self.complaints == []


class Catalogue:
    """A catalogue that answers as a test wants it."""

    def __init__(self):
        self.status = 200
        self.count = 10
        self.title = "Album"
        self.broken = set()
        catalogue = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind, status, body = catalogue.answer(self.path, self.headers["Host"])
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()  # looks so often whether it ends

    def answer(self, path, host):
        if path.startswith("/search"):
            results = [
                {"artworkUrl100": f"http://{host}/{n}.png", "collectionName": f"{self.title} {n}"}
                for n in range(self.count)]
            return "application/json", self.status, json.dumps({"results": results}).encode()
        number = int(path.strip("/").removesuffix(".png"))
        if number in self.broken:
            return "text/html", 200, b"<script>alert(1)</script>"
        return "image/png", 200, png(number)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def png(number):
    """A picture of one colour."""
    def chunk(name, content):
        body = name + content
        return len(content).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    size = 8
    row = b"\0" + bytes([number * 23 % 256, number * 71 % 256, 160]) * size
    head = size.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(row * size)) + chunk(b"IEND", b""))


@pytest.fixture
def resting_server(tmp_path):
    """The program, not started yet."""
    server = Server(tmp_path)
    yield server
    if server.process:
        server.stop()


@pytest.fixture
def server(resting_server):
    """The program with its own covers."""
    resting_server.start("--offline")
    return resting_server


@pytest.fixture
def catalogue():
    catalogue = Catalogue()
    yield catalogue
    catalogue.close()


@pytest.fixture
def open_tab(chromium, resting_server):
    """Opens tabs, each of a visitor of its own unless the test says otherwise; none may have complained at the end."""
    tabs, contexts = [], []

    def open_tab(path="/", beside=None, **options):
        if beside:
            context = beside.page.context
        else:
            context = chromium.new_context(**{"reduced_motion": "reduce", **options})
            context.set_default_timeout(1_000 * PATIENCE)
            contexts.append(context)
        tab = Tab(context.new_page(), resting_server.url)
        tab.go(path)
        if options.get("java_script_enabled", True):
            tabs.append(tab)
        return tab

    yield open_tab
    for tab in tabs:
        tab.check()
    for context in contexts:
        context.close()
