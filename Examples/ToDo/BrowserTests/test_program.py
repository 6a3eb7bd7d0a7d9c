# SPDX-License-Identifier: MIT
"""The programs themselves: the app, and the service that keeps the list."""

import os
import signal
import subprocess

import pytest
from browsing import PATIENCE, end, run
from conftest import App, Tab
from playwright.sync_api import expect


def refused(variable, *arguments, **environment):
    return subprocess.run(
        [os.environ[variable], *arguments], capture_output=True, text=True, timeout=PATIENCE,
        env={**os.environ, **environment})


def test_a_port_in_use_is_said_in_one_sentence(app):
    port = app.url.rsplit(":", 1)[1]
    second = refused("TODO_BINARY", "--port", port)
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == f"Error: Port {port} is in use; choose another one with --port.\n"


@pytest.mark.parametrize("variable, option", [
    ("TODO_BINARY", ("--port", "-1")), ("TODO_BINARY", ("--service-url", "example.com")),
    ("TODO_BINARY", ("--nothing",)), ("TODO_SERVICE_BINARY", ("--port", "65536")),
    ("TODO_SERVICE_BINARY", ("--samples", "100001")),
    ("TODO_SERVICE_BINARY", ("--samples", "-1"))])
def test_an_option_that_makes_no_sense_is_refused(variable, option):
    answer = refused(variable, *option)
    assert answer.returncode == 64
    assert option[0] in answer.stderr


def test_an_environment_variable_that_makes_no_sense_is_refused():
    answer = refused("TODO_BINARY", TODO_SERVICE_URL="file:///etc/passwd")
    assert answer.returncode == 64
    assert "TODO_SERVICE_URL" in answer.stderr


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_open_pages(app, open_tab, name):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    assert app.stop(name) == 0
    tab.complaints.clear()  # the stream that broke


def test_both_programs_together_keep_the_list_from_launch_to_launch(chromium, tmp_path):
    database = ("--port", "0", "--database", f"{tmp_path}/tasks.sqlite")
    context = chromium.new_context()
    process, address = run("TODO_SERVICE_BINARY", *database, "--samples", "3")
    app = App(address)
    tab = Tab(context.new_page(), app.url)
    tab.go()
    expect(tab.rows).to_have_count(3)
    tab.page.keyboard.press("n")
    tab.title.fill("Write home")
    tab.page.locator("#due").click()
    tab.page.locator("#date").fill("2028-02-29")
    tab.button("Accept").click()
    expect(tab.page.locator("#due")).to_have_text("29/02/2028")
    tab.button("Save").click()
    expect(tab.row("Write home").locator(".date")).to_have_text("29/02/2028")
    expect(tab.page.locator(".activity")).to_have_text("")
    assert end(process) == 0
    assert app.stop() == 0
    process, address = run("TODO_SERVICE_BINARY", *database)
    app = App(address)
    tab = Tab(context.new_page(), app.url)
    tab.go()
    expect(tab.rows).to_have_count(4)
    expect(tab.row("Write home").locator(".date")).to_have_text("29/02/2028")
    context.close()
    assert app.stop() == 0
    assert end(process) == 0
