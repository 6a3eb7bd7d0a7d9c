# SPDX-License-Identifier: MIT
"""The program itself."""

import os
import signal
import subprocess

import pytest
from browsing import PATIENCE


def run(*arguments, **environment):
    return subprocess.run(
        [os.environ["MEMORYTUNES_BINARY"], *arguments], capture_output=True, text=True, timeout=PATIENCE,
        env={**os.environ, **environment})


def test_a_port_in_use_is_said_in_one_sentence(server, tmp_path):
    second = run("--port", str(server.port), XDG_DATA_HOME=f"{tmp_path}/other")
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == (
        f"Error: Port {server.port} is in use; choose another one with --port.\n")


def test_a_second_program_over_the_same_games_says_so_and_ends(server):
    folder = server.environment["XDG_DATA_HOME"]
    second = run("--port", "0", XDG_DATA_HOME=folder)
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == (
        f"Error: Another memorytunes keeps its games in {folder}/MemoryTunes. Two would overwrite "
        "each other's games; give this one another folder by the environment variable "
        "XDG_DATA_HOME.\n")
    server.stop()
    server.start("--offline")  # what another had is free once it has ended


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
