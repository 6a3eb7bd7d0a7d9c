# SPDX-License-Identifier: MIT
"""Single keys press buttons, unless the reader has switched that off."""

from browsing import wait_for
from playwright.sync_api import expect

PAGE = ('<main><form method="post" data-action><button name="type" value="T/go" data-shortcut="g">Go</button>'
        '<button name="type" value="T/next" data-shortcut="Enter">Next</button></form></main>'
        '<label hidden><input type="checkbox" data-shortcuts checked> Keys</label>')


def types(stage):
    """What was posted. A reload may come before an answer: then the page sends the same request again."""
    posts = [post["body"] for post in list(stage.posts.queue)]
    return list({post["request"]: post["type"] for post in posts}.values())


def test_keys_are_switched_off_and_stay_so(open_tab, stage):
    tab = open_tab(body=PAGE)
    box = tab.get_by_label("Keys")
    expect(box).to_be_checked()
    tab.keyboard.press("g")
    wait_for(lambda: types(stage) == ["T/go"])
    box.uncheck()
    box.blur()
    tab.keyboard.press("g")
    tab.keyboard.press("Enter")  # no character, so it is none of those that a voice says by mistake
    wait_for(lambda: types(stage) == ["T/go", "T/next"])
    assert tab.evaluate("document.documentElement.dataset.shortcuts") == "off"
    tab.reload()
    stage.next_stream()
    expect(box).not_to_be_checked()
    tab.keyboard.press("g")
    box.check()
    box.blur()
    tab.keyboard.press("g")
    wait_for(lambda: types(stage) == ["T/go", "T/next", "T/go"])


def test_keys_press_nothing_behind_a_modal_dialog(open_tab, stage):
    tab = open_tab(body=PAGE + '<dialog><form method="post" data-action>'
                   '<button name="type" value="T/sure" data-shortcut="s">Sure</button></form></dialog>')
    tab.evaluate("document.querySelector('dialog').showModal()")
    tab.keyboard.press("g")
    tab.keyboard.press("s")
    wait_for(lambda: types(stage) == ["T/sure"])
    tab.evaluate("document.querySelector('dialog').close()")
    tab.keyboard.press("g")
    wait_for(lambda: types(stage) == ["T/sure", "T/go"])


def test_without_a_script_there_is_nothing_to_switch(open_tab):
    tab = open_tab(body=PAGE, waits=False, java_script_enabled=False)
    expect(tab.get_by_label("Keys")).to_be_hidden()
