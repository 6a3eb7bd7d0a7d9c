# SPDX-License-Identifier: MIT
"""One task: what it shows, how it is edited, saved, added and deleted."""

import re

import pytest
from playwright.sync_api import expect

WAYS = ["mouse", "keyboard"]


def press(locator, way):
    locator.click() if way == "mouse" else locator.press("Enter")


@pytest.mark.parametrize("way", WAYS)
def test_a_tap_on_a_task_opens_it(open_tab, way):
    tab = open_tab()
    press(tab.row("Call Anna").get_by_role("link"), way)
    tab.is_at("/task/b")
    expect(tab.page.get_by_role("heading", level=2)).to_have_text("Task")
    expect(tab.title).to_have_value("Call Anna")
    expect(tab.field("Notes")).to_have_value("About Friday")
    expect(tab.page.locator("#due")).to_have_text("--")
    expect(tab.page.locator("#done")).to_have_attribute("aria-pressed", "true")
    expect(tab.button("Save")).to_be_enabled()
    expect(tab.button("Delete")).to_be_enabled()
    expect(tab.page.get_by_role("heading", level=2)).to_be_focused()


def test_a_deep_link_and_a_reload_open_a_task(open_tab):
    tab = open_tab("/task/c")
    expect(tab.title).to_have_value("Pay rent")
    tab.page.reload()
    expect(tab.title).to_have_value("Pay rent")
    tab.forgives = re.compile("404")  # the browser says that there is no such document
    tab.page.goto(tab.url + "/task/nothing")
    expect(tab.page.get_by_text("There is no such task.")).to_be_visible()


@pytest.mark.parametrize("way", WAYS)
def test_every_edit_is_saved_and_the_list_shows_the_services_truth(service, open_tab, way):
    tab = open_tab()
    tab.open("Buy milk")
    tab.title.fill("Buy oat milk")
    tab.field("Notes").fill("Two\nlitres")
    press(tab.page.locator("#done"), way)
    expect(tab.page.locator("#done-label")).to_have_text("Done")
    press(tab.page.locator("#due"), way)
    tab.page.locator("#date").fill("2027-02-28")
    press(tab.button("Accept"), way)
    expect(tab.page.locator("#due")).to_have_text("28/02/2027")
    tab.row("Buy milk")  # the list shows what is saved
    service.tasks.append({"id": "z", "name": "From elsewhere", "state": 0})
    press(tab.button("Save"), way)
    tab.is_at("/")
    tab.shows("Buy oat milk", "Call Anna", "Pay rent", "From elsewhere")
    expect(tab.row("Buy oat milk").locator(".date")).to_have_text("28/02/2027")
    assert service.first_changes(1) == [("PATCH /task", {
        "id": "a", "name": "Buy oat milk", "dueDate": "28/02/2027", "notes": "Two\nlitres",
        "state": 1})]


def test_enter_in_the_title_saves(service, open_tab):
    tab = open_tab("/task/a")
    tab.title.fill("Buy oat milk")
    tab.title.press("Enter")
    tab.is_at("/")
    tab.shows("Buy oat milk", "Call Anna", "Pay rent")
    assert [change[1]["name"] for change in service.first_changes(1)] == ["Buy oat milk"]


def test_notes_that_are_emptied_are_gone(service, open_tab):
    tab = open_tab("/task/b")
    tab.field("Notes").fill("")
    tab.button("Save").click()
    tab.is_at("/")
    assert service.first_changes(1) == [
        ("PATCH /task", {"id": "b", "name": "Call Anna", "dueDate": "--", "state": 1})]


@pytest.mark.parametrize("way", WAYS)
def test_a_task_is_added(service, open_tab, way):
    tab = open_tab()
    press(tab.button("Add task"), way)
    tab.is_at("/new")
    expect(tab.page.get_by_role("heading", level=2)).to_have_text("New task")
    expect(tab.title).to_have_value("")
    expect(tab.button("Delete")).to_be_disabled()
    tab.title.fill("Write home")
    press(tab.button("Save"), way)
    tab.is_at("/")
    tab.shows("Write home", "Buy milk", "Call Anna", "Pay rent")
    [(what, task)] = service.first_changes(1)
    assert what == "POST /task"
    assert len(task.pop("id")) == 36
    assert task == {"name": "Write home", "dueDate": "--", "state": 0}


