# SPDX-License-Identifier: MIT
"""A service that refuses, is slow, broken or gone."""

import signal

import pytest
from browsing import wait_for
from conftest import App, Tab
from playwright.sync_api import expect

REASON = "The server refused it (500). Not today."
KEPT = "The server can't be reached. The change is kept and can be sent again."


def test_a_list_that_is_refused_is_an_alert_and_can_be_asked_for_again(service, open_tab):
    service.refusing = 500
    tab = open_tab()
    tab.is_alerted("The tasks couldn't be loaded.", REASON)
    expect(tab.alert.get_by_role("button")).to_be_focused()
    tab.page.keyboard.press("Enter")
    expect(tab.alert).to_have_count(0)
    expect(tab.page.locator(".stage .sorry")).to_have_text(REASON)
    service.refusing = None
    tab.button("Try again").click()
    tab.shows("Buy milk", "Call Anna", "Pay rent")


def test_a_list_that_makes_no_sense_is_an_alert(service, open_tab):
    service.broken = True
    tab = open_tab()
    tab.is_alerted("The tasks couldn't be loaded.", "The server's answer makes no sense.")
    tab.page.keyboard.press("Escape")
    expect(tab.alert).to_have_count(0)
    service.broken = False
    tab.button("Try again").press("Enter")
    tab.shows("Buy milk", "Call Anna", "Pay rent")


def test_a_service_that_is_gone_is_an_alert_and_may_come_back(service, open_tab):
    service.stop()
    tab = open_tab()
    tab.is_alerted("The tasks couldn't be loaded.", "The server can't be reached.")
    tab.accept()
    service.start()
    tab.button("Try again").click()
    tab.shows("Buy milk", "Call Anna", "Pay rent")


