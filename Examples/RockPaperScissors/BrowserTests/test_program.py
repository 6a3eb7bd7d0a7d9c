# SPDX-License-Identifier: MIT
"""The program itself."""

import os
import subprocess

import pytest
from browsing import PATIENCE


def run(*arguments):
    return subprocess.run(
        [os.environ["RPS_BINARY"], *arguments], capture_output=True, text=True, timeout=PATIENCE)


def test_a_port_in_use_is_said_in_one_sentence(server):
    second = run("--port", str(server.port))
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr == (
        f"Error: Port {server.port} is in use; choose another one with --port.\n")


@pytest.mark.parametrize("port", ["-1", "65536", "rock", ""])
def test_a_port_that_is_none_is_refused(port):
    refused = run("--port", port)
    assert refused.returncode == 64
    assert "--port" in refused.stderr
