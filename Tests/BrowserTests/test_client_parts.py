# SPDX-License-Identifier: MIT
"""What the server says to be the scripts' own, patches leave alone; and scripts know what happens around it."""

import pytest
from playwright.sync_api import expect

MAP = ('<div id="map" data-client="children class style">Loading</div>'
       '<fancy-box id="box" data-client="ready"></fancy-box><p id="n">{}</p>')
FANCY = """customElements.define('fancy-box', class extends HTMLElement {
    connectedCallback() { this.setAttribute('ready', ''); this.setAttribute('other', ''); } })"""


def page(html):
    return f'<main><!--fragments--><div data-fragment="a">{html}</div></main>'


def draw(tab, stage, html):
    stage.send({"key": "a", "html": f"{html}<i>{stage.version}</i>"})
    expect(tab.locator("i")).to_have_text(str(stage.version - 1))


def test_a_patch_leaves_children_and_attributes_of_scripts_alone(open_tab, stage):
    tab = open_tab(body=page(MAP.format(1)), script=FANCY)
    tab.evaluate("""() => {
        map.className = 'map';
        map.style.position = 'relative';
        map.replaceChildren(document.createElement('canvas'), document.createElement('input'));
        map.querySelector('input').value = 'typed';
        map.lang = 'de';
    }""")
    for html in (MAP.format(2), f"<section>{MAP.format(3)}</section>", "<p>New</p>" + MAP.format(4)):
        draw(tab, stage, html)
        assert tab.evaluate("[map.className, map.style.position, map.children.length, map.lastChild.value]") == [
            "map", "relative", 2, "typed"]
        assert tab.evaluate("[box.hasAttribute('ready'), box.hasAttribute('other'), map.lang]")[0]
    # What has no mark is the server's.
    assert tab.evaluate("[box.hasAttribute('other'), map.lang]") == [False, ""]
    # Without the mark everything is.
    draw(tab, stage, '<div id="map" class="b">Text</div>')
    assert tab.evaluate("map.outerHTML") == '<div id="map" class="b">Text</div>'


@pytest.mark.parametrize("change", [
    '<ul data-client="children"><li>1</li></ul><input name="q" value="{}">',
    '<ul data-client="children *"><li>1</li></ul><input name="q" value="{}">',
    '<div contenteditable data-client="children">x</div><input name="q" value="{}">',
])
def test_fields_of_scripts_are_not_confused_with_the_servers(open_tab, stage, change):
    tab = open_tab(body=page(change.format("a")))
    tab.evaluate("""() => {
        const own = document.querySelector('[data-client]');
        own.innerHTML = '<input value="1"><select><option>2</option></select><textarea>3</textarea>';
        own.title = 'own';
        own.querySelector('input').value = 'typed';
    }""")
    draw(tab, stage, change.format("b"))
    expect(tab.locator("[name=q]")).to_have_value("b")
    found = tab.evaluate("[...document.querySelector('[data-client]').children].map(field => field.value)")
    assert found == ["typed", "2", "3"]
    assert tab.evaluate("document.querySelector('[data-client]').title") == ("own" if "*" in change else "")


def test_what_a_control_shows_may_be_the_scripts(open_tab, stage):
    html = ('<input id="v" data-client="value" value="{0}"><input id="c" type="checkbox" data-client="checked"{1}>'
            '<details id="d" data-client="open"{2}><summary>S</summary></details><input id="t" type="password" data-client="type">')
    tab = open_tab(body=page(html.format("a", "", "")))
    tab.evaluate("() => { v.value = 'own'; d.open = true; t.type = 'text'; }")
    draw(tab, stage, html.format("b", " checked", ""))
    assert tab.evaluate("[v.value, c.checked, d.open, t.type]") == ["own", False, True, "text"]


WATCH = """() => {
    window.seen = [];
    const note = (name) => (element, drawn) => seen.push([name, element.id, element.isConnected, drawn?.textContent].join(' ').trim());
    onward.watch('.chart', { mounted: note('mounted'), updated: note('updated'), removed: note('removed') });
}"""


def test_a_script_knows_what_comes_is_drawn_differently_and_goes(open_tab, stage):
    chart = '<div id="{0}" class="chart" data-client="children style">{1}</div>'
    tab = open_tab(body=page(chart.format("a", "1")))
    tab.evaluate(WATCH)
    tab.evaluate("() => { a.replaceChildren('drawn'); a.style.height = '9px'; }")
    seen = lambda: tab.evaluate("seen.splice(0)")
    assert seen() == ["mounted a true"]
    draw(tab, stage, chart.format("a", "1") + "<p>Other</p>")
    assert seen() == []
    draw(tab, stage, chart.format("a", "2"))
    assert seen() == ["updated a true 2"]
    assert tab.evaluate("a.textContent") == "drawn"
    draw(tab, stage, chart.format("b", "3") + f"<section>{chart.format('a', '2')}</section>")
    assert seen() == ["mounted b true"]
    draw(tab, stage, chart.format("b", "3"))
    assert seen() == ["removed a false"]
    stage.send({"keys": []})
    tab.wait_for_function("() => seen.length")
    assert seen() == ["removed b false"]


def test_a_script_that_fails_leaves_the_page_alone(open_tab, stage):
    tab = open_tab(body=page('<p class="x">1</p>'))
    tab.evaluate("""() => {
        onward.watch('.x', { mounted() { throw Error('mine'); }, updated() { throw Error('mine'); } });
        window.stop = onward.watch('.x', { updated(element) { document.title = element.textContent; } });
    }""")
    draw(tab, stage, '<p class="x">2</p>')
    assert tab.title() == "2"
    assert tab.evaluate("performance.getEntriesByType('resource').filter(e => e.name.includes('events')).length") <= 1
    tab.evaluate("stop()")
    draw(tab, stage, '<p class="x">3</p>')
    assert tab.title() == "2"
    assert tab.complaints and all("mine" in complaint for complaint in tab.complaints)
    tab.complaints.clear()