def test_each_new_task_has_an_id_of_its_own(service, open_tab):
    tab = open_tab()
    for number in range(3):
        tab.page.keyboard.press("n")
        tab.is_at("/new")
        tab.title.fill(f"Task {number}")
        tab.title.press("Enter")
        tab.is_at("/")
    tab.shows("Task 2", "Task 1", "Task 0", "Buy milk", "Call Anna", "Pay rent")
    assert len({change[1]["id"] for change in service.first_changes(3)}) == 3


@pytest.mark.parametrize("title", ["", "   "])
def test_a_task_without_title_isnt_saved(service, open_tab, title):
    tab = open_tab("/new")
    tab.title.fill(title)
    tab.button("Save").click()
    assert tab.title.evaluate("field => field.validity.valid") is False
    tab.is_at("/new")
    assert service.changes == []


def test_a_task_without_title_that_comes_all_the_same_is_an_alert(service, open_tab):
    tab = open_tab("/task/a")
    tab.title.fill(" ")
    # In one step: a patch in between would take the attribute away again.
    tab.button("Save").evaluate("save => { save.form.noValidate = true; save.click() }")
    tab.is_alerted("The task has no title.", "Every task needs one.")
    tab.accept()
    assert service.changes == []


@pytest.mark.parametrize("way", WAYS)
def test_a_task_is_deleted(service, open_tab, way):
    tab = open_tab("/task/b")
    press(tab.button("Delete"), way)
    tab.is_at("/")
    tab.shows("Buy milk", "Pay rent")
    assert service.first_changes(1) == [("DELETE /task/b", None)]


def outside(tab):
    tab.page.mouse.click(5, 5)


def escape(tab):
    tab.page.keyboard.press("Escape")


def cancel(tab):
    tab.button("Cancel").click()


@pytest.mark.parametrize("leave", [outside, escape, cancel])
def test_leaving_the_date_selector_keeps_the_date(open_tab, leave):
    tab = open_tab("/task/c")
    tab.page.locator("#due").click()
    dialog = tab.page.get_by_role("dialog", name="Due date")
    expect(dialog).to_be_visible()
    expect(tab.page.locator("#date")).to_be_focused()
    expect(tab.page.locator("#date")).to_have_value("2026-12-01")
    tab.page.locator("#date").fill("2028-01-01")
    leave(tab)
    expect(dialog).to_have_count(0)
    expect(tab.page.locator("#due")).to_have_text("01/12/2026")
    expect(tab.page.locator("#due")).to_be_focused()


def test_a_tap_inside_the_date_selector_isnt_outside(open_tab):
    tab = open_tab("/task/c")
    tab.page.locator("#due").click()
    dialog = tab.page.get_by_role("dialog", name="Due date")
    box = dialog.bounding_box()
    tab.page.mouse.click(box["x"] + 8, box["y"] + 8)
    tab.page.wait_for_load_state()
    expect(dialog).to_be_visible()


def test_the_focus_stays_in_the_date_selector(open_tab):
    tab = open_tab("/task/c")
    tab.page.locator("#due").click()
    expect(tab.page.locator("#date")).to_be_focused()
    for _ in range(12):
        tab.page.keyboard.press("Tab")
        assert tab.page.evaluate(
            "document.activeElement === document.body"
            " || document.activeElement.closest('dialog') !== null")


def test_a_date_can_be_taken_away(service, open_tab):
    tab = open_tab("/task/c")
    tab.page.locator("#due").click()
    tab.button("No date").click()
    expect(tab.page.locator("#due")).to_have_text("--")
    tab.button("Save").click()
    assert service.first_changes(1)[0][1]["dueDate"] == "--"


