# SPDX-License-Identifier: MIT
"""Starts the app's own programs and opens real browser tabs on them.

TODO_BINARY          the app (needed)
TODO_SERVICE_BINARY  the service that keeps the list (needed)
TODO_TERMINAL_BINARY the program in a terminal (needed)
"""

import http.server
import json
import os
import pathlib
import re
import tempfile
import threading
import urllib.parse

import pytest
from browsing import PATIENCE, end, free_port, note_violations, run, wait_for
from playwright.sync_api import expect

FEW = [
    {"id": "a", "name": "Buy milk", "state": 0},
    {"id": "b", "name": "Call Anna", "notes": "About Friday", "state": 1},
    {"id": "c", "name": "Pay rent", "dueDate": "2026-12-01T00:00:00+0000", "state": 0},
]

# Keeps the data of all events that come, and whether the stream has said what there is by now.
WATCH = """
window.received = [];
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        this.addEventListener("message", event => received.push(event.data));
        for (const kind of ["message", "beat"])
            this.addEventListener(kind, () => (document.documentElement.dataset.follows = "yes"));
    }
};
"""


class Service:
    """A service that answers as a test wants it; it speaks the REST of todo-service."""

    def __init__(self, tasks=FEW):
        self.tasks = [dict(task) for task in tasks]
        self.asked = []
        self.refusals = []  # statuses, one for each of the next requests
        self.refusing = None  # a status for all of them
        self.broken = False  # answers with nonsense
        self.gate = threading.Event()  # closed: a slow service
        self.gate.set()
        self.lock = threading.Lock()
        self.port = free_port()
        self.server = None
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length", 0))
                body = json.loads(self.rfile.read(length)) if length else None
                with service.lock:
                    service.asked.append((f"{self.command} {self.path}", body))
                service.gate.wait(PATIENCE)
                with service.lock:
                    status, answer = service.do(self.command, self.path, body)
                content = b"<nonsense" if service.broken else json.dumps(answer).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    pass  # nobody waits any more

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()  # looks so often whether it ends

    def stop(self):
        """From now on nobody is there."""
        self.gate.set()
        if self.server:
            self.server.shutdown()
            self.server.server_close()
        self.server = None

    def do(self, method, path, body):
        status = self.refusals.pop(0) if self.refusals else self.refusing
        if status:
            return status, {"title": "No", "detail": "Not today."}
        if method == "GET":
            return 200, self.tasks
        if method == "DELETE":
            gone = urllib.parse.unquote(path)
            self.tasks = [task for task in self.tasks if f"/task/{task['id']}" != gone]
            return 204, {}
        task = dict(body)
        due = task.pop("dueDate")
        if due != "--":
            day, month, year = due.split("/")
            task["dueDate"] = f"{year}-{month}-{day}T00:00:00+0000"
        if method == "POST":
            self.tasks.insert(0, task)
        else:
            self.tasks = [task if old["id"] == task["id"] else old for old in self.tasks]
        return 200, task

    @property
    def changes(self):
        """What was asked for, without the questions for the list."""
        with self.lock:
            return [asked for asked in self.asked if not asked[0].startswith("GET")]

    def first_changes(self, count):
        """The changes, when there are so many: the page shows them before they are sent."""
        wait_for(lambda: len(self.changes) >= count)
        return self.changes


class Tab:
    """A page of the app, in the words of a user."""

    def __init__(self, page, url):
        self.page = page
        self.url = url
        self.complaints = []
        self.forgives = re.compile("(?!)")
        page.on("console", lambda said: said.type in ("error", "warning") and self.note(said.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        note_violations(page, self.note)
        page.add_init_script(WATCH)

    def note(self, complaint):
        self.complaints.append(complaint)

    def go(self, path="/"):
        self.page.goto(self.url + path)

    def follows(self):
        """Waits for the stream. A visitor's first document shows a preview, in which the list may have come already
        while the visitor's own store hasn't asked for it yet."""
        expect(self.page.locator("html")).to_have_attribute("data-follows", "yes")

    def is_at(self, path):
        """Waits for the address, and for its screen, which may be drawn a little later."""
        expect(self.page).to_have_url(self.url + path)
        expect(self.title).to_have_count(1 if path.startswith(("/new", "/task/")) else 0)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def rows(self):
        return self.page.locator(".task")

    def shows(self, *names):
        expect(self.page.locator(".task .name")).to_have_text(list(names))

    def row(self, name):
        return self.rows.filter(has=self.page.get_by_text(name, exact=True))

    def check(self, name):
        return self.button(f"Done: {name}")

    def is_done(self, name, done=True):
        expect(self.check(name)).to_have_attribute("aria-pressed", str(done).lower())

    def open(self, name):
        """From the list to a task."""
        self.row(name).get_by_role("link").click()
        expect(self.title).to_have_value(name)

    def field(self, name):
        return self.page.get_by_label(name, exact=True)

    @property
    def title(self):
        return self.field("Title")

    @property
    def alert(self):
        return self.page.get_by_role("alertdialog")

    def is_alerted(self, message, reason):
        expect(self.alert.get_by_role("heading")).to_have_text(message)
        expect(self.alert.locator("p")).to_have_text(reason)
        expect(self.alert.get_by_role("button")).to_have_text("Accept")

    def accept(self):
        self.alert.get_by_role("button", name="Accept").click()
        expect(self.alert).to_have_count(0)

    def check_complaints(self):
        """Fails if the browser had anything to complain about."""
        assert [text for text in self.complaints if not self.forgives.search(text)] == []


class App:
    """The app's program, with a folder of its own for what it keeps."""

    def __init__(self, service_url, folder=None, arguments=(), port=0):
        self.made = None if folder else tempfile.TemporaryDirectory()
        self.folder = str(folder or self.made.name)
        self.process, self.url = run(
            "TODO_BINARY", "--port", str(port), "--service-url", service_url, *arguments,
            environment={**os.environ, "XDG_DATA_HOME": self.folder})

    @property
    def kept(self):
        """The files of visitors of whom something waits."""
        return sorted(pathlib.Path(self.folder).glob("ToDo/unsent-*/*"))

    def stop(self, *how):
        code = end(self.process, *how)
        if self.made:
            self.made.cleanup()
        return code


@pytest.fixture
def service():
    service = Service()
    yield service
    service.stop()


@pytest.fixture
def app(service):
    app = App(service.url)
    yield app
    app.stop()


@pytest.fixture
def open_tab(chromium, app):
    """Opens tabs, each of a visitor of its own unless the test says otherwise; none may have complained at the end."""
    tabs, contexts = [], []

    def open_tab(path="/", beside=None, **options):
        if beside:
            context = beside.page.context
        else:
            context = chromium.new_context(**{"reduced_motion": "reduce", **options})
            context.set_default_timeout(1_000 * PATIENCE)
            contexts.append(context)
        tab = Tab(context.new_page(), app.url)
        tab.go(path)
        if options.get("java_script_enabled", True):
            tab.follows()
            tabs.append(tab)
        return tab

    yield open_tab
    for tab in tabs:
        tab.check_complaints()
    for context in contexts:
        context.close()
