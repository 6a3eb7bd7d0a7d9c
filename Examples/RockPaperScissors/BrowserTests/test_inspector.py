# SPDX-License-Identifier: MIT
"""Time travel through a game, as somebody does who looks for what went wrong."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import COUNT_ANSWERS, end, free_port, run
from inspecting import press, select
from playwright.sync_api import expect

CHOOSES = "PLAYER {} - Choose your weapon:"
SIZES = {"desktop": (1440, 900), "half": (720, 900), "phone": (390, 844)}
QUICK = [("desktop", "light"), ("phone", "dark")]
# Every look, of which two are enough for each change.
LOOKS = [
    pytest.param(size, scheme, marks=[] if look in QUICK else pytest.mark.patience)
    for size in SIZES for scheme in ["light", "dark"] for look in [(size, scheme)]]
VIEWS = {
    "action": "/entries/2", "state": "/entries/2/state?pin=score&pin=result", "diff": "/entries/2/diff",
    "chart": "/entries/2/state?as=chart", "raw": "/entries/2/state?as=raw", "find": "/entries/2/state?find=rock",
    "trace": "/entries/2/trace", "test": "/entries/2/test", "activity": "/activity", "effects": "/effects",
    "routes": "/pages/routes", "costs": "/pages/costs", "weapons": "/pages/weapons", "dispatch": "/dispatch",
    "form": "/dispatch?action=GameAction/choose", "file": "/file"}

# Keeps each message that the game shows, however shortly.
NOTE_MESSAGES = """() => {
    window.shown = new Set();
    const note = () => shown.add(document.querySelector(".message").textContent.trim());
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


class InspectedServer:
    """The program with an inspector beside the game."""

    def __init__(self):
        self.ports = free_port(), free_port()
        self.process, _ = run("RPS_BINARY", "--port", str(self.ports[0]), "--inspector", str(self.ports[1]))
        self.process.stdout.readline()  # the second address: both are there

    @property
    def url(self):
        return f"http://127.0.0.1:{self.ports[0]}"

    @property
    def inspector_url(self):
        return f"http://127.0.0.1:{self.ports[1]}"


@pytest.fixture
def server():
    server = InspectedServer()
    yield server
    end(server.process)


@pytest.fixture
def inspect(open_tab, server):
    """Opens a page of the inspector, whose complaints count like those of the game."""

    def inspect(path="/rps", **options):
        tab = open_tab(**options)
        tab.page.goto(server.inspector_url + path)
        expect(tab.page.get_by_role("link", name="rps")).to_be_visible()
        return tab.page

    return inspect


def shows_entries(page, *ids):
    expect(page.locator(".entry .id")).to_have_text([f"{entry}" for entry in ids])


def play(tab, *weapons):
    for turn, weapon in enumerate(weapons):
        tab.shows(CHOOSES.format(turn + 1))
        tab.choose(weapon)
    tab.shows("PLAYER 2 WINS!")


def test_the_game_goes_back_and_forward_again(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    press(page, "Earlier")
    game.shows(CHOOSES.format(2))
    press(page, "Earlier")
    game.shows(CHOOSES.format(1))
    # The key presses a button that rests until the inspector shows the past: the game may show it before.
    expect(page.get_by_role("button", name="Later", exact=True)).to_be_enabled()
    page.keyboard.press("ArrowRight")
    game.shows(CHOOSES.format(2))
    page.keyboard.press("l")
    game.shows("PLAYER 2 WINS!")
    game.shows_squares("Rock", "Paper")


def test_what_is_dispatched_in_the_past_comes_at_the_end(open_tab, inspect):
    game, page = open_tab(), inspect()
    game.choose("Rock")
    shows_entries(page, 1)
    press(page, "Earlier")
    game.shows(CHOOSES.format(1))
    game.choose("Scissors")
    shows_entries(page, 1, 2)
    game.shows(CHOOSES.format(1))
    press(page, "Live")
    game.shows("PLAYER 1 WINS!")


def test_the_game_follows_when_an_entry_is_skipped(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/entries/1")
    play(game, "Rock", "Paper")
    page.reload()
    press(page, "Skip")
    game.shows(CHOOSES.format(2))
    expect(page.locator(".entry.skipped")).to_have_count(1)
    press(page, "Unskip")
    game.shows("PLAYER 2 WINS!")


def test_an_entry_is_moved_by_keys_and_by_hand(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    game.shows_squares("Rock", "Paper")
    select(page, page.locator(".entry").last)
    page.keyboard.press("[")
    shows_entries(page, 2, 1)
    game.shows_squares("Paper", "Rock")
    page.keyboard.press("]")
    shows_entries(page, 1, 2)
    game.shows_squares("Rock", "Paper")
    entries = page.locator(".entry")
    entries.last.drag_to(entries.first, target_position={"x": 60, "y": 2})
    shows_entries(page, 2, 1)
    game.shows_squares("Paper", "Rock")
    height = entries.last.bounding_box()["height"]
    entries.first.drag_to(entries.last, target_position={"x": 60, "y": height - 2})
    shows_entries(page, 1, 2)


def test_the_beginning_says_that_no_action_led_there(inspect):
    page = inspect("/rps/entries/0")
    for view in ["Action", "Trace"]:
        page.get_by_role("link", name=view, exact=True).click()
        expect(page.get_by_role("group", name=view)).to_have_text("No action led here: the log begins with this state.")


def test_an_action_is_dispatched_as_json(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/dispatch")
    text = page.get_by_label("An action as JSON")
    text.fill(json.dumps({"type": "GameAction/choose", "weapon": "rock"}))
    press(page, "Dispatch")
    game.shows(CHOOSES.format(2))
    text.fill(json.dumps({"type": "GameAction/explode"}))
    press(page, "Dispatch")
    expect(page.get_by_role("alert")).to_contain_text("the type has no such case")
    game.shows(CHOOSES.format(2))


def test_an_action_is_dispatched_by_its_form(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/dispatch")
    page.get_by_label("Action", exact=True).select_option("GameAction/choose")
    page.get_by_label("weapon").select_option("scissors")
    press(page, "Dispatch")
    game.shows(CHOOSES.format(2))
    shows_entries(page, 1)
    expect(page.get_by_label("weapon")).to_have_value("scissors")


def test_a_part_of_the_state_is_searched_for_and_pinned(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    select(page, page.locator(".entry").last)
    page.get_by_role("link", name="State", exact=True).click()
    page.get_by_role("searchbox", name="Search the state").fill("score")
    page.keyboard.press("Enter")
    page.locator(".changes").get_by_role("link", name="score", exact=True).click()
    page.get_by_role("link", name="Pin", exact=True).click()
    pins = page.get_by_role("list", name="Pinned")
    expect(pins.locator("ins")).to_be_visible()
    # It stays while the list is filtered and another view is looked at.
    page.get_by_role("link", name="Trace").click()
    page.get_by_role("searchbox", name="Search entries").fill("choose")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Clear")).to_be_visible()
    expect(pins).to_be_visible()
    page.get_by_role("link", name="Unpin score").click()
    expect(pins).to_have_count(0)


def test_a_state_is_a_tree_a_chart_or_raw(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/entries/1/state")
    game.choose("Rock")
    game.shows(CHOOSES.format(2))
    page.reload()
    page.get_by_role("link", name="Raw").click()
    expect(page.locator("pre.value")).to_contain_text('"rock"')
    page.get_by_role("link", name="Chart").click()
    page.locator("svg.chart").get_by_role("link", name="score").click()
    expect(page).to_have_url(re.compile("path=score"))


def test_the_source_of_a_test_is_there_to_be_copied(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    page.keyboard.press("e")
    source = page.locator("pre#source")
    expect(source).to_contain_text("RecordedLog")
    expect(source).to_contain_text('{"weapon":"rock"}')
    page.get_by_role("link", name="This entry").click()
    expect(source).not_to_contain_text('#"{"weapon":"rock"}"#')
    expect(source).to_contain_text('{"weapon":"paper"}')


def test_the_game_is_played_again(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    game.page.evaluate(NOTE_MESSAGES)
    press(page, "Play twice as fast")
    messages = [CHOOSES.format(1), CHOOSES.format(2), "PLAYER 2 WINS!"]
    game.page.wait_for_function("messages => messages.every(message => shown.has(message))", arg=messages)
    game.shows(messages[-1])
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_activity_says_what_lives_and_what_it_costs(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/activity")
    expect(page.get_by_role("heading", name=re.compile("^Subscriptions"))).to_be_visible()
    page.get_by_role("link", name="Costs").click()
    play(game, "Rock", "Paper")
    row = page.get_by_role("row", name="GameAction")
    expect(row.get_by_role("cell").first).to_have_text("2")
    expect(page.get_by_role("link", name="Activity")).to_have_attribute("aria-current", "page")


def test_the_app_has_a_page_and_a_column_of_its_own(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/activity")
    page.get_by_role("link", name="Weapons").click()
    expect(page.get_by_text("None was chosen.")).to_be_visible()
    play(game, "Rock", "Paper")
    row = page.get_by_role("row", name="rock")
    expect(row.get_by_role("cell")).to_have_text(["1", "1"])
    page.get_by_label("name").press_sequentially("pap")
    expect(row).to_have_count(0)
    expect(page).to_have_url(re.compile("ask.name=pap"))
    page.get_by_role("row", name="paper").get_by_role("link", name="2").click()
    expect(page.get_by_role("heading", name=re.compile("^2 "))).to_be_visible()
    expect(page.locator(".titles")).to_have_text("Page")
    expect(page.locator(".entry .cells")).to_have_text(["/", "/"])


def test_a_lock_holds_the_game_and_a_pause_the_log(open_tab, inspect):
    game, page = open_tab(), inspect()
    press(page, "Lock")
    expect(page.get_by_role("button", name="Unlock", exact=True)).to_be_visible()
    game.page.evaluate(COUNT_ANSWERS)
    game.choose("Rock")
    game.page.wait_for_function("() => answers === 1")
    press(page, "Unlock")
    expect(page.get_by_role("button", name="Lock", exact=True)).to_be_visible()
    game.shows(CHOOSES.format(1))
    shows_entries(page)
    press(page, "Pause")
    expect(page.get_by_role("button", name="Record", exact=True)).to_be_visible()
    game.choose("Rock")
    game.shows(CHOOSES.format(2))
    press(page, "Record")
    game.choose("Paper")
    game.shows("PLAYER 2 WINS!")
    shows_entries(page, 1)


def test_no_entry_is_lost_without_a_question(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    question = page.get_by_role("dialog", name="Pause recording?")
    page.keyboard.press("r")
    expect(question).to_contain_text("2 entries are lost")
    expect(question.get_by_role("button", name="Pause")).to_be_focused()
    # Behind it no key does anything.
    page.keyboard.press("s")
    with page.expect_download() as download:
        question.get_by_role("link", name="Export first").click()
    assert len(json.loads(download.value.path().read_text())["stagedActionIds"]) == 3
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(page).to_have_url(re.compile("/rps$"))
    shows_entries(page, 1, 2)
    page.get_by_role("link", name="Pause").focus()
    page.keyboard.press("Enter")
    expect(question.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Pause")).to_be_focused()
    page.keyboard.press("r")
    expect(question.get_by_role("button", name="Pause")).to_be_focused()
    page.keyboard.press("Enter")
    shows_entries(page)
    expect(question).to_have_count(0)
    press(page, "Record")


def test_the_past_says_what_comes_meanwhile(open_tab, inspect):
    game, page = open_tab(), inspect(viewport={"width": 390, "height": 844})
    game.choose("Rock")
    shows_entries(page, 1)
    press(page, "Earlier")
    word = page.locator(".transport .word")
    expect(word).to_contain_text("in the past")
    game.shows(CHOOSES.format(1))
    game.choose("Scissors")
    expect(word).to_contain_text("1 new entry")
    press(page, "Go live")
    expect(word).to_contain_text("live")
    game.shows("PLAYER 1 WINS!")


def test_what_is_typed_is_looked_for_and_a_part_of_a_path_found(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    page.get_by_role("searchbox", name="Only what changed").press_sequentially("player2")
    shows_entries(page, 2)
    expect(page.locator(".entry")).to_contain_text("player2")
    page.get_by_role("searchbox", name="Search entries").press_sequentially("fig")
    expect(page.locator(".nothing")).to_have_text("No entry here has “fig” and changed “player2”.")
    page.get_by_role("link", name="Clear").click()
    shows_entries(page, 1, 2)
    # Typing has left no trail: before it is where it began.
    page.go_back()
    expect(page.locator(".nothing")).to_be_visible()
    page.go_back()
    expect(page).not_to_have_url(re.compile("/rps"))


def test_a_type_is_hidden_with_one_key_and_shown_again(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    game.play_again()
    shows_entries(page, 1, 2, 3)
    select(page, page.locator(".entry").first)
    page.keyboard.press("h")
    shows_entries(page, 3)
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name=re.compile("^3 "))).to_be_visible()
    page.get_by_role("link", name="Show GameAction/choose again").click()
    shows_entries(page, 1, 2, 3)


def test_the_focus_goes_where_a_key_leads(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/entries/2/state?path=result")
    play(game, "Rock", "Paper")
    page.reload()
    page.get_by_role("link", name="Who changed this?").focus()
    page.keyboard.press("Enter")
    shows_entries(page, 2)
    expect(page.locator(".entry.selected a")).to_be_focused()
    page.get_by_role("link", name="Who changed this?").focus()
    page.keyboard.press("d")
    expect(page.get_by_role("group", name="Diff")).to_be_focused()


def test_a_value_of_the_state_is_chosen_like_its_name(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/entries/1/state")
    game.choose("Rock")
    game.shows(CHOOSES.format(2))
    page.reload()
    page.locator(".line.object a.text").first.click()
    expect(page).to_have_url(re.compile("path="))


def test_who_changed_what_is_two_clicks_away(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    select(page, page.locator(".entry").last)
    expect(page.get_by_role("heading", name="2 GameAction/choose")).to_be_visible()
    page.get_by_role("link", name="Diff").click()
    row = page.locator(".changes li", has=page.get_by_role("link", name="result", exact=True))
    row.get_by_role("link", name="Who?").click()
    shows_entries(page, 2)
    assert "/rps/entries/2/diff?touched=result" in page.url


def test_a_log_goes_out_as_a_file_and_comes_back(open_tab, inspect):
    game, page = open_tab(), inspect("/rps/file")
    play(game, "Rock", "Paper")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export the log").click()
    file = download.value.path()
    page.get_by_role("link", name="Reset").click()
    press(page, "Reset")
    game.shows(CHOOSES.format(1))
    shows_entries(page)
    page.get_by_label("Import a log").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": file.read_bytes()})
    game.shows("PLAYER 2 WINS!")
    shows_entries(page, 1, 2)


def test_keys_go_through_the_list_and_the_views(open_tab, inspect):
    game, page = open_tab(), inspect()
    play(game, "Rock", "Paper")
    shows_entries(page, 1, 2)
    for key, heading in [("k", "1 GameAction/choose"), ("j", "2 GameAction/choose")]:
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("link", name="score", exact=True)).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search entries")).to_be_focused()


def test_a_foreign_site_is_refused(server, inspect):
    page = inspect()
    answer = page.request.post(
        f"{server.inspector_url}/api/v1/stores/rps/commands", data={"command": "reset"},
        headers={"Origin": "http://example.org"})
    assert answer.status == 403


@pytest.mark.parametrize("size, scheme", LOOKS)
def test_each_view_fits_and_axe_finds_no_fault_in_it(open_tab, inspect, screenshot, size, scheme):
    game = open_tab()
    play(game, "Rock", "Paper")
    game.play_again()
    width, height = SIZES[size]
    page = inspect(viewport={"width": width, "height": height}, color_scheme=scheme)
    for view, path in VIEWS.items():
        # Another address each time, so what is there before is gone.
        page.goto(page.url.split("/rps")[0] + "/rps" + path)
        expect(page.locator(".tabs [aria-current]")).to_be_visible()
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{view} at {size}"
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        screenshot(type("Shown", (), {"page": page}), f"inspector-{view}-{size}-{scheme}")
