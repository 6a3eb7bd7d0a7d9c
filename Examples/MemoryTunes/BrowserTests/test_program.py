# SPDX-License-Identifier: MIT
"""The program itself."""

import os
import signal
import subprocess

import pytest


def run(*arguments, **environment):
    return subprocess.run(
        [os.environ["MEMORYTUNES_BINARY"], *arguments], capture_output=True, text=True, timeout=20,
        env={**os.environ, **environment})


def test_a_port_in_use_is_said_in_one_sentence(server):
    folders = {name: server.environment[name] for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME")}
    second = run("--port", str(server.port), **folders)
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == (
        f"Error: Port {server.port} is in use; choose another one with --port.\n")


@pytest.mark.parametrize("option", [
    ("--port", "-1"), ("--port", "65536"), ("--catalogue-url", "ftp://example.com"),
    ("--catalogue-url", "example.com"), ("--seed", "x"), ("--nothing",)])
def test_an_option_that_makes_no_sense_is_refused(option):
    refused = run(*option)
    assert refused.returncode == 64
    assert option[0] in refused.stderr


def test_an_environment_variable_that_makes_no_sense_is_refused():
    refused = run(MEMORYTUNES_CATALOGUE_URL="file:///etc/passwd")
    assert refused.returncode == 64
    assert "MEMORYTUNES_CATALOGUE_URL" in refused.stderr


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_open_pages(server, open_tab, name):
    tab = open_tab("/game")
    tab.is_dealt()
    assert server.stop(by=name) == 0
    tab.complaints.clear()  # the stream that broke