def test_a_list_that_was_there_stays_when_it_cant_be_updated(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.stop()
    tab.button("Update").click()
    tab.is_alerted("The tasks couldn't be loaded.", "The server can't be reached.")
    tab.accept()
    tab.shows("Buy milk", "Call Anna", "Pay rent")


def test_a_refused_creation_is_rolled_back(service, open_tab):
    tab = open_tab("/new")
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.gate.clear()
    service.refusals = [500]
    tab.title.fill("Write home")
    tab.button("Save").click()
    tab.shows("Write home", "Buy milk", "Call Anna", "Pay rent")
    service.gate.set()
    tab.is_alerted("“Write home” couldn't be created.", REASON)
    tab.accept()
    tab.shows("Buy milk", "Call Anna", "Pay rent")


@pytest.mark.parametrize("way", ["check", "save"])
def test_a_refused_edit_is_rolled_back(service, open_tab, way):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    if way == "save":
        tab.open("Buy milk")
        tab.page.locator("#done").click()
        expect(tab.page.locator("#done-label")).to_have_text("Done")
    service.gate.clear()
    service.refusals = [500]
    (tab.check("Buy milk") if way == "check" else tab.button("Save")).click()
    tab.is_done("Buy milk")
    service.gate.set()
    tab.is_alerted("“Buy milk” couldn't be saved.", REASON)
    tab.accept()
    tab.is_done("Buy milk", False)


def test_a_refused_deletion_is_rolled_back_in_its_place(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.gate.clear()
    service.refusals = [500]
    tab.button("Delete: Call Anna").click()
    tab.shows("Buy milk", "Pay rent")
    service.gate.set()
    tab.is_alerted("“Call Anna” couldn't be deleted.", REASON)
    tab.accept()
    tab.shows("Buy milk", "Call Anna", "Pay rent")


def test_what_is_done_while_the_service_is_gone_is_kept_and_sent_again(service, open_tab):
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.stop()
    tab.check("Buy milk").click()
    tab.is_alerted("“Buy milk” couldn't be saved.", KEPT)
    tab.accept()
    tab.is_done("Buy milk")
    expect(tab.row("Buy milk").locator(".date")).to_have_text("not on the server yet")
    expect(tab.page.locator(".unsent p")).to_have_text("1 change isn't on the server yet.")
    tab.button("Delete: Call Anna").click()
    tab.is_alerted("“Buy milk” couldn't be saved.", KEPT)
    tab.accept()
    tab.shows("Buy milk", "Pay rent")
    expect(tab.page.locator(".unsent p")).to_have_text("2 changes aren't on the server yet.")
    service.start()
    tab.button("Send again").click()
    expect(tab.page.locator(".unsent")).to_have_count(0)
    assert [change[0] for change in service.first_changes(2)] == ["PATCH /task", "DELETE /task/b"]
    expect(tab.row("Buy milk").locator(".date")).to_have_text("")
    tab.shows("Buy milk", "Pay rent")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_couldnt_be_sent_survives_a_restart_of_the_app(service, chromium, tmp_path, how):
    app = App(service.url, tmp_path)
    context = chromium.new_context()
    tab = Tab(context.new_page(), app.url)
    tab.go()
    tab.follows()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    assert app.kept == []
    service.stop()
    tab.check("Buy milk").click()
    tab.is_alerted("“Buy milk” couldn't be saved.", KEPT)
    tab.accept()
    tab.button("Delete: Call Anna").click()
    tab.is_alerted("“Buy milk” couldn't be saved.", KEPT)
    wait_for(lambda: app.kept and b"delete" in app.kept[0].read_bytes())
    app.stop(how)

    app = App(service.url, tmp_path)
    tab = Tab(context.new_page(), app.url)
    tab.go()
    tab.is_alerted("“Buy milk” couldn't be saved.", KEPT)
    tab.accept()
    expect(tab.page.locator(".unsent p")).to_have_text("2 changes aren't on the server yet.")
    assert service.changes == []
    service.start()
    tab.button("Send again").click()
    tab.shows("Buy milk", "Pay rent")
    tab.is_done("Buy milk")
    assert [change[0] for change in service.changes] == ["PATCH /task", "DELETE /task/b"]
    wait_for(lambda: app.kept == [])
    context.close()
    assert app.stop() == 0


def test_an_edit_that_couldnt_be_sent_can_be_edited_further(service, open_tab):
    tab = open_tab("/task/a")
    expect(tab.title).to_have_value("Buy milk")
    service.stop()
    tab.title.fill("Buy oat milk")
    tab.button("Save").click()
    tab.is_alerted("“Buy oat milk” couldn't be saved.", KEPT)
    tab.page.keyboard.press("Enter")
    tab.open("Buy oat milk")
    tab.title.fill("Buy rice milk")
    service.start()
    tab.button("Save").click()
    tab.shows("Buy rice milk", "Call Anna", "Pay rent")
    expect(tab.page.locator(".unsent")).to_have_count(0)
    wait_for(lambda: service.tasks[0]["name"] == "Buy rice milk")


def test_two_quick_saves_dont_overtake_each_other(service, open_tab):
    tab = open_tab("/task/a")
    expect(tab.title).to_have_value("Buy milk")
    service.gate.clear()
    for name in ("First", "Second"):
        tab.title.fill(name)
        tab.title.press("Enter")
        tab.is_at("/")
        tab.shows(name, "Call Anna", "Pay rent")
        if name == "First":
            tab.open(name)
    assert [change[1]["name"] for change in service.first_changes(1)] == ["First"]
    service.gate.set()
    assert [change[1]["name"] for change in service.first_changes(2)] == ["First", "Second"]
    tab.shows("Second", "Call Anna", "Pay rent")
    assert service.tasks[0]["name"] == "Second"


def test_a_broken_answer_to_a_change_is_no_failure(service, open_tab):
    """No body is expected there, so none has to be read."""
    tab = open_tab()
    tab.shows("Buy milk", "Call Anna", "Pay rent")
    service.broken = True
    tab.check("Buy milk").click()
    service.first_changes(1)
    tab.is_done("Buy milk")
    expect(tab.page.locator(".activity")).to_have_text("")
    expect(tab.alert).to_have_count(0)


def test_an_action_for_a_task_that_is_gone_is_an_alert(service, open_tab):
    left = open_tab()
    left.shows("Buy milk", "Call Anna", "Pay rent")
    answer = left.page.evaluate("""async () => (await fetch("/", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ type: "ListAction/toggle", id: "x", request: "12345678" }) })).status""")
    assert answer == 200
    left.is_alerted("There is no such task.", "It may have been deleted.")
    left.accept()
