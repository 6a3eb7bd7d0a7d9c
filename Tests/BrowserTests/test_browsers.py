# SPDX-License-Identifier: MIT
"""What depends on the browser, in three of them: what a patch keeps, dialogs, and forms that empty.

Firefox and WebKit are those of Debian (firefox-esr; webkit2gtk-driver and xvfb); one that isn't installed is skipped.
"""

import pytest
from browsing import wait_for
from drivers import BROWSERS, ENTER, is_there


@pytest.fixture(scope="module", params=list(BROWSERS))
def browser(request):
    name = request.param
    if not is_there(name):
        pytest.skip(f"{name} isn't installed.")
    browser = BROWSERS[name](request.getfixturevalue("chromium")) if name == "chromium" else BROWSERS[name]()
    yield browser
    browser.close()


@pytest.fixture
def open_page(browser, stage):
    def open_page(html):
        stage.body = f'<main><!--fragments--><div data-fragment="a">{html}</div></main>'
        browser.open(stage.url + "/")
        stage.next_stream()

    yield open_page
    browser.open("about:blank")


@pytest.fixture
def draw(browser, stage):
    def draw(html):
        stage.send({"key": "a", "html": f"{html}<i>{stage.version}</i>"})
        wait_for(lambda: browser.run("document.querySelector('i')?.textContent") == str(stage.version - 1))

    return draw


def focus(browser, selector):
    browser.run(f"document.querySelector('{selector}').focus()")


@pytest.mark.parametrize("before, after", [("password", "text"), ("text", "password"), ("text", "search")])
def test_a_field_with_an_id_keeps_text_focus_and_caret(browser, open_page, draw, before, after):
    field = '<form method="post" data-action><input id="f" name="{0}" type="{0}"></form>'
    open_page(field.format(before))
    focus(browser, "#f")
    browser.type("secret")
    browser.run("[window.own = f, f.setSelectionRange(3, 3)].length")
    draw(field.format(after))
    assert browser.run("[f === own, f.value, document.activeElement === f, f.selectionStart, f.type]") == [
        True, "secret", True, 3, after]
    browser.type("!")
    assert browser.run("f.value") == "sec!ret"


@pytest.mark.parametrize("kind", ["checkbox", "radio"])
def test_a_checked_box_stays_checked_in_another_order(browser, open_page, draw, kind):
    boxes = lambda values: "<form>" + "".join(
        f'<label><input type="{kind}" name="x" value="{v}">{v}</label>' for v in values) + "</form>"
    open_page(boxes("abc"))
    browser.run("document.querySelector('[value=b]').click()")
    for values in ("abc", "dabc", "cab", "bc", "zbx"):
        draw(boxes(values))
        assert browser.run("[...document.querySelectorAll('input:checked')].map(box => box.value).join()") == "b"


DIALOG = '<dialog id="d"><p>Sure?</p><input id="why"></dialog>'


@pytest.mark.parametrize("after", [f"<section>{DIALOG}</section>", f"<p>First</p>{DIALOG}"])
def test_a_modal_dialog_that_moves_stays_modal(browser, open_page, draw, after):
    open_page(f'<p id="p">Page</p>{DIALOG}')
    browser.run("d.showModal()")
    focus(browser, "#why")
    browser.type("because")
    draw(after)
    look = "[d.matches(':modal'), d.open, document.activeElement.value]"
    assert browser.run(look) == [True, True, "because"]
    draw(f'{DIALOG}<p id="p">Page</p>')
    assert browser.run(look) == [True, True, "because"]
    draw(f'<p id="p">Page</p>{DIALOG.replace("Sure?", "Really?")}')
    assert browser.run(look) == [True, True, "because"]
    browser.run("d.close()")
    draw(after)
    assert browser.run("[d.matches(':modal'), d.open]") == [False, False]


def test_a_dialog_that_the_server_opens_and_closes(browser, open_page, draw):
    dialog = '<dialog id="d"{}>Sure?</dialog>'
    open_page(dialog.format(""))
    draw(dialog.format(" open"))
    assert browser.run("d.open") is True
    draw(dialog.format(""))
    browser.run("d.showModal()")
    draw(dialog.format(" open"))
    draw(dialog.format(""))
    assert browser.run("d.matches(':modal, [open]')") is False


def test_a_form_empties_when_it_is_sent_and_a_refused_text_returns(browser, stage, open_page):
    open_page('<form method="post" data-action data-reset><input id="v" name="v"><button name="type" value="T/add">Add</button></form>')
    focus(browser, "#v")
    for word in ("milk", "eggs"):
        browser.type([*word, ENTER])
        assert stage.next_post()["body"]["v"] == word
        assert browser.run("v.value") == ""
    stage.answer = lambda post: (409, {"message": "Enough."})
    browser.type([*"bread", ENTER])
    wait_for(lambda: browser.run("v.value") == "bread")
    assert browser.run("document.querySelector('[data-status]').textContent") == "Enough."


def test_parts_of_scripts_stay(browser, open_page, draw):
    html = '<div id="map" data-client="children class style"></div><p>{}</p>'
    open_page(html.format(1))
    browser.run("[map.className = 'own', map.style.height = '9px', map.append(document.createElement('canvas'))].length")
    draw(html.format(2))
    assert browser.run("[map.className, map.style.height, map.children.length]") == ["own", "9px", 1]
