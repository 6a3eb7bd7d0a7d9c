# SPDX-License-Identifier: MIT
"""Files go up with their action, once or not at all, and the page says how far and which."""

import pytest
from browsing import PATIENCE
from playwright.sync_api import expect

FORM = ('<form method="post" enctype="multipart/form-data" data-action{0}><input type="hidden" name="request" value="drawn">'
        '<label>Title <input name="title"></label><label>Picture <input type="file" name="picture" multiple></label>{1}'
        '<button name="type" value="A/add">Add</button></form><i>{2}</i>')
OWN = '<progress data-upload hidden aria-label="Sending"></progress><button type="button" data-upload-cancel hidden>Stop</button>'
SMALL, LARGE = b"blue", b"x" * 900_000


def page(attributes="", inside="", number=0):
    return f'<main><!--fragments--><div data-fragment="a">{FORM.format(attributes, inside, number)}</div></main>'


def choose(tab, *files):
    tab.locator("[name=picture]").set_input_files(
        [{"name": name, "mimeType": "image/png", "buffer": content} for name, content in files])


def add(tab):
    tab.get_by_role("button", name="Add").click()


def chosen(tab):
    return tab.evaluate("[...document.querySelector('[name=picture]').files].map(file => file.name)")


def fields(post):
    return {name: value for name, value in post["body"] if name != "request"}


def test_the_files_go_up_behind_all_fields(open_tab, stage):
    tab = open_tab(body=page())
    tab.get_by_label("Title").fill("Sea, blue")
    choose(tab, ("sea.png", SMALL), ("é \"x\".png", b""))
    add(tab)
    post = stage.next_post()
    assert [name for name, _ in post["body"]] == ["type", "request", "title", "picture", "picture"]
    assert post["body"][0] == ("type", "A/add") and post["body"][2] == ("title", "Sea, blue")
    assert post["body"][3] == ("picture", ("sea.png", SMALL))
    assert post["headers"]["Onward-Order"].endswith("/1") and "json" in post["headers"]["Accept"]
    assert dict(post["body"])["request"] != "drawn"
    expect(tab.locator("[data-upload-note]")).to_have_count(0)


def test_without_a_file_the_form_is_like_any_other(open_tab, stage):
    tab = open_tab(body=page())
    tab.get_by_label("Title").fill("Sea")
    add(tab)
    post = stage.next_post()["body"]
    assert post.pop("request") and post == {"type": "A/add", "title": "Sea"}


