# SPDX-License-Identifier: MIT
"""Three servers of one game are killed, one after the other, while it is played.

RPS_CLUSTER_BINARY  the program, built with the trait Cluster; without it these tests are left out
"""

import os
import pathlib
import re
import signal
import socket

import pytest
from browsing import LOST_CONNECTION, end, free_port, run, wait_for

pytestmark = pytest.mark.skipif(
    "RPS_CLUSTER_BINARY" not in os.environ, reason="RPS_CLUSTER_BINARY names no program")
LOST = re.compile(LOST_CONNECTION + "|status of 503")
SERVER = re.compile(r"server (\d) is process (\d+) at http://127\.0\.0\.1:(\d+)\n")


class Cluster:
    """The servers behind their balancer, in the place of the one server of other tests."""

    def __init__(self, count):
        self.port = free_port()
        self.process, self.url = run("RPS_CLUSTER_BINARY", "--port", str(self.port), "--cluster", str(count))
        assert self.url == f"http://127.0.0.1:{self.port}"
        self.servers = {}
        while len(self.servers) < count:
            self.listen()

    def listen(self):
        """Waits for the next line that says where a server is."""
        while not (found := SERVER.fullmatch(line := self.process.stdout.readline())):
            assert line, "The program has ended."
        self.servers[int(found[1])] = (int(found[2]), int(found[3]))

    def kill(self, number):
        os.kill(self.servers[number][0], signal.SIGKILL)

    def stop(self):
        return end(self.process)


@pytest.fixture
def server():
    cluster = Cluster(3)
    yield cluster
    cluster.stop()


def is_served(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_game_goes_on_while_each_server_is_killed(open_tab, server):
    tab, other = open_tab(), open_tab()
    for one in (tab, other):
        one.forgives = LOST
        one.page.evaluate("window.isSame = true")
    for number in (1, 2, 3):
        tab.choose("Rock")
        tab.shows("PLAYER 2 - Choose your weapon:")
        other.shows_squares("chosen", "")
        server.kill(number)
        # Nobody waits for anything: what is pressed is sent until a server has taken it.
        tab.choose("Scissors")
        for one in (tab, other):
            one.shows_squares("Rock", "Scissors")
            one.shows_score(number, 0)
        other.play_again()
        tab.shows("PLAYER 1 - Choose your weapon:")
        server.listen()  # until it is there again
    assert tab.page.evaluate("isSame") and other.page.evaluate("isSame")


def test_one_server_of_three_is_enough(open_tab, server):
    tab = open_tab()
    tab.forgives = LOST
    tab.choose("Paper")
    tab.shows("PLAYER 2 - Choose your weapon:")
    for number in (1, 2):
        server.kill(number)
    tab.choose("Rock")
    tab.shows("PLAYER 1 WINS!")
    tab.shows_squares("Paper", "Rock")


def test_nothing_is_left_when_the_program_ends(server):
    started = list(server.servers.values())
    assert server.stop() == 0
    for process, port in started:
        assert not os.path.exists(f"/proc/{process}")
        assert not is_served(port)


def test_nothing_is_left_when_the_program_is_killed(server):
    started = list(server.servers.values())
    arguments = pathlib.Path(f"/proc/{started[0][0]}/cmdline").read_text(encoding="utf-8")
    folder = re.search("host=([^ ]+)", arguments)[1]
    assert os.path.exists(folder)
    server.process.kill()
    wait_for(lambda: not any(is_served(port) for _, port in started) and not os.path.exists(folder))
