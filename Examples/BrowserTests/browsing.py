# SPDX-License-Identifier: MIT
"""What the browser tests share: programs, their ports, a browser, pictures.

A pytest plugin, which scripts/test-browser loads. No test waits for time: each waits until a page, or what
is behind it, says that it has come so far. PATIENCE is only how long that may take before it counts as never,
on a machine that does a dozen other things. Environment:

CHROMIUM     the browser, /usr/bin/chromium by default
SCREENSHOTS  a folder for pictures of every screen (if wanted)
EVIDENCE     a folder for the pages of tests that fail: a picture, the document, and what was logged
"""

import itertools
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

import pytest
from playwright.sync_api import Error, expect, sync_playwright

PATIENCE = 60  # seconds
expect.set_options(timeout=1_000 * PATIENCE)

# What a browser writes to its console, in one way or another, when a server has gone.
LOST_CONNECTION = "ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY|ERR_SOCKET_NOT_CONNECTED"

# Counts the answers that the script has read and acted upon. The page itself says so, since the
# browser's own word that a response came was once missing on a busy machine.
COUNT_ANSWERS = """() => {
    window.answers = 0;
    const send = fetch;
    window.fetch = async (...call) => {
        const answer = await send(...call);
        const text = await answer.text();
        setTimeout(() => (answers += 1));
        return new Response(text, answer);
    };
}"""


def note_violations(page, note):
    """Notes what the policies of the page's documents forbid, as it happens.

    Nobody has to ask the page afterwards, which may be on its way to another document by then.
    """
    page.expose_binding("noteViolation", lambda _, directive: note(f"forbidden by the policy: {directive}"))
    page.add_init_script(
        'addEventListener("securitypolicyviolation", event => noteViolation(event.violatedDirective));')


def worker():
    """The number of this process among those that share the tests."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


# A program that ends and starts again needs its port to itself meanwhile. So the ports lie below
# those that the system gives to outgoing connections (32,768 and up), and no process shares its own.
PORTS = itertools.cycle(range(20_000 + 1_000 * worker(), 21_000 + 1_000 * worker()))


def free_port():
    """A port that no other test uses and nobody listens on."""
    for port in itertools.islice(PORTS, 1_000):
        with socket.socket() as probe:
            # As servers do: what a program before left to time out is no obstacle.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise AssertionError("No port of this process is free.")


def run(variable, *arguments, environment=None):
    """Starts the program that an environment variable names: its process and its address."""
    process = subprocess.Popen(
        [os.environ[variable], *arguments], stdout=subprocess.PIPE, text=True, env=environment)
    return process, process.stdout.readline().strip()


def end(process, by=signal.SIGTERM):
    """Ends a program and returns its exit code."""
    if process.poll() is None:
        process.send_signal(by)
    try:
        return process.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    finally:
        process.stdout.close()


def wait_for(condition):
    """Waits for something outside the browser that doesn't say when it happens."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"It didn't happen within {PATIENCE} seconds."
        time.sleep(0.02)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(chromium):
    """A browser's context, which is still open when the pages of a test that fails are kept."""
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(1_000 * PATIENCE)
    yield context
    context.close()


def pytest_configure(config):
    config.addinivalue_line("markers", "patience: takes long; ./test --all runs it, the gate does not")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Keeps the pages of a test that fails, before its fixtures close them."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("chromium")
    if report.when == "call" and report.failed and browser and "EVIDENCE" in os.environ:
        folder = pathlib.Path(os.environ["EVIDENCE"])
        folder.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"\W+", "-", item.nodeid).strip("-")
        pages = [page for context in browser.contexts for page in context.pages]
        for number, page in enumerate(pages):
            keep_page(page, folder / f"{name}-{number}")
        (folder / f"{name}.txt").write_text(report.longreprtext, encoding="utf-8")
    return report


def keep_page(page, path):
    """A page as it is: a picture, the document, its address and what is stored."""
    try:
        page.screenshot(path=f"{path}.png", timeout=5_000)
        address = f"<!-- {page.url} -->\n"
        pathlib.Path(f"{path}.html").write_text(address + page.content(), encoding="utf-8")
    except Error as error:  # it may be closed, or about to be
        pathlib.Path(f"{path}.txt").write_text(f"{page.url}: {error}", encoding="utf-8")


@pytest.fixture
def screenshot():
    """Saves a picture of a tab, if somebody wants to see it."""
    folder = os.environ.get("SCREENSHOTS")

    def screenshot(tab, name):
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            tab.page.screenshot(path=f"{folder}/{name}.png", animations="disabled")

    return screenshot