@pytest.mark.parametrize("files, told", [
    ([("a", b"x" * 1_000_001)], {"name": "a", "size": 1_000_001, "of": 1}),
    ([("a", b"1")] * 4, [{"name": "a", "size": 1, "of": 4}] * 4),
])
def test_what_is_beyond_a_limit_isnt_sent_and_stays_chosen(open_tab, stage, files, told):
    tab = open_tab(body=page(" data-reset"))
    stage.answer = lambda post: (400, {"message": "Picture: Smaller.", "field": "picture", "hint": "Smaller."})
    choose(tab, *files)
    add(tab)
    assert stage.next_post()["body"]["picture"] == told
    expect(tab.get_by_role("alert")).to_have_text("Smaller.")
    expect(tab.locator("[name=picture]")).to_have_attribute("aria-invalid", "true")
    assert chosen(tab) == [name for name, _ in files]
    choose(tab, ("b", SMALL))
    expect(tab.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("attributes", ["", " data-reset"])
def test_a_file_that_is_refused_stays_chosen(open_tab, stage, attributes):
    tab = open_tab(body=page(attributes))
    stage.answer = lambda post: (413, {"message": "Picture: No.", "field": "picture", "hint": "No."})
    choose(tab, ("sea.png", SMALL))
    add(tab)
    expect(tab.get_by_role("alert")).to_have_text("No.")
    assert chosen(tab) == ["sea.png"]
    stage.answer = lambda post: (200, {"result": "dispatched"})
    stage.next_post()
    add(tab)
    assert fields(stage.next_post())["picture"] == ("sea.png", SMALL)
    expect(tab.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("inside", ["", OWN])
def test_the_page_shows_how_far_it_is_and_keeps_that_through_changes(open_tab, stage, inside):
    tab = open_tab(body=page("", inside))
    stage.reading.clear()
    choose(tab, ("sea.png", LARGE))
    add(tab)
    assert stage.arriving.get(timeout=PATIENCE) > len(LARGE)
    bar = tab.get_by_role("progressbar")
    expect(bar).to_be_visible()
    expect(bar).to_have_accessible_name("Sending" if inside else "Sending sea.png")
    stage.send({"key": "a", "html": FORM.format("", inside, 7)})
    expect(tab.locator("i")).to_have_text("7")
    expect(bar).to_be_visible()
    expect(tab.get_by_role("button", name="Stop" if inside else "Cancel sending sea.png")).to_be_visible()
    expect(tab.get_by_role("status").filter(has_text="Sending sea.png")).to_have_count(1)
    expect(tab.get_by_role("button", name="Add")).to_have_attribute("aria-busy", "true")
    assert chosen(tab) == ["sea.png"]
    stage.reading.set()
    stage.next_post()
    expect(tab.get_by_role("progressbar")).to_have_count(0)
    expect(tab.locator("[data-upload-note]")).to_have_count(0)


@pytest.mark.parametrize("inside, name", [("", "Cancel sending sea.png"), (OWN, "Stop")])
def test_what_is_cancelled_midway_is_not_done(open_tab, stage, inside, name):
    tab = open_tab(body=page("", inside), script="""
        // As on a slow network: what has gone up isn't everything.
        XMLHttpRequestUpload.prototype.addEventListener = ((add) => function (name, ...rest) {
            if (name !== "load") add.call(this, name, ...rest);
        })(XMLHttpRequestUpload.prototype.addEventListener);""")
    stage.reading.clear()
    choose(tab, ("sea.png", LARGE))
    add(tab)
    stage.arriving.get(timeout=PATIENCE)
    tab.get_by_role("button", name=name).click()
    expect(tab.locator("[data-status]")).to_have_text("Cancelled: nothing was sent.")
    expect(tab.get_by_role("progressbar")).to_have_count(0)
    expect(tab.get_by_role("button", name="Add")).to_be_focused()
    stage.reading.set()
    assert chosen(tab) == ["sea.png"]
    add(tab)
    assert fields(stage.next_post())["picture"][0] == "sea.png"


def test_what_the_server_may_have_cant_be_cancelled(open_tab, stage):
    tab = open_tab(body=page())
    stage.reading.clear()
    choose(tab, ("sea.png", SMALL))
    add(tab)
    stage.arriving.get(timeout=PATIENCE)
    expect(tab.get_by_role("button", name="Cancel")).to_be_disabled()
    stage.reading.set()
    stage.next_post()


def test_what_is_done_meanwhile_arrives_behind_it(open_tab, stage):
    other = '<form method="post" data-action><button name="type" value="A/like">Like</button></form>'
    tab = open_tab(body=page(" data-reset") + other)
    stage.reading.clear()
    choose(tab, ("sea.png", LARGE))
    add(tab)
    stage.arriving.get(timeout=PATIENCE)
    assert chosen(tab) == []
    tab.get_by_role("button", name="Like").click()
    choose(tab, ("second.png", SMALL))
    add(tab)
    stage.settle(tab)
    assert stage.posts.empty()
    stage.reading.set()
    posts = [stage.next_post() for _ in range(3)]
    assert [fields(posts[0])["picture"][0], posts[1]["body"]["type"], fields(posts[2])["picture"][0]] == [
        "sea.png", "A/like", "second.png"]
    assert [post["headers"]["Onward-Order"].split("/")[1] for post in posts] == ["1", "2", "3"]


def test_a_lost_connection_is_tried_again_with_the_same_request(open_tab, stage):
    tab = open_tab(body=page(" data-reset"))
    stage.loses_uploads = 2
    choose(tab, ("sea.png", LARGE))
    add(tab)
    post = stage.next_post()
    assert fields(post)["picture"] == ("sea.png", LARGE)
    assert post["headers"]["Onward-Order"].endswith("/1")
    expect(tab.locator("[data-upload-note]")).to_have_count(0)
    stage.settle(tab)
    assert stage.posts.empty()


def test_an_answer_of_503_is_tried_again(open_tab, stage):
    tab = open_tab(body=page())
    answers = [(503, {"message": "Later."}, {"Retry-After": "0.1"}), (200, {"result": "dispatched"})]
    stage.answer = lambda post: answers.pop(0)
    choose(tab, ("sea.png", SMALL))
    add(tab)
    one, other = stage.next_post(), stage.next_post()
    assert dict(one["body"])["request"] == dict(other["body"])["request"]


def test_a_double_click_sends_once(open_tab, stage):
    tab = open_tab(body=page())
    choose(tab, ("sea.png", LARGE))
    tab.get_by_role("button", name="Add").dblclick()
    stage.next_post()
    stage.settle(tab)
    assert stage.posts.empty()


def test_the_next_page_says_what_became_of_files_that_were_under_way(open_tab, stage):
    tab = open_tab(body=page())
    stage.reading.clear()
    choose(tab, ("sea.png", SMALL))
    add(tab)
    stage.arriving.get(timeout=PATIENCE)
    expect(tab.get_by_role("button", name="Cancel")).to_be_disabled()
    stage.drops_answers = True
    tab.reload()
    expect(tab.locator("[data-status]")).to_have_text(
        "The files were sent, but no answer came. Please look whether that was done.")
    stage.reading.set()
