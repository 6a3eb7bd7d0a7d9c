# SPDX-License-Identifier: MIT
"""The command onward with a running app, and with a client of the Model Context Protocol that knows the protocol only.

ONWARD_BINARY  the command (needed)
RPS_BINARY     the game that is inspected (needed)
"""

import asyncio
import json
import os
import pathlib
import subprocess

import pytest
from browsing import PATIENCE, end, free_port, run
from mcp import Client, StdioServerParameters

ONWARD = os.environ["ONWARD_BINARY"]
SHOP = str(pathlib.Path(__file__).parents[1] / "OnwardJournalTests/Exchange/Files/shop.json")
READING = [
    "stores", "entries", "entry", "state", "find_in_state", "diff", "who_changed", "test_source", "actions", "activity",
    "effects", "routes"]


@pytest.fixture
def address():
    """The inspector of a game."""
    process, first = run("RPS_BINARY", "--port", str(free_port()), "--inspector", "0")
    # The game's address and that of its inspector come in either order.
    [address] = [line for line in (first, process.stdout.readline().strip()) if line.startswith("inspector ")]
    yield address.removeprefix("inspector ")
    end(process)


def onward(*arguments, token=None, input=None):
    environment = os.environ | ({"ONWARD_INSPECTOR_TOKEN": token} if token else {})
    return subprocess.run(
        [ONWARD, *arguments], env=environment, input=input, capture_output=True, text=True, timeout=PATIENCE)


def says(*arguments):
    """What a command answers as JSON."""
    result = onward(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


MODES = ["legacy", "auto", "2026-07-28"]
"""A handshake; whatever the server speaks; requests that stand for themselves."""


def with_client(work, *arguments, mode="auto"):
    async def connect():
        server = StdioServerParameters(command=ONWARD, args=["mcp", *arguments])
        async with Client(server, mode=mode) as client:
            await work(client)

    asyncio.run(asyncio.wait_for(connect(), PATIENCE))


async def call(client, tool, **arguments):
    """What a tool answers, and whether it says that this is an error."""
    result = await client.call_tool(tool, arguments)
    [content] = result.content
    if not result.is_error:
        # The client has checked it against the tool's schema.
        assert result.structured_content == json.loads(content.text)
    return json.loads(content.text) if not result.is_error else content.text, result.is_error


def test_a_running_game_is_asked_and_steered(address):
    dispatch = ("inspect", address, "dispatch")
    for weapon in ["rock", "paper"]:
        says(*dispatch, json.dumps({"type": "GameAction/choose", "weapon": weapon}))
    entries = says("inspect", address, "list")["entries"]
    assert [entry["name"] for entry in entries] == ["GameAction/choose"] * 2
    assert says("inspect", address, "who", "result")["entries"][0]["id"] == 2
    assert says("inspect", address, "jump", "1")["cursor"] == 1
    assert says("inspect", address, "jump", "live")["cursor"] == 2
    refused = onward(*dispatch, '{"type": "GameAction/explode"}')
    assert refused.returncode == 1 and "no such case" in refused.stderr


@pytest.mark.parametrize("mode", MODES)
def test_a_client_lists_the_tools_and_asks_them(address, mode):
    onward("inspect", address, "dispatch", '{"type": "GameAction/choose", "weapon": "rock"}')

    async def work(client):
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == READING
        assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools)
        assert (await call(client, "stores"))[0]["stores"][0]["name"] == "rps"
        entries, _ = await call(client, "entries", type="GameAction/choose")
        [entry] = entries["entries"]
        detail, _ = await call(client, "entry", id=entry["id"])
        assert detail["payload"]["parts"][0]["text"] == '"rock"'
        assert (await call(client, "state", path="score"))[0]["moment"] == 1
        assert (await call(client, "test_source"))[0]["source"].startswith("// Written by")
        # What is wrong is said, and the session goes on.
        for tool, arguments in [("entry", {"id": 99}), ("entry", {}), ("state", {"path": "nowhere"})]:
            text, is_error = await call(client, tool, **arguments)
            assert is_error and text
        for tool in ["actions", "activity", "effects", "routes", "diff"]:
            assert not (await call(client, tool))[1]
        assert not (await call(client, "find_in_state", text="score"))[1]
        assert not (await call(client, "who_changed", path="score"))[1]

    with_client(work, address, mode=mode)


def test_a_client_changes_the_game_only_where_that_is_allowed(address):
    action = {"type": "GameAction/choose", "weapon": "rock"}

    async def read(client):
        with pytest.raises(Exception, match='There is no tool "dispatch"'):
            await client.call_tool("dispatch", {"action": action})

    async def write(client):
        assert "dispatch" in [tool.name for tool in (await client.list_tools()).tools]
        answer, is_error = await call(client, "dispatch", action=action)
        assert not is_error and answer["count"] == 1

    with_client(read, address)
    assert says("inspect", address, "list")["entries"] == []
    with_client(write, address, "--allow-dispatch", mode="2026-07-28")


def test_a_client_asks_a_file_of_an_app_that_is_not_there():
    async def work(client):
        entries, _ = await call(client, "entries")
        assert entries["entries"]
        last = entries["entries"][-1]["id"]
        diff, is_error = await call(client, "diff", to=last)
        assert not is_error and "changes" in diff
        text, is_error = await call(client, "test_source")
        assert is_error and "reducers" in text

    with_client(work, SHOP)


def test_messages_that_are_none_are_answered_and_do_no_harm():
    lines = [
        "nonsense", "[" * 100_000, '{"a": "' + "x" * 3_000_000 + '"}', "{}", '{"jsonrpc": "2.0", "id": 1}',
        '{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "entries", "arguments": []}}',
        '{"jsonrpc": "2.0", "id": 3, "method": "ping"}']
    result = onward("mcp", SHOP, input="\n".join(lines))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.returncode == 0
    assert [answer.get("error", {}).get("code") for answer in answers[:5]] == [-32700, -32700, -32700, -32600, -32600]
    assert answers[5]["result"]["isError"]
    assert answers[6]["result"] == {}


def test_a_token_that_is_wrong_is_not_enough():
    process, port = None, free_port()
    # The game has no option for a token: an inspector behind one is in the unit tests. Here is one that always refuses.
    server = (
        "import http.server\n"
        "class Refuses(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        code = 401 if self.headers['Authorization'] != 'Bearer right' else 302\n"
        "        self.send_response(code); self.send_header('Location', 'http://127.0.0.1:1/'); self.end_headers()\n"
        "    def log_message(self, *words): pass\n"
        f"server = http.server.HTTPServer(('127.0.0.1', {port}), Refuses)\n"
        "print('ready', flush=True)\n"
        "server.serve_forever()\n")
    process = subprocess.Popen(["python3", "-c", server], stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        url = f"http://127.0.0.1:{port}"
        for token in [None, "wrong"]:
            result = onward("inspect", url, "list", token=token)
            assert result.returncode == 3 and "ONWARD_INSPECTOR_TOKEN" in result.stderr
        # A token is not carried to where an answer redirects.
        result = onward("inspect", url, "list", token="right")
        assert result.returncode == 2 and "no inspector of Onward" in result.stderr
    finally:
        end(process)
