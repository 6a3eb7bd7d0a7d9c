# SPDX-License-Identifier: MIT
"""What is wrong with a field is said beside it, until it is entered anew."""

import pytest
from playwright.sync_api import expect

FORM = ('<form method="post" data-action{0}><input type="hidden" name="type" value="T/buy"><label>Amount '
        '<input name="amount" aria-describedby="hint"></label><p id="hint">In euros.</p><label><input type="radio" name="size" value="s">S</label>'
        '<label><input type="radio" name="size" value="l">L</label><input type="hidden" name="secret" value="1"><button>Buy</button></form><i>{1}</i>')
HINT = "Please enter a number."


def page(form):
    return f'<main><!--fragments--><div data-fragment="a">{form}</div></main>'


def refusal(field):
    return 400, {"message": f"Amount: {HINT}", "field": field, "hint": HINT}


def refuse(stage, field):
    stage.answer = lambda post: refusal(field)


def is_refused(tab, stage):
    """The sentence is there, and the stream that the page opens then, as the reason may be late."""
    expect(tab.get_by_role("alert")).to_have_text(HINT)
    stage.next_stream()


def draw(tab, stage, form=FORM, attributes=""):
    stage.send({"key": "a", "html": form.format(attributes, stage.version)})
    expect(tab.locator("i")).to_have_text(str(stage.version - 1))


def test_a_mistake_is_said_beside_its_field_and_stays_there_while_the_page_changes(open_tab, stage):
    tab = open_tab(body=page(FORM.format("", 0)))
    refuse(stage, "amount")
    field, note = tab.locator("[name=amount]"), tab.get_by_role("alert")
    field.fill("1,5")
    tab.get_by_role("button").click()
    is_refused(tab, stage)
    expect(tab.get_by_role("status")).to_have_text("")
    look = "[document.querySelector('[name=amount]').nextSibling === document.querySelector('[role=alert]'), note === document.querySelector('[role=alert]')]"
    tab.evaluate("window.note = document.querySelector('[role=alert]')")
    for form in (FORM, f"<p>New</p>{FORM}", f"<section>{FORM}</section>", FORM):
        draw(tab, stage, form)
        assert tab.evaluate(look) == [True, True]
        expect(field).to_have_value("1,5")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(f"In euros. {HINT}")
    field.press("End")
    field.press("Backspace")
    expect(note).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description("In euros.")


def test_a_mistake_goes_when_the_form_is_sent_again_or_the_field_has_gone(open_tab, stage):
    tab = open_tab(body=page(FORM.format("", 0)))
    # The mistake goes with the click, not with its answer: which post each answer is for is said beforehand.
    answers = iter([refusal("amount"), (200, {"result": "dispatched"}), refusal("amount")])
    stage.answer = lambda post: next(answers)
    tab.get_by_role("button").click()
    is_refused(tab, stage)
    tab.get_by_role("button").click()
    expect(tab.get_by_role("alert")).to_have_count(0)
    tab.get_by_role("button").click()
    is_refused(tab, stage)
    draw(tab, stage, "<p>Sold out.</p><i>{1}</i>")
    expect(tab.get_by_role("alert")).to_have_count(0)


def test_nothing_chosen_is_said_beside_the_first_choice(open_tab, stage):
    tab = open_tab(body=page(FORM.format("", 0)))
    refuse(stage, "size")
    tab.get_by_role("button").click()
    is_refused(tab, stage)
    assert tab.evaluate("document.querySelector('[role=alert]').previousSibling.textContent") == "S"
    tab.get_by_label("L", exact=True).check()
    draw(tab, stage)
    expect(tab.get_by_label("L", exact=True)).to_be_checked()


@pytest.mark.parametrize("field", ["secret", "other", "type"])
def test_what_is_beside_no_field_that_a_reader_sees_is_in_the_status_line(open_tab, stage, field):
    tab = open_tab(body=page(FORM.format("", 0)))
    refuse(stage, field)
    tab.get_by_role("button").click()
    expect(tab.get_by_role("status")).to_have_text(f"Amount: {HINT}")
    expect(tab.get_by_role("alert")).to_have_count(0)


def test_an_entry_that_returns_has_its_mistake_beside_it(open_tab, stage):
    tab = open_tab(body=page(FORM.format(" data-reset", 0)))
    refuse(stage, "amount")
    tab.locator("[name=amount]").fill("1,5")
    tab.get_by_role("button").click()
    expect(tab.get_by_role("alert")).to_have_text(HINT)
    expect(tab.locator("[name=amount]")).to_have_value("1,5")
