# SPDX-License-Identifier: MIT
"""Firefox by WebDriver BiDi and WebKit by its driver, as far as a few tests need them; Playwright drives neither of Debian's."""

import base64
import itertools
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

from browsing import PATIENCE, free_port


class Firefox:
    """One tab of Debian's Firefox, over a socket of the browser's own."""

    program = "firefox-esr"

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        port = free_port()
        self.process = subprocess.Popen(
            [self.program, "--headless", "--no-remote", "--profile", self.folder.name, f"--remote-debugging-port={port}"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env={**os.environ, "HOME": self.folder.name})
        for line in self.process.stderr:
            if match := re.search(r"WebDriver BiDi listening on ws://127.0.0.1:(\d+)", line):
                break
        self.socket = WebSocket(int(match[1]), "/session")
        self.numbers = itertools.count(1)
        self.send("session.new", {"capabilities": {}})
        self.tab = self.send("browsingContext.getTree", {})["contexts"][0]["context"]

    def send(self, method, parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.receive())).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url):
        self.send("browsingContext.navigate", {"context": self.tab, "url": url, "wait": "complete"})

    def run(self, expression):
        """The value of an expression, which JSON can say."""
        answer = self.send("script.evaluate", {
            "expression": f"JSON.stringify({expression})", "target": {"context": self.tab}, "awaitPromise": True})
        assert answer["type"] == "success", answer
        value = answer["result"].get("value")
        return None if value is None else json.loads(value)

    def type(self, keys):
        steps = [step for key in keys for step in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self.send("input.performActions", {
            "context": self.tab, "actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        self.folder.cleanup()


class WebSocket:
    """Just enough of RFC 6455: texts, and answers to pings."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(4_096)
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]

    def take(self, count):
        while len(self.rest) < count:
            self.rest += self.socket.recv(65_536)
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def send(self, text, kind=1):
        data, mask = (text.encode() if isinstance(text, str) else text), os.urandom(4)
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0xFE, size) if size < 65_536 else struct.pack(">BQ", 0xFF, size)
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)))

    def receive(self):
        message = b""
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self.take(2 if size == 126 else 8))[0]
            data = self.take(size)
            if first & 0x0F == 9:
                self.send(data, kind=10)
            else:
                message += data
                if first & 0x80:
                    return message.decode()


class WebKit:
    """One window of WebKitGTK's small browser, on a screen that nobody sees."""

    program = "WebKitWebDriver"

    def __init__(self):
        port = free_port()
        number = 90 + port % 900
        self.screen = subprocess.Popen(["Xvfb", f":{number}", "-screen", "0", "1280x900x24"], stderr=subprocess.DEVNULL)
        environment = {**os.environ, "DISPLAY": f":{number}", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
                       "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "GDK_BACKEND": "x11"}
        self.process = subprocess.Popen([self.program, f"--port={port}"], env=environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}/session"
        browser = next(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
        options = {"webkitgtk:browserOptions": {"binary": str(browser), "args": ["--automation"]}}
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                session = self.ask("", {"capabilities": {"alwaysMatch": options}})
                break
            except OSError:
                assert time.monotonic() < deadline and self.process.poll() is None
                time.sleep(0.05)
        self.url += f"/{session['sessionId']}"

    def ask(self, path, body=None, method="POST"):
        request = urllib.request.Request(self.url + path, method=method, data=json.dumps(body or {}).encode())
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from error

    def open(self, url):
        self.ask("/url", {"url": url})

    def run(self, expression):
        value = self.ask("/execute/sync", {"script": f"return JSON.stringify({expression})", "args": []})
        return None if value is None else json.loads(value)

    def type(self, keys):
        steps = [step for key in keys for step in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self.ask("/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def close(self):
        try:
            self.ask("", method="DELETE")
        finally:
            for process in (self.process, self.screen):
                process.terminate()
                process.wait()


class Chromium:
    """The same of the browser that all other tests have."""

    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")

    def __init__(self, browser):
        self.tab = browser.new_page()

    def open(self, url):
        self.tab.goto(url)

    def run(self, expression):
        return self.tab.evaluate(expression)

    def type(self, keys):
        for key in keys:
            self.tab.keyboard.press("Enter" if key == ENTER else key)

    def close(self):
        self.tab.close()


ENTER = "\ue007"
BROWSERS = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}


def is_there(name):
    return shutil.which(BROWSERS[name].program) and (name != "webkit" or shutil.which("Xvfb"))
