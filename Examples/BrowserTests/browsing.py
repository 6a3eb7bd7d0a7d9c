# SPDX-License-Identifier: MIT
"""What the examples' browser tests share: programs, their ports, a browser, pictures.

A pytest plugin, which scripts/test-browser loads. Environment:

CHROMIUM     the browser, /usr/bin/chromium by default
SCREENSHOTS  a folder for pictures of every screen (if wanted)
"""

import itertools
import os
import pathlib
import signal
import socket
import subprocess
import time

import pytest
from playwright.sync_api import expect, sync_playwright

# What is waited for comes at once on a machine at rest, and later on a busy one.
expect.set_options(timeout=15_000)

# Notes what the browser's policy forbade.
VIOLATIONS = """
window.violations = [];
addEventListener("securitypolicyviolation", event => violations.push(event.violatedDirective));
"""


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
        return process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise
    finally:
        process.stdout.close()


def wait_for(condition):
    """Waits for something outside the browser."""
    for _ in range(1_000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("It didn't happen within twenty seconds.")


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def screenshot():
    """Saves a picture of a tab, if somebody wants to see it."""
    folder = os.environ.get("SCREENSHOTS")

    def screenshot(tab, name):
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            tab.page.wait_for_timeout(1_000)  # pictures may show animations at rest
            tab.page.screenshot(path=f"{folder}/{name}.png")

    return screenshot
