# SPDX-License-Identifier: MIT
"""A ledger is kept in the browser and on the command line, with many expenses, and for several who look."""

import os
import pathlib

import pytest
from playwright.sync_api import expect


def add(tab, payee, amount, category="Food"):
    entry = tab.get_by_role("form", name="New expense")
    entry.get_by_label("Paid to").fill(payee)
    entry.get_by_label("Amount").fill(amount)
    entry.get_by_label("For").select_option(category)
    entry.get_by_label("Day").fill("2026-11-03")
    entry.get_by_role("button", name="Add").click()


def row(tab, payee):
    return tab.locator(".expense", has_text=payee)


def result(tab):
    return tab.locator(".result")


def test_an_expense_is_added_corrected_removed_and_undone(open_tab):
    tab = open_tab()
    add(tab, "Noodle House", "12.50")
    expect(row(tab, "Noodle House")).to_contain_text("12.50")
    expect(tab.locator(".summary .total")).to_have_text("12.50")
    expect(tab.get_by_role("form", name="New expense").get_by_label("Paid to")).to_have_value("")

    row(tab, "Noodle House").locator("summary").click()
    row(tab, "Noodle House").get_by_label("Amount").fill("15")
    row(tab, "Noodle House").get_by_role("button", name="Save").click()
    expect(tab.locator(".summary .total")).to_have_text("15.00")

    row(tab, "Noodle House").get_by_role("button", name="Remove").click()
    expect(tab.locator(".expense")).to_have_count(0)
    expect(tab.locator(".notice")).to_contain_text("You can undo it.")
    tab.get_by_role("button", name="Undo").click()
    expect(result(tab)).to_have_text("1 expense, 15.00")
    tab.keyboard.press("Control+z")
    expect(result(tab)).to_have_text("1 expense, 12.50")
    tab.keyboard.press("Control+Shift+z")
    expect(result(tab)).to_have_text("1 expense, 15.00")


def test_what_is_wrong_is_said_beside_what_was_typed(open_tab):
    tab = open_tab()
    add(tab, "Noodle House", "free")
    amount = tab.get_by_role("form", name="New expense").get_by_label("Amount")
    expect(amount).to_have_value("free")
    expect(amount).to_have_accessible_description("Please enter an amount such as 12.50.")
    expect(tab.get_by_text("Please enter an amount such as 12.50.")).to_be_visible()
    expect(tab.locator(".expense")).to_have_count(0)


def test_two_who_look_see_one_ledger_and_each_what_they_look_for(open_tab):
    left, right = open_tab(), open_tab()
    add(left, "Noodle House", "12.50")
    add(left, "Night Train", "60", "Travel")
    expect(result(right)).to_have_text("2 expenses, 72.50")
    right.get_by_label("Category").select_option("Travel")
    expect(result(right)).to_have_text("1 expense, 60.00")
    expect(result(left)).to_have_text("2 expenses, 72.50")
    add(left, "Ferry", "4", "Travel")
    expect(result(right)).to_have_text("2 expenses, 64.00")


def test_a_budget_is_set_and_everybody_is_warned_when_it_is_exceeded(open_tab):
    left, right = open_tab(), open_tab()
    food = left.locator(".budget.food")
    food.locator("summary").click()
    food.get_by_label("Budget for a month").fill("20")
    food.get_by_role("button", name="Set").click()
    add(left, "Noodle House", "12.50")
    expect(right.locator(".budget.food")).to_contain_text("12.50 of 20.00")
    add(left, "Market Hall", "10")
    expect(right.locator(".notice")).to_contain_text("Over budget: Food.")
    expect(right.locator(".budget.food.over")).to_contain_text("22.50 of 20.00")


def test_fifty_thousand_expenses_are_searched_while_one_types_and_of_a_change_one_row_is_sent(open_tab, ledger):
    code, said = ledger.command("samples", "50000")
    assert code == 0 and said.startswith("50000 expenses"), said
    tab = open_tab()
    expect(tab.locator(".expense")).to_have_count(50)
    expect(result(tab)).to_contain_text("50000 expenses")
    tab.get_by_label("Paid to", exact=True).first.focus()
    search = tab.get_by_role("searchbox")
    search.press_sequentially("pharm")
    expect(result(tab)).not_to_contain_text("50000 expenses")
    expect(tab.locator(".expense .payee").first).to_have_text("Pharmacy North")
    expect(search).to_have_value("pharm")
    expect(search).to_be_focused()
    tab.get_by_role("button", name="Show more").click()
    expect(tab.locator(".expense")).to_have_count(100)

    tab.evaluate("document.querySelectorAll('.expense').forEach(row => row.mark = true)")
    entry = tab.get_by_role("form", name="New expense")
    entry.get_by_label("Day").fill("2030-01-01")
    entry.get_by_label("Paid to").fill("Pharmacy South")
    entry.get_by_label("Amount").fill("8")
    entry.get_by_role("button", name="Add").click()
    expect(tab.locator(".expense .payee").first).to_have_text("Pharmacy South")
    marked = tab.evaluate("[...document.querySelectorAll('.expense')].filter(row => row.mark).length")
    assert marked == 99


