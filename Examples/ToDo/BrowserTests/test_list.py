# SPDX-License-Identifier: MIT
"""The list: what it shows, and what can be done in it."""

import re

import pytest
from playwright.sync_api import expect


def test_a_task_shows_its_title_its_date_and_its_check(open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    expect(tab.page.locator(".task .date")).to_have_text(["", "", "01/12/2026"])
    tab.is_done("Buy milk", False)
    tab.is_done("Call Anna")


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kathmandu"])
def test_a_date_is_the_same_day_in_every_time_zone(open_tab, zone):
    tab = open_tab(timezone_id=zone)
    expect(tab.row("Pay rent").locator(".date")).to_have_text("01/12/2026")
    tab.open("Pay rent")
    tab.page.locator("#due").click()
    expect(tab.page.locator("#date")).to_have_value("2026-12-01")


def test_the_check_button_changes_a_task_at_once_and_reports_the_service(service, open_tab):
    tab = open_tab()
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    assert service.first_changes(1) == [
        ("PATCH /task", {"id": "a", "name": "Buy milk", "dueDate": "--", "state": 1})]
    tab.check("Pay rent").press("Enter")
    tab.is_done("Pay rent")
    tab.check("Call Anna").press(" ")
    tab.is_done("Call Anna", False)
    assert service.first_changes(3)[1][1] == {
        "id": "c", "name": "Pay rent", "dueDate": "01/12/2026", "state": 1}


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_delete_takes_a_task_out_of_the_list_and_off_the_service(service, open_tab, way):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    button = tab.button("Delete: Call Anna")
    button.click() if way == "mouse" else button.press("Enter")
    tab.shows("Buy milk", "Pay rent")
    assert service.first_changes(1) == [("DELETE /task/b", None)]
    expect(tab.button("Delete: Pay rent")).to_be_focused()


def test_after_a_deletion_the_list_shows_the_services_truth(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.tasks.append({"id": "z", "name": "From elsewhere", "state": 0})
    tab.button("Delete: Call Anna").click()
    tab.shows("Buy milk", "Pay rent", "From elsewhere")


def test_update_asks_for_the_list_again(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.tasks = [{"id": "z", "name": "From elsewhere", "state": 0}]
    tab.button("Update").click()
    tab.shows("From elsewhere")
    service.tasks = []
    tab.page.keyboard.press("u")
    tab.shows()
    expect(tab.page.locator(".stage")).to_have_text("There is nothing to do.")


def test_a_slow_service_shows_a_spinner_first(service, open_tab):
    service.gate.clear()
    tab = open_tab()
    expect(tab.page.locator(".spinner")).to_be_visible()
    expect(tab.page.locator(".stage > p")).to_have_text("Loading tasks…")
    service.gate.set()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    expect(tab.page.locator(".spinner")).to_have_count(0)


def test_while_a_slow_service_works_the_list_shows_that_and_goes_on(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.gate.clear()
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    expect(tab.page.locator(".activity")).to_have_text("Saving…")
    tab.check("Pay rent").click()
    tab.is_done("Pay rent")
    service.gate.set()
    expect(tab.page.locator(".activity")).to_have_text("")
    assert [change[1]["id"] for change in service.first_changes(2)] == ["a", "c"]


def test_arrow_keys_lead_from_row_to_row(open_tab):
    tab = open_tab()
    tab.check("Buy milk").focus()
    for key, name in [("ArrowDown", "Call Anna"), ("End", "Pay rent"), ("ArrowDown", "Pay rent"),
                      ("ArrowUp", "Call Anna"), ("Home", "Buy milk"), ("ArrowUp", "Buy milk")]:
        tab.page.keyboard.press(key)
        expect(tab.check(name)).to_be_focused()
    tab.row("Buy milk").get_by_role("link").focus()
    tab.page.keyboard.press("ArrowDown")
    expect(tab.row("Call Anna").get_by_role("link")).to_be_focused()


@pytest.mark.parametrize("text, names", [
    ("BUY", ["Buy milk"]), ("friday", ["Call Anna"]), ("a", ["Call Anna", "Pay rent"]), ("x", [])])
def test_the_list_is_searched_while_one_types(open_tab, text, names):
    tab = open_tab()
    tab.page.get_by_role("searchbox").press_sequentially(text)
    tab.is_at(f"/?search={text}")
    tab.shows(*names)
    expect(tab.page.get_by_role("searchbox")).to_be_focused()
    expect(tab.page.get_by_role("searchbox")).to_have_value(text)
    if not names:
        expect(tab.page.locator(".stage")).to_have_text("No task is like that.")
    tab.page.get_by_role("searchbox").fill("")
    tab.is_at("/")
    tab.shows("Buy milk", "Call Anna", "Pay rent")


def test_a_slash_leads_to_the_search(open_tab):
    tab = open_tab()
    tab.page.keyboard.press("/")
    expect(tab.page.get_by_role("searchbox")).to_be_focused()
    tab.page.keyboard.type("milk/")
    expect(tab.page.get_by_role("searchbox")).to_have_value("milk/")


def test_the_list_is_filtered_and_says_how_many_there_are(open_tab):
    tab = open_tab()
    choices = tab.page.get_by_role("navigation", name="Show").get_by_role("link")
    expect(choices).to_have_text(["All 3", "To do 2", "Done 1"])
    choices.nth(1).click()
    tab.is_at("/?show=to-do")
    tab.shows("Buy milk", "Pay rent")
    expect(choices.nth(1)).to_have_attribute("aria-current", "true")
    tab.check("Buy milk").click()
    tab.shows("Pay rent")
    choices.nth(2).press("Enter")
    tab.shows("Buy milk", "Call Anna")
    tab.page.get_by_role("searchbox").fill("anna")
    tab.is_at("/?search=anna&show=done")
    tab.shows("Call Anna")
    expect(choices).to_have_text(["All 1", "To do 0", "Done 1"])
    tab.page.reload()
    tab.shows("Call Anna")
    expect(tab.page.get_by_role("searchbox")).to_have_value("anna")


def test_what_is_typed_stays_text(service, open_tab):
    nasty = "<img src=x onerror=alert(1)>\"'&amp;"
    service.tasks[0]["name"] = nasty
    service.tasks[0]["id"] = "a/../?b#c\"<>"
    tab = open_tab()
    tab.shows(nasty, "Call Anna", "Pay rent")
    tab.open(nasty)
    tab.page.locator("#done").click()
    expect(tab.page.locator("#done-label")).to_have_text("Done")
    tab.button("Save").click()
    tab.is_done(nasty)
    assert re.search("^PATCH", service.first_changes(1)[0][0])
    tab.button(f"Delete: {nasty}").click()
    tab.shows("Call Anna", "Pay rent")


def test_two_tabs_of_a_visitor_show_one_list(open_tab):
    left = open_tab()
    right = open_tab(beside=left)
    left.check("Buy milk").click()
    right.is_done("Buy milk")
    right.button("Delete: Pay rent").click()
    left.shows("Buy milk", "Call Anna")