@pytest.mark.parametrize("day", ["2024-02-29", "2026-03-29", "2026-10-25", "0001-01-01", "9999-12-31"])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles"])
def test_the_chosen_day_is_the_day_that_is_sent(service, open_tab, day, zone):
    tab = open_tab("/task/a", timezone_id=zone)
    tab.page.locator("#due").click()
    tab.page.locator("#date").fill(day)
    tab.button("Accept").click()
    year, month, number = day.split("-")
    expect(tab.page.locator("#due")).to_have_text(f"{number}/{month}/{year}")
    tab.button("Save").click()
    expect(tab.row("Buy milk").locator(".date")).to_have_text(f"{number}/{month}/{year}")
    assert service.first_changes(1)[0][1]["dueDate"] == f"{number}/{month}/{year}"


def test_the_date_selector_wants_a_whole_day(open_tab):
    tab = open_tab("/task/a")
    tab.page.locator("#due").click()
    tab.button("Accept").click()
    expect(tab.page.get_by_role("dialog", name="Due date")).to_be_visible()
    expect(tab.page.locator("#due")).to_have_text("--")


def test_going_back_without_saving_forgets_the_edit(service, open_tab):
    tab = open_tab()
    tab.open("Buy milk")
    tab.title.fill("Half a tho")
    tab.page.locator("#done").click()
    expect(tab.page.locator("#done-label")).to_have_text("Done")
    tab.page.go_back()
    tab.is_at("/")
    tab.open("Buy milk")
    expect(tab.page.locator("#done-label")).to_have_text("To do")
    assert service.changes == []


def test_changes_can_be_discarded(service, open_tab):
    tab = open_tab("/task/a")
    expect(tab.button("Discard changes")).to_have_count(0)
    tab.title.fill("Half a tho")
    tab.title.press("Tab")
    tab.button("Discard changes").click()
    expect(tab.title).to_have_value("Buy milk")
    expect(tab.button("Discard changes")).to_have_count(0)


def test_an_edit_survives_a_reload(open_tab):
    tab = open_tab("/task/a")
    tab.title.fill("Buy oat milk")
    tab.title.press("Tab")
    expect(tab.button("Discard changes")).to_be_visible()
    tab.page.reload()
    expect(tab.title).to_have_value("Buy oat milk")


def test_two_tabs_edit_two_tasks(service, open_tab):
    left = open_tab("/task/a")
    right = open_tab("/task/c", beside=left)
    left.title.fill("Left")
    right.title.fill("Right")
    left.page.locator("#done").click()
    right.page.locator("#done").click()
    expect(left.page.locator("#done-label")).to_have_text("Done")
    left.button("Save").click()
    left.shows("Left", "Call Anna", "Pay rent")
    expect(right.title).to_have_value("Right")
    right.button("Save").click()
    for tab in (left, right):
        tab.shows("Left", "Call Anna", "Right")


def test_back_and_forward_keep_screen_and_address_in_step(open_tab):
    tab = open_tab()
    tab.open("Buy milk")
    tab.is_at("/task/a")
    tab.page.go_back()
    tab.is_at("/")
    expect(tab.title).to_have_count(0)
    tab.page.go_forward()
    tab.is_at("/task/a")
    expect(tab.title).to_have_value("Buy milk")


def test_on_a_phone_one_thing_is_shown_at_a_time(open_tab):
    tab = open_tab(viewport={"width": 390, "height": 844})
    expect(tab.page.locator(".list")).to_be_visible()
    tab.open("Buy milk")
    expect(tab.page.locator(".list")).to_be_hidden()
    tab.button("Tasks").click()
    tab.is_at("/")
    expect(tab.page.locator(".list")).to_be_visible()
    expect(tab.title).to_have_count(0)


def test_the_list_under_a_task_keeps_its_search(open_tab):
    tab = open_tab("/?show=to-do")
    tab.open("Pay rent")
    tab.shows("Buy milk", "Pay rent")
    tab.button("Save").click()
    tab.is_at("/?show=to-do")
    tab.shows("Buy milk", "Pay rent")
