# SPDX-License-Identifier: MIT
"""What was done to the list is taken back, by buttons and by keys, and the service learns of it."""

import pytest
from browsing import wait_for
from playwright.sync_api import expect

WAYS = {
    "mouse": (lambda tab: tab.button("Undo").click(), lambda tab: tab.button("Redo").click()),
    "keys": (lambda tab: tab.page.keyboard.press("Control+z"),
             lambda tab: tab.page.keyboard.press("Control+Shift+Z")),
}


def is_at_rest(tab):
    expect(tab.page.locator(".activity")).to_have_text("")


def can(tab, undo, redo):
    for name, is_enabled in (("Undo", undo), ("Redo", redo)):
        expect(tab.button(name)).to_be_enabled(enabled=is_enabled)


@pytest.mark.parametrize("way", WAYS)
def test_a_tick_is_undone_and_redone(service, open_tab, way):
    undo, redo = WAYS[way]
    tab = open_tab()
    can(tab, undo=False, redo=False)
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    can(tab, undo=True, redo=False)
    undo(tab)
    tab.is_done("Buy milk", False)
    can(tab, undo=False, redo=True)
    redo(tab)
    tab.is_done("Buy milk")
    can(tab, undo=True, redo=False)
    is_at_rest(tab)
    wait_for(lambda: service.tasks[0]["state"] == 1)


@pytest.mark.parametrize("way", WAYS)
def test_a_deletion_is_undone_and_redone_on_the_service(service, open_tab, way):
    undo, redo = WAYS[way]
    tab = open_tab()
    tab.button("Delete: Call Anna").click()
    tab.shows("Buy milk", "Pay rent")
    wait_for(lambda: len(service.tasks) == 2)
    is_at_rest(tab)
    undo(tab)
    tab.shows("Call Anna", "Buy milk", "Pay rent")
    wait_for(lambda: len(service.tasks) == 3)
    is_at_rest(tab)
    assert service.tasks[0]["notes"] == "About Friday"
    redo(tab)
    tab.shows("Buy milk", "Pay rent")
    wait_for(lambda: [task["id"] for task in service.tasks] == ["a", "c"])


def test_a_save_and_an_addition_are_undone_one_after_the_other(service, open_tab):
    tab = open_tab("/task/a")
    expect(tab.title).to_have_value("Buy milk")
    tab.title.fill("Buy oat milk")
    tab.title.press("Enter")
    tab.shows("Buy oat milk", "Call Anna", "Pay rent")
    is_at_rest(tab)
    tab.page.keyboard.press("n")
    tab.title.fill("Write home")
    tab.title.press("Enter")
    tab.shows("Write home", "Buy oat milk", "Call Anna", "Pay rent")
    is_at_rest(tab)
    tab.page.keyboard.press("Control+z")
    tab.shows("Buy oat milk", "Call Anna", "Pay rent")
    tab.page.keyboard.press("Control+z")
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    wait_for(lambda: [task["name"] for task in service.tasks] == ["Buy milk", "Call Anna", "Pay rent"])
    can(tab, undo=False, redo=True)


def test_in_a_field_the_keys_are_the_browsers(open_tab):
    tab = open_tab()
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    search = tab.page.get_by_role("searchbox")
    search.press_sequentially("mi")
    tab.shows("Buy milk")
    search.press("Control+z")
    expect(search).not_to_have_value("mi")
    tab.is_done("Buy milk")
    can(tab, undo=True, redo=False)


def test_the_buttons_work_by_keyboard_and_the_focus_stays_on_the_page(open_tab):
    tab = open_tab()
    tab.check("Buy milk").click()
    can(tab, undo=True, redo=False)
    tab.button("Undo").press("Enter")
    tab.is_done("Buy milk", False)
    # The button rests now, so the focus goes to the page's title.
    expect(tab.page.get_by_role("heading", level=1)).to_be_focused()
    tab.page.keyboard.press("Tab")
    expect(tab.button("Redo")).to_be_focused()
    tab.page.keyboard.press("Space")
    tab.is_done("Buy milk")


def test_what_was_undone_elsewhere_is_undone_in_every_tab(open_tab):
    tab = open_tab()
    other = open_tab(beside=tab)
    tab.check("Buy milk").click()
    other.is_done("Buy milk")
    other.button("Undo").click()
    tab.is_done("Buy milk", False)
    can(tab, undo=False, redo=True)


def test_a_list_in_which_others_changed_something_forgets_the_steps(service, open_tab):
    tab = open_tab()
    tab.check("Buy milk").click()
    can(tab, undo=True, redo=False)
    is_at_rest(tab)
    with service.lock:
        service.tasks[2]["name"] = "Pay the rent"
    tab.button("Update").click()
    tab.shows("Buy milk", "Call Anna", "Pay the rent")
    can(tab, undo=False, redo=False)
    tab.is_done("Buy milk")


def test_an_undo_that_is_refused_is_an_alert(service, open_tab):
    tab = open_tab()
    tab.check("Buy milk").click()
    is_at_rest(tab)
    wait_for(lambda: service.changes)
    service.refusals = [500]
    tab.button("Undo").click()
    tab.is_alerted("“Buy milk” couldn't be saved.", "The server refused it (500). Not today.")
    tab.accept()
    tab.is_done("Buy milk")


def test_undoing_works_without_script(open_tab):
    tab = open_tab(java_script_enabled=False)
    wait_for(lambda: tab.go() or tab.rows.count() == 3)  # nobody notifies the page that the list has come
    tab.check("Buy milk").click()
    tab.is_done("Buy milk")
    tab.button("Undo").click()
    tab.is_done("Buy milk", False)
