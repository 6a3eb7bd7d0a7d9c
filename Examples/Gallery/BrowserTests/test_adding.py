# SPDX-License-Identifier: MIT
"""Visitors hang up pictures of their own: at once, on slow networks, and when everything goes wrong midway."""

import os
import random
import signal
import struct
import zlib

import pytest
from browsing import end, free_port, run, wait_for
from playwright.sync_api import expect


def png(side):
    """A picture that can't be packed: its file has about 3 * side * side bytes."""
    chance = random.Random(side)
    rows = b"".join(b"\0" + chance.randbytes(3 * side) for _ in range(side))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def choose(tab, name, content):
    tab.get_by_label("Picture").set_input_files({"name": name, "mimeType": "image/png", "buffer": content})


def hang(tab):
    tab.get_by_role("button", name="Hang it up").click()


def hangs(tab, title):
    """A picture is on the wall once, and its file is loaded."""
    link = tab.get_by_role("link", name=title, exact=True)
    expect(link).to_have_count(1)
    picture = link.get_by_role("presentation")
    wait_for(lambda: picture.evaluate("image => image.complete && image.naturalWidth > 0"))


def slow(tab, latency, rate=-1, offline=False):
    """Makes the network slow: milliseconds to the server, bytes a second up."""
    session = tab.context.new_cdp_session(tab)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": rate})
    return session


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}], ids=["script", "no script"])
def test_a_picture_is_hung_up_with_its_title(open_tab, options):
    tab = open_tab(**options)
    choose(tab, "sea.png", png(40))
    tab.get_by_label("Caption").fill("Blue & green")
    hang(tab)
    hangs(tab, "Blue & green")
    choose(tab, "Mountain view.png", png(50))
    hang(tab)
    hangs(tab, "Mountain view")
    tab.get_by_role("link", name="Mountain view").click()
    expect(tab.get_by_role("heading")).to_have_text("Mountain view")
    expect(tab.get_by_role("img", name="Mountain view")).to_be_visible()
    other = open_tab()
    expect(other.get_by_role("listitem")).to_have_count(5)


def test_the_form_is_empty_again_and_looks_right(open_tab):
    tab = open_tab()
    choose(tab, "sea.png", png(300))
    hang(tab)
    hangs(tab, "sea")
    assert tab.evaluate("document.querySelector('[name=picture]').files.length") == 0
    expect(tab.get_by_role("progressbar")).to_have_count(0)
    if "SCREENSHOTS" in os.environ:
        tab.screenshot(path=f"{os.environ['SCREENSHOTS']}/gallery-added.png", full_page=True)


def test_what_is_no_picture_isnt_hung_up(open_tab):
    tab = open_tab()
    choose(tab, "evil.png", b"<svg onload='alert(1)'>")
    hang(tab)
    expect(tab.get_by_role("alert")).to_have_text("“evil.png” isn't a picture that can be shown here.")
    expect(tab.get_by_role("listitem")).to_have_count(5)


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}], ids=["script", "no script"])
def test_a_picture_that_is_too_large_is_refused_in_a_sentence(open_tab, options):
    tab = open_tab(**options)
    choose(tab, "large.png", b"\x89PNG" + bytes(8 << 20))
    hang(tab)
    expect(tab.get_by_text("Please choose a file of at most 8 MB.")).to_have_count(1)
    if not options:
        assert tab.evaluate("document.querySelector('[name=picture]').files[0].name") == "large.png"
        expect(tab.get_by_label("Picture")).to_have_attribute("aria-invalid", "true")
    expect(tab.get_by_role("listitem")).to_have_count(5)


@pytest.mark.parametrize("latency", [300, 1_000])
def test_on_a_slow_network_a_double_click_hangs_up_one_picture_and_the_page_shows_how_far(open_tab, latency):
    tab = open_tab()
    slow(tab, latency, 300_000)
    choose(tab, "sea.png", png(500))
    tab.get_by_role("button", name="Hang it up").dblclick()
    bar = tab.get_by_role("progressbar", name="Sending sea.png")
    expect(bar).to_be_visible()
    wait_for(lambda: bar.count() == 0 or 0 < (bar.get_attribute("value") and float(bar.get_attribute("value")) or 0) < 1)
    if "SCREENSHOTS" in os.environ and latency == 300:
        tab.screenshot(path=f"{os.environ['SCREENSHOTS']}/gallery-sending.png", full_page=True)
    tab.get_by_role("link", name="Market").hover()  # the page goes on meanwhile
    hangs(tab, "sea")
    expect(tab.get_by_role("listitem")).to_have_count(6)


def test_a_connection_that_is_lost_midway_hangs_up_one_picture_once_it_is_back(open_tab):
    tab = open_tab()
    slow(tab, 20, 200_000)
    choose(tab, "sea.png", png(600))
    hang(tab)
    expect(tab.get_by_role("progressbar")).to_be_visible()
    slow(tab, 20, 200_000, offline=True)
    wait_for(lambda: tab.get_by_role("progressbar").get_attribute("value") is None)
    slow(tab, 20)
    hangs(tab, "sea")
    expect(tab.get_by_role("listitem")).to_have_count(6)


def test_what_is_cancelled_midway_isnt_hung_up(open_tab):
    tab = open_tab()
    slow(tab, 20, 100_000)
    choose(tab, "sea.png", png(600))
    hang(tab)
    tab.get_by_role("button", name="Cancel").click()
    expect(tab.get_by_text("Cancelled: nothing was sent.")).to_be_visible()
    assert tab.evaluate("document.querySelector('[name=picture]').files[0].name") == "sea.png"
    expect(tab.get_by_role("listitem")).to_have_count(5)


def test_a_server_that_is_killed_midway_leaves_nothing_behind_once_it_is_back(chromium, tmp_path):
    port, environment = str(free_port()), {**os.environ, "TMPDIR": str(tmp_path)}

    def files():
        return [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock"]

    process, address = run("GALLERY_BINARY", "--port", port, environment=environment)
    context = chromium.new_context()
    try:
        tab = context.new_page()
        tab.goto(address)
        slow(tab, 20, 200_000)
        choose(tab, "sea.png", png(700))
        hang(tab)
        wait_for(lambda: any(path.stat().st_size for path in files()))
        end(process, signal.SIGKILL)
        assert len(files()) == 1
        process, _ = run("GALLERY_BINARY", "--port", port, environment=environment)
        assert files() == []
        # Its visitors are forgotten, and the page says so.
        expect(tab.get_by_text("What you did last could not be sent, as that visit has ended.")).to_be_visible()
        expect(tab.get_by_role("listitem")).to_have_count(5)
        slow(tab, 0)
        choose(tab, "again.png", png(40))
        hang(tab)
        hangs(tab, "again")
    finally:
        context.close()
        end(process)
    process, _ = run("GALLERY_BINARY", "--port", port, environment=environment)
    assert files() == []
    end(process)
