# SPDX-License-Identifier: MIT
"""How well the texts of a page can be read."""

CONTRASTS = """
overlay => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const paint = colours => {
        pen.clearRect(0, 0, 1, 1);
        for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
        return [...pen.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => [r, g, b]
        .map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
        if (!text || !element.checkVisibility({ visibilityProperty: true })) continue;
        if (element.closest(".unseen, :disabled")) continue;
        const grounds = [];
        for (let e = element; e; e = e.parentElement) {
            if (overlay && e === document.body) grounds.unshift(overlay);
            grounds.unshift(getComputedStyle(e).backgroundColor);
            if (e.localName === "dialog") break;
        }
        const behind = paint(["#fff", ...grounds]);
        const front = paint([`rgb(${behind.slice(0, 3)})`, getComputedStyle(element).color]);
        const [dark, bright] = [light(behind), light(front)].sort((a, b) => a - b);
        found.push([text, (bright + .05) / (dark + .05)]);
    }
    return found;
}
"""


def contrasts(page, overlay=None):
    """Each text that can be seen, with its contrast to what is behind it (WCAG 2.2, 1.4.3).

    `overlay` is a colour that something paints over the page's background.
    """
    return page.evaluate(CONTRASTS, overlay)
