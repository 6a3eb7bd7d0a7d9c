# SPDX-License-Identifier: MIT
"""What a page looks like to those who see it in another way: in forced colours, at large text, on a phone."""

import base64

SCHEMES = ["light", "dark"]
WIDTHS = [320, 390, 768, 1280]
SIZES = {"phone": (390, 844), "desktop": (1280, 800)}

# A window of 1280 by 1024, enlarged by the browser to four times its size (WCAG 2.2, 1.4.10).
ENLARGED = {"width": 320, "height": 256}

# A phone: no pointer that hovers, no keyboard.
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

COLOURS = """async (picture) => {
    const image = await createImageBitmap(await (await fetch(picture)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const counts = {};
    for (let at = 0; at < data.length; at += 4) {
        const colour = data.slice(at, at + 3).join();
        counts[colour] = (counts[colour] ?? 0) + 4 / data.length;
    }
    return counts;
}"""


def colours(element):
    """The colours of an element as it is seen, each with its share of the element's area."""
    picture = base64.b64encode(element.screenshot(animations="disabled")).decode()
    page = element.page.context.browser.new_page()
    try:
        return page.evaluate(COLOURS, f"data:image/png;base64,{picture}")
    finally:
        page.context.close()


def difference(one, other):
    """How much of an area looks different: 0 for the same, 1 for nothing in common."""
    first, second = colours(one), colours(other)
    return 1 - sum(min(share, second.get(colour, 0)) for colour, share in first.items())


def drawn(element):
    """How much of an element's area isn't its ground: 0 for an empty one."""
    return 1 - max(colours(element).values())


def resize(page, width, height):
    """Gives a page a window of another size, and waits until it is drawn in it.

    Its script knows the size before its style does: what only the old width shows would still be found.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height])
    page.evaluate("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


def recolour(page, scheme):
    """Shows a page in light or dark colours, and waits until it has them."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("scheme => matchMedia(`(prefers-color-scheme: ${scheme})`).matches", arg=scheme)


def boxes(elements):
    """Where elements stand in the window, all at the same moment."""
    return elements.evaluate_all("all => all.map(element => element.getBoundingClientRect().toJSON())")


def enlarge(page, percent):
    """Sets the size of text as a reader does in the browser's settings, and returns how much a line grew."""
    size = "parseFloat(getComputedStyle(document.querySelector('button')).fontSize)"
    before = page.evaluate(size)
    page.context.new_cdp_session(page).send(
        "Page.setFontSizes", {"fontSizes": {"standard": 16 * percent // 100}})
    page.wait_for_function(f"before => {size} !== before", arg=before)
    return page.evaluate(size) / before


# Texts that are cut, or stand beyond the edge of the window, of their panel, or of a dialog that doesn't scroll to them.
CUT = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || element.closest(".unseen, noscript, [hidden]")) continue;
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const { left, right, top, bottom, width } = range.getBoundingClientRect();
        if (!width) continue;
        const text = walker.currentNode.data.trim();
        if (left < -1 || right > document.documentElement.clientWidth + 1) found.push([text, "beyond the window"]);
        for (let box = element; box && box !== document.documentElement; box = box.parentElement) {
            const style = getComputedStyle(box), frame = box.getBoundingClientRect();
            const isOut = (low, high, start, end) => low < start - 2 || high > end + 2;
            const isPanel = box !== document.body && style.backgroundColor !== "rgba(0, 0, 0, 0)";
            if (isPanel && style.overflow === "visible" && (isOut(left, right, frame.left, frame.right) || isOut(top, bottom, frame.top, frame.bottom))) {
                found.push([text, `beyond ${box.className || box.localName}`]);
            }
            if (style.overflowX === "hidden" || style.overflowX === "clip") {
                if (style.textOverflow !== "ellipsis" && isOut(left, right, frame.left, frame.right)) found.push([text, `cut by ${box.className || box.localName}`]);
            }
            if (style.overflowY === "hidden" || style.overflowY === "clip") {
                if (isOut(top, bottom, frame.top, frame.bottom)) found.push([text, `cut by ${box.className || box.localName}`]);
            }
            if (style.position === "fixed" && box.scrollHeight <= box.clientHeight && isOut(top, bottom, 0, innerHeight)) {
                found.push([text, "beyond the window, and not to be scrolled to"]);
            }
        }
    }
    return found;
}"""

# Pairs of texts and controls, neither of which is in the other, that stand over each other by more than an edge.
OVERLAPS = """() => {
    const dialog = document.querySelector("dialog[open]");
    const isSeen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
        && !e.closest(".unseen, noscript") && (!dialog || dialog.contains(e));
    const isText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    const all = [...document.querySelectorAll("body *")].filter((e) => isSeen(e) && (isText(e)
        || e.matches("button, a, input:not([type=hidden]), textarea, img")));
    const found = [];
    const name = (e) => e.id || e.className || e.textContent.trim().slice(0, 20) || e.localName;
    all.forEach((one, index) => {
        const a = one.getBoundingClientRect();
        for (const other of all.slice(index + 1)) {
            if (one.contains(other) || other.contains(one)) continue;
            const b = other.getBoundingClientRect();
            const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            const smaller = Math.min(a.width * a.height, b.width * b.height);
            if (width > 2 && height > 2 && width * height > 0.15 * smaller) found.push([name(one), name(other)]);
        }
    });
    return found;
}"""


def fits(page):
    """Fails where a text is cut or covered, or the page scrolls sideways."""
    cut, overlaps = page.evaluate(CUT), page.evaluate(OVERLAPS)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert (cut, overlaps, max(wide, 0)) == ([], [], 0), f"cut: {cut}, over each other: {overlaps}, too wide by {wide}"


def fits_enlarged(page):
    """Fails where a text is cut or covered in an `ENLARGED` window, in which the page is open, or at large text."""
    fits(page)
    for percent, width, height in [(200, 390, 844), (400, 1280, 900)]:
        resize(page, width, height)
        assert enlarge(page, percent) >= 0.75 * percent / 100
        fits(page)
        enlarge(page, 100)


def texts(page):
    """What is written on a page."""
    return page.evaluate("""() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (walker.nextNode()) {
            const element = walker.currentNode.parentElement;
            const style = getComputedStyle(element);
            const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
                && !element.closest(".unseen, noscript") && parseFloat(style.fontSize) > 0
                && style.color !== "rgba(0, 0, 0, 0)" && element.getBoundingClientRect().width > 0;
            if (isSeen && walker.currentNode.data.trim()) found.push(walker.currentNode.data.trim());
        }
        return found;
    }""")


EMOJI = r"""text => /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u.test(text)"""


def emoji(page):
    """The texts with signs that some machines have no font for."""
    return [text for text in texts(page) if page.evaluate(EMOJI, text)]
