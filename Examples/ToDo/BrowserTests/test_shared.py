# SPDX-License-Identifier: MIT
"""One list for everybody: a page, and programs in terminals that are cut off, killed, and come back."""

import os
import queue
import random
import re
import signal
import subprocess
import threading

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import LOST_CONNECTION, PATIENCE, end, free_port, run, wait_for
from conftest import Tab
from looks import SCHEMES, recolour
from playwright.sync_api import expect
from proxy import Proxy

# How often a server is killed while a page and two terminals write to it; ./test --all has it killed more often.
KILLS = int(os.environ.get("KILLS", "3"))


class Terminal:
    """A program in a terminal, whose lines come one by one."""

    def __init__(self, url, folder, *options):
        self.process = subprocess.Popen(
            [os.environ["TODO_TERMINAL_BINARY"], "--url", url, "--data", f"{folder}/terminal.sqlite", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def says(self, wanted):
        """Waits for a line, whatever is said before."""
        while (line := self.lines.get(timeout=PATIENCE)) != wanted:
            pass

    def add(self, name):
        """Adds a task, and waits until the program says that it is kept."""
        self.type(f"add {name}")
        kept = re.compile(rf"\d+ \[ \] {name}(  \(waiting\))?")
        while not kept.fullmatch(self.lines.get(timeout=PATIENCE)):
            pass

    def shown(self):
        """The lines of all tasks, without their numbers."""
        self.type("list")
        self.type("?")  # answered by what can be typed
        lines = []
        while not (line := self.lines.get(timeout=PATIENCE)).startswith("add TEXT"):
            lines.append(line)
        # What others do may be said in between.
        return [line.split(" ", 1)[1] for line in lines if re.match(r"\d+ \[", line)]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def quit(self):
        self.type("quit")
        assert self.process.wait(timeout=PATIENCE) == 0
        self.process.stdin.close()


class Shared:
    """The program that serves the list, at one port."""

    def __init__(self, folder):
        self.folder, self.port = str(folder), free_port()
        self.start()

    def start(self):
        self.process, self.url = run(
            "TODO_BINARY", "--sync", "--port", str(self.port), "--data", f"{self.folder}/server")

    def kill(self):
        end(self.process, signal.SIGKILL)


@pytest.fixture
def shared(tmp_path):
    shared = Shared(tmp_path)
    yield shared
    shared.kill()


@pytest.fixture
def tab(context, shared):
    tab = Tab(context.new_page(), shared.url)
    tab.forgives = re.compile(LOST_CONNECTION)
    tab.go()
    tab.follows()
    yield tab
    tab.check_complaints()


def shows(tab, *names):
    expect(tab.page.locator(".task")).to_have_count(len(names))
    for index, name in enumerate(names):
        expect(tab.page.locator(".task input.name").nth(index)).to_have_value(name)


def add(tab, name):
    tab.field("New task").fill(name)
    tab.page.keyboard.press("Enter")
    expect(tab.field("New task")).to_have_value("")


def with_milk(shared, folder):
    """A terminal that has put a task on the server."""
    terminal = Terminal(shared.url, folder)
    terminal.says("online")
    terminal.type("add Buy milk")
    terminal.says("everything is on the server")
    return terminal


def test_a_page_and_a_terminal_have_one_list(shared, tab, tmp_path, screenshot):
    terminal = Terminal(shared.url, tmp_path)
    terminal.says("nothing to do")
    terminal.says("online")
    add(tab, "Buy milk")
    terminal.says("+ 1 [ ] Buy milk")
    terminal.type("add Call Anna")
    terminal.says("everything is on the server")
    shows(tab, "Call Anna", "Buy milk")
    terminal.type("done 1")
    tab.is_done("Buy milk")
    title = tab.field("Title: Call Anna")
    title.fill("Call Anna on Friday")
    title.press("Enter")
    terminal.says("+ 2 [ ] Call Anna on Friday")
    screenshot(tab, "shared-list")
    for scheme in SCHEMES:
        recolour(tab.page, scheme)
        found = Axe().run(tab.page)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"
    tab.button("Delete: Buy milk").click()
    terminal.says("- 1 [x] Buy milk")
    shows(tab, "Call Anna on Friday")
    terminal.type("rename 1 Buy bread")
    terminal.says("There is no such task; it may have been deleted.")
    terminal.quit()


def test_a_terminal_that_is_cut_off_and_killed_comes_back_with_what_waits(shared, tab, tmp_path):
    terminal = with_milk(shared, tmp_path)
    terminal.type("offline")
    terminal.says("offline")
    terminal.type("rename 1 Buy oat milk")
    terminal.says("1 [ ] Buy oat milk  (waiting)")
    terminal.type("add Call Anna")
    terminal.says("2 [ ] Call Anna  (waiting)")
    terminal.kill()
    shows(tab, "Buy milk")
    tab.check("Buy milk").click()  # meanwhile
    tab.is_done("Buy milk")

    terminal = Terminal(shared.url, tmp_path, "--offline")
    terminal.says("1 [ ] Call Anna  (waiting)")
    terminal.says("2 [ ] Buy oat milk  (waiting)")
    terminal.type("online")
    terminal.says("everything is on the server")
    shows(tab, "Call Anna", "Buy oat milk")
    tab.is_done("Buy oat milk")
    terminal.type("list")
    terminal.says("2 [x] Buy oat milk")
    terminal.quit()


def test_a_server_that_is_killed_comes_back_with_everything(shared, tab, tmp_path):
    terminal = with_milk(shared, tmp_path)
    shared.kill()
    terminal.says("offline")
    terminal.type("add Call Anna")
    terminal.says("2 [ ] Call Anna  (waiting)")
    expect(tab.page.get_by_text("reconnecting…")).to_be_visible()
    shared.start()
    terminal.says("everything is on the server")
    shows(tab, "Call Anna", "Buy milk")
    terminal.quit()


def test_what_others_have_deleted_is_refused_with_the_reason(shared, tab, tmp_path):
    terminal = Terminal(shared.url, tmp_path)
    terminal.says("online")
    add(tab, "Buy milk")
    terminal.says("+ 1 [ ] Buy milk")
    terminal.type("offline")
    terminal.says("offline")
    terminal.type("rename 1 Buy oat milk")
    terminal.says("1 [ ] Buy oat milk  (waiting)")
    tab.button("Delete: Buy milk").click()
    shows(tab)
    terminal.type("online")
    terminal.says("refused: There is no such task; it may have been deleted.")
    shows(tab)
    terminal.quit()


def test_a_server_that_is_killed_again_and_again_has_what_it_acknowledged_to_each(shared, tab, tmp_path):
    written = {"ann": [], "bob": [], "page": []}
    proxies, terminals = {}, {}
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        proxies[name] = Proxy(shared.port)
        terminals[name] = Terminal(proxies[name].url, tmp_path / name)
        terminals[name].says("online")

    def write(name):
        task = f"{name} {len(written[name]) + 1}"
        written[name].append(task)
        if name == "page":
            add(tab, task)
        else:
            terminals[name].add(task)

    for _ in range(KILLS):
        steps = [lambda name=name: write(name) for name in random.choices(["ann", "bob"], k=random.randint(1, 4))]
        steps += [proxies[name].cut for name in ("ann", "bob") if random.random() < 0.5]
        steps.insert(random.randint(0, len(steps)), lambda: write("page"))
        random.shuffle(steps)
        for step in steps:
            step()
        shared.kill()
        for name in random.choices(["ann", "bob"], k=random.randint(0, 2)):
            write(name)
        shared.start()
        # It was sent, and so it comes.
        expect(tab.page.locator(f'.task input.name[value="{written["page"][-1]}"]')).to_have_count(1)

    def is_in_step():
        lists = [terminal.shown() for terminal in terminals.values()]
        return lists[0] == lists[1] and len(lists[0]) == sum(map(len, written.values())) and "(waiting)" not in str(lists)

    wait_for(is_in_step)
    names = [line.removeprefix("[ ] ") for line in terminals["ann"].shown()]
    shows(tab, *names)
    for name, tasks in written.items():
        # The newest is the first.
        assert [task for task in reversed(names) if task.split()[0] == name] == tasks
    for terminal in terminals.values():
        terminal.quit()
    for proxy in proxies.values():
        proxy.close()


def test_options_of_the_other_list_are_refused():
    answer = subprocess.run(
        [os.environ["TODO_BINARY"], "--sync", "--service-url", "http://127.0.0.1:1"],
        capture_output=True, text=True, timeout=PATIENCE)
    assert answer.returncode == 64
    assert "--sync" in answer.stderr
