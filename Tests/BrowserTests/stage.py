# SPDX-License-Identifier: MIT
"""A server that says to a page's script what a test wants, right or wrong."""

import email
import json
import pathlib
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browsing import PATIENCE

SCRIPT = pathlib.Path(__file__).parents[2] / "Sources/OnwardServer/Page"
PARTS = ["patch.js", "forms.js", "navigation.js", "uploads.js", "onward.js"]
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self'"


def script(has_routes, *changes):
    """The page's script as it is served; or with a fault in it: texts, and what stands in their place."""
    names = [name for name in PARTS if has_routes or name != "navigation.js"]
    text = "".join((SCRIPT / name).read_text() for name in names)
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


class Stage:
    """The page, the streams that are open, and the posts that came."""

    def __init__(self):
        self.body = "<main><!--fragments--></main>"
        self.routes = None  # the URLs at which a document is, or None for a page without routes
        self.visit = ""
        self.notice = ""
        self.uploads = "1000000 3"  # how large a file may be, and how many a post may have
        self.reading = threading.Event()  # closed: of a post with files only the first 200,000 bytes are read
        self.reading.set()
        self.answer = lambda post: (200, {"result": "dispatched"})
        self.stream_mode = "open"  # or "silent": accepted and never answered; "refused": no stream
        self.streams = queue.Queue()  # each stream's address and what to write to it
        self.open_streams = []
        self.documents = []
        self.gate = threading.Event()  # closed: documents are slow
        self.gate.set()
        self.posts = queue.Queue()
        self.arriving = queue.Queue()  # posts with files that have begun to arrive: their lengths
        self.lost = queue.Queue()  # and those that broke off: how much came
        self.drops_answers = False  # whether nobody is there any more to read what becomes of them
        self.loses_uploads = 0  # of so many the connection is cut in the middle
        self.requests = []  # the bodies of posts as they came, some with several posts
        self.version = 1
        handler = type("Handler", (Handler,), {"stage": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()  # looks so often whether it ends

    def document(self):
        tail = f"&amp;visit={self.visit}" if self.visit else ""
        return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>
<script src="/onward.js" data-events="/events?since=e-1{tail}"
data-routes="{' '.join(self.routes or ['/'])}" data-uploads="{self.uploads}" defer></script></head>
<body><p role="status" data-status>{self.notice}</p>{self.body}</body></html>"""

    def next_stream(self, timeout=PATIENCE):
        """The next stream that a page opens: its address, and the queue of its events."""
        address, events = self.streams.get(timeout=timeout)
        self.open_streams.append(events)
        return address, events

    def send(self, *lines, event=None):
        """Sends an event of lines to all streams that were asked for."""
        self.version += 1
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        data = "".join(f"data: {text}\n" for text in texts) or "data:\n"
        name = f"event: {event}\n" if event else f"id: e-{self.version}\n"
        for events in self.open_streams:
            events.put(name + data + "\n")

    def next_post(self, timeout=PATIENCE):
        return self.posts.get(timeout=timeout)

    def settle(self, tab):
        """Lets a page do what it is about to do, and the server answer all that it has asked before this."""
        tab.evaluate("""async () => {
            const turn = () => new Promise(done => {
                const channel = new MessageChannel();
                channel.port1.onmessage = done;
                channel.port2.postMessage(null);
            });
            for (let n = 0; n < 10; n++) await turn();
            for (let n = 0; n < 3; n++) await fetch("/settled");
        }""")

    def close(self):
        self.gate.set()
        for events in self.open_streams:
            events.put(None)
        self.server.shutdown()
        self.server.server_close()


class Handler(BaseHTTPRequestHandler):
    stage = None
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, kind, text, headers=()):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/onward.js":
            self.reply(200, "text/javascript; charset=utf-8", script(bool(self.stage.routes)))
        elif path == "/events":
            self.stream()
        elif path in ("/favicon.ico", "/settled"):
            self.reply(204, "text/plain", "")
        else:
            self.stage.documents.append(self.path)
            self.stage.gate.wait(PATIENCE)
            self.reply(200, "text/html; charset=utf-8", self.stage.document())

    def stream(self):
        events = queue.Queue()
        self.close_connection = True
        mode = self.stage.stream_mode
        self.stage.streams.put((self.path, events))
        if mode == "refused":
            return self.reply(503, "text/plain", "")
        if mode == "open":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(b"retry: 1000\n\n")
        try:
            while (event := events.get()) is not None:
                self.wfile.write(event.encode())
                self.wfile.flush()
        except OSError:
            pass

    def do_POST(self):
        if self.headers.get("Content-Type", "").startswith("multipart/"):
            return self.take_files()
        text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        is_json = "json" in self.headers.get("Content-Type", "")
        self.stage.requests.append(text)
        body = json.loads(text) if is_json else text
        posts = [{"path": self.path, "headers": dict(self.headers), "body": part}
                 for part in (body if isinstance(body, list) else [body])]
        for post in posts:
            self.stage.posts.put(post)
        if not is_json:
            self.stage.documents.append(f"POST {self.path}")
            return self.reply(200, "text/html; charset=utf-8", self.stage.document())
        answers = [self.stage.answer(post) for post in posts]
        status, answer, *headers = answers[0]
        if isinstance(body, list):  # each has an answer of its own, unless the request is refused
            status, answer = (status, answer) if status == 503 else (200, [part[1] for part in answers])
        self.reply(status, "application/json", json.dumps(answer), *headers)

    def take_files(self):
        """A post with files: its fields in the order in which they came, files as name and content."""
        length = int(self.headers["Content-Length"])
        data = self.rfile.read(min(length, 200_000))
        self.stage.arriving.put(length)
        if not self.stage.reading.wait(PATIENCE) or self.stage.loses_uploads > 0:
            self.stage.loses_uploads -= 1
            self.close_connection = True
            return self.connection.close()
        data += self.rfile.read(length - len(data))
        if len(data) < length:
            self.close_connection = True
            return self.stage.lost.put(len(data))
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        parts = email.message_from_bytes(head + data).get_payload()
        fields = [(part.get_param("name", header="content-disposition"), part.get_filename(), part.get_payload(decode=True))
                  for part in parts]
        body = [(name, value.decode() if file is None else (file, value)) for name, file, value in fields]
        post = {"path": self.path, "headers": dict(self.headers), "body": body}
        self.stage.posts.put(post)
        status, answer, *headers = self.stage.answer(post)
        if self.stage.drops_answers:
            self.close_connection = True
            return
        self.reply(status, "application/json", json.dumps(answer), *headers)