def test_the_page_and_the_command_line_keep_one_ledger(open_tab, ledger):
    tab = open_tab()
    add(tab, "Noodle House", "12.50")
    expect(result(tab)).to_have_text("1 expense, 12.50")
    ledger.stop()
    assert ledger.command("add", "4", "Ferry", "--for", "travel", "--day", "2026-11-04") == (
        0, "Added. 2 expenses, 16.50\n")
    assert ledger.command("list")[1].splitlines() == [
        "2026-11-04  4.00  Ferry (Travel)", "2026-11-03  12.50  Noodle House (Food)"]
    assert ledger.command("total", "--for", "food") == (0, "12.50\n")
    code, said = ledger.command("add", "free", "Ferry")
    assert code != 0 and "Please enter an amount such as 12.50." in said
    assert ledger.command("undo") == (0, "Undone. 1 expense, 12.50\n")
    assert ledger.command("undo") == (0, "Undone. 0 expenses, 0.00\n")
    code, said = ledger.command("undo")
    assert code != 0 and "There is nothing to undo." in said


def test_a_report_is_read_sent_and_run_again_without_one_of_its_changes(open_tab, ledger, tmp_path):
    tab = open_tab()
    add(tab, "Noodle House", "12.50")
    add(tab, "Night Train", "60", "Travel")
    expect(result(tab)).to_have_text("2 expenses, 72.50")
    with tab.context.expect_page() as opened:
        tab.get_by_role("link", name="Read the report").click()
    expect(opened.value.locator("body")).to_contain_text("The replaced values lead to the same course:")
    opened.value.close()
    with tab.expect_download() as download:
        tab.get_by_role("link", name="Report a problem").click()
    report = tmp_path / download.value.suggested_filename
    download.value.save_as(report)
    assert b"12.50" in report.read_bytes() and b"Noodle" not in report.read_bytes()
    assert ledger.replay(report) == (0, (
        "1  LedgerAction/add  1 expense, 12.50\n"
        "2  LedgerAction/add  2 expenses, 72.50\n"))
    assert ledger.replay(report, "--without", "1") == (0, "2  LedgerAction/add  1 expense, 60.00\n")
    code, said = ledger.replay(report, "--without", "3")
    assert code != 0 and "There is no change 3" in said
    # On the command line it is the same file, but for its stand-ins.
    ledger.stop()
    assert ledger.command("report", str(report)) == (0, f"2 changes in {report}.\n")
    assert ledger.replay(report)[1].endswith("2 expenses, 72.50\n")


def test_the_months_are_bars_with_labels_which_follow_the_ledger(open_tab):
    tab = open_tab()
    add(tab, "Noodle House", "12.50")
    bars = tab.locator("month-chart g")
    expect(bars).to_have_count(12)
    expect(bars.last.locator("text")).to_have_text(["13", "Nov"])
    expect(bars.nth(10).locator("text")).to_have_text(["Oct"])
    tab.evaluate("document.querySelector('month-chart').mark = true")
    add(tab, "Night Train", "1200", "Travel")
    expect(bars.last.locator("text")).to_have_text(["1.2k", "Nov"])
    expect(tab.get_by_role("row", name="November 2026")).to_contain_text("1\u202f212.50")
    assert tab.evaluate("document.querySelector('month-chart').mark")


def test_on_a_phone_the_entry_comes_first(open_tab):
    tab = open_tab(viewport={"width": 375, "height": 812})
    add(tab, "Noodle House", "12.50")
    tops = [tab.locator(name).bounding_box()["y"] for name in (".entry", ".summary", ".budget.food", ".filter")]
    assert tops == sorted(tops)


def test_it_is_used_without_a_script(open_tab):
    tab = open_tab(java_script_enabled=False)
    add(tab, "Noodle House", "12.50")
    expect(row(tab, "Noodle House")).to_contain_text("12.50")
    tab.get_by_label("Category").select_option("Travel")
    tab.get_by_role("button", name="Show", exact=True).click()
    expect(result(tab)).to_have_text("0 expenses, 0.00")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name, width, height", [("phone", 375, 812), ("desktop", 1280, 900)])
def test_nothing_is_wider_than_the_window(open_tab, ledger, name, width, height, scheme):
    ledger.command("samples", "2000")
    tab = open_tab(viewport={"width": width, "height": height}, color_scheme=scheme)
    for category, amount in [("food", "600"), ("home", "500"), ("travel", "2000")]:
        budget = tab.locator(f".budget.{category}")
        budget.locator("summary").click()
        budget.get_by_label("Budget for a month").fill(amount)
        budget.get_by_role("button", name="Set").click()
        expect(budget).to_contain_text(" of ")
        budget.locator("summary").click()
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if folder := os.environ.get("SCREENSHOTS"):
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        tab.screenshot(path=f"{folder}/expenses-{name}-{scheme}.png")
        tab.locator(".expense summary").first.click()
        tab.screenshot(path=f"{folder}/expenses-{name}-{scheme}-open.png")
