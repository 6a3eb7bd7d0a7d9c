# SPDX-License-Identifier: MIT
"""What a reader opened, closed or wrote stays until the server draws something else there."""

import pytest
from playwright.sync_api import expect


def page(html):
    return f'<main><!--fragments--><div data-fragment="a">{html}</div><button id="out">Out</button></main>'


def draw(tab, stage, html):
    stage.send({"key": "a", "html": f"{html}<i>{stage.version}</i>"})
    expect(tab.locator("i")).to_have_text(str(stage.version - 1))


DIALOG = '<dialog id="d"{}><p>Sure?</p><form method="dialog"><button>Close</button></form></dialog>'
HELP = f'<button command="show-modal" commandfor="d">Help</button>{DIALOG.format("")}'


def test_a_dialog_that_a_reader_opened_stays_open_and_modal(open_tab, stage):
    tab = open_tab(body=page(HELP))
    tab.get_by_role("button", name="Help").click()
    draw(tab, stage, HELP)
    assert tab.evaluate("document.querySelector('#d').matches('[open]:modal')")
    tab.get_by_role("button", name="Close").click()
    tab.get_by_role("button", name="Out").click(timeout=2_000)


def test_a_modal_dialog_that_the_server_closes_leaves_the_page_usable(open_tab, stage):
    tab = open_tab(body=page(DIALOG.format(" open")))
    tab.evaluate("() => { const d = document.querySelector('#d'); d.close(); d.showModal(); }")
    draw(tab, stage, DIALOG.format(""))
    assert not tab.evaluate("document.querySelector('#d').matches(':modal, [open]')")
    tab.get_by_role("button", name="Out").click(timeout=2_000)
    draw(tab, stage, DIALOG.format(" open"))
    expect(tab.get_by_text("Sure?")).to_be_visible()


def test_a_dialog_that_a_reader_closed_stays_closed_until_the_server_opens_it_again(open_tab, stage):
    tab = open_tab(body=page(DIALOG.format(" open")))
    tab.get_by_role("button", name="Close").click()
    draw(tab, stage, DIALOG.format(" open"))
    expect(tab.get_by_text("Sure?")).not_to_be_visible()
    draw(tab, stage, DIALOG.format(""))
    draw(tab, stage, DIALOG.format(" open"))
    expect(tab.get_by_text("Sure?")).to_be_visible()


def test_what_is_written_in_an_editable_element_stays(open_tab, stage):
    text = '<div id="e" contenteditable>{}</div>'
    tab = open_tab(body=page(text.format("one <b>two</b>")))
    field = tab.locator("#e")
    field.focus()
    tab.keyboard.type("typed ")
    draw(tab, stage, text.format("one <b>two</b>"))
    tab.keyboard.type("on ")
    expect(field).to_have_text("typed on one two")
    draw(tab, stage, text.format("three"))
    expect(field).to_have_text("typed on one two")
    field.blur()
    draw(tab, stage, text.format("four <input>"))
    expect(field).to_have_text("four")
    assert tab.evaluate("document.querySelectorAll('#e input').length") == 1


FIELD = '<input id="name" name="name" aria-label="Name">'


@pytest.mark.parametrize("moves", [True, False])
@pytest.mark.parametrize("after", [
    f'<form><div class="error">{FIELD}<p>Taken.</p></div></form>',
    f"<p>New</p><form><fieldset><div><span>{FIELD}</span></div></fieldset></form><p>End</p>",
    f'<section><form id="f">{FIELD}</form></section>',
    FIELD,
], ids=["wrapped", "deep", "another form", "unwrapped"])
def test_an_element_with_an_id_stays_the_same_under_another_parent(open_tab, stage, after, moves):
    tab = open_tab(body=page(f"<form>{FIELD}<p>Hint</p></form>"))
    if not moves:
        tab.add_init_script("delete Element.prototype.moveBefore")
        tab.reload()
        stage.next_stream()
    field = tab.get_by_label("Name")
    field.focus()
    tab.keyboard.type("half a sen")
    field.evaluate("field => field.mark = true")
    for html in (after, f"<form>{FIELD}<p>Hint</p></form>"):
        draw(tab, stage, html)
        assert field.evaluate("field => field.mark")
        expect(field).to_have_value("half a sen")
        expect(field).to_be_focused()


def test_of_elements_that_change_places_with_their_parents_none_is_there_twice(open_tab, stage):
    tab = open_tab(body=page('<div id="p">P<div id="q">Q</div></div>'))
    draw(tab, stage, '<div id="q">Q<div id="p">P</div></div>')
    assert tab.evaluate("document.querySelector('[data-fragment]').innerHTML").startswith(
        '<div id="q">Q<div id="p">P</div></div>')


def options(values, chosen=None):
    parts = [f'<option value="{value}"{" selected" if value == chosen else ""}>{value}</option>' for value in values]
    return f'<select id="s">{"".join(parts)}</select>'


@pytest.mark.parametrize("later", ["zabc", "cba", "xbc"])
def test_a_choice_stays_where_other_options_come_and_the_server_names_none(open_tab, stage, later):
    tab = open_tab(body=page(options("abc")))
    tab.locator("#s").select_option("b")
    draw(tab, stage, options(later))
    expect(tab.locator("#s")).to_have_value("b")
    draw(tab, stage, options(later, chosen="c"))
    expect(tab.locator("#s")).to_have_value("c")


def test_a_choice_stays_until_the_server_names_another_one(open_tab, stage):
    tab = open_tab(body=page(options("abc", chosen="a")))
    tab.locator("#s").select_option("b")
    draw(tab, stage, options("zabc", chosen="a"))
    expect(tab.locator("#s")).to_have_value("b")
    draw(tab, stage, options("zabc"))
    expect(tab.locator("#s")).to_have_value("z")


def forms(items):
    return "".join(
        f'<section><h2>{item}</h2><form data-action="Talk/say"><input type="hidden" name="item" value="{item}">'
        f'<input name="text"></form></section>' for item in items)


@pytest.mark.parametrize("later", ["zabc", "cba", "bc", "xb"])
def test_what_is_typed_stays_with_the_form_for_the_same_thing_though_none_has_a_name(open_tab, stage, later):
    tab = open_tab(body=page(forms("abc")))
    tab.locator('section:has-text("b") input[name=text]').fill("for b")
    draw(tab, stage, forms(later))
    typed = tab.evaluate("""() => [...document.querySelectorAll("form")]
        .map((form) => ["item", "text"].map((name) => form.querySelector(`[name=${name}]`).value).join(":"))
        .filter((text) => !text.endsWith(":"))""")
    assert typed == ["b:for b"]
