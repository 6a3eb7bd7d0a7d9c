# SPDX-License-Identifier: MIT
"""Everything goes wrong at once, for a while; then each tab shows what it has to.

Tabs are opened and closed, buttons pressed and links followed, while connections are cut, stalled,
and the server dies and comes back. At rest a tab shows what loading its address shows, its address is
where the server said that it is, and each action that was answered was dispatched once.

SOAK_SECONDS  for how long, 60 by default, shared by the apps
SOAK_SEED     what chance does, printed when it fails
"""

import os
import random
import signal
import time

import pytest
from browsing import end, free_port, run
from playwright.sync_api import Error
from proxy import Proxy
from stage import script

SECONDS = float(os.environ.get("SOAK_SECONDS", 60))

# Keeps what became of each post, also when the page is loaded again. One that has no result may have
# been dispatched.
WATCH = """
try {
    window.load = Math.random();
    window.posts = JSON.parse(sessionStorage.getItem("posts") ?? "{}");
    for (const post of Object.values(posts)) post.isPending = false;
} catch {
    window.posts = {};
}
const { fetch } = window;
window.fetch = async (address, options) => {
    if (options?.method !== "POST") return fetch(address, options);
    // What has gathered meanwhile goes together, and has an answer each, or one for all.
    const sent = [JSON.parse(options.body)].flat().map((body) => posts[body.request] ??= body);
    const keep = (news) => {
        sent.forEach((post, at) => Object.assign(post, news(at), { time: Date.now(), load }));
        sessionStorage.setItem("posts", JSON.stringify(posts));
    };
    keep(() => ({ isPending: true, began: Date.now() }));
    try {
        const answer = await fetch(address, options);
        const said = await answer.clone().json();
        keep((at) => {
            const { result, tab } = Array.isArray(said) ? said[at] ?? {} : said;
            return { result: result ?? "refused", place: tab };
        });
        return answer;
    } finally {
        keep(() => ({ isPending: false }));
    }
};
"""

# What is shown, and what loading the address shows. A document has ids of requests, and doesn't know
# what is behind its screen: a sheet is a screen by itself there.
SHOWN = """async () => {
    const text = root => {
        const copy = root.cloneNode(true);
        for (const field of copy.querySelectorAll("[name=request]")) field.removeAttribute("value");
        for (const name of ["tabindex", "disabled"]) {
            for (const element of copy.querySelectorAll(`[${name}]`)) element.removeAttribute(name);
        }
        return copy.innerHTML.replace(/\\s+/g, " ").replace(/> </g, "><");
    };
    const answer = await fetch(location.href);
    const loaded = new DOMParser().parseFromString(await answer.text(), "text/html");
    const values = root => [...root.querySelectorAll("main input:not([name=request], [name=q])")]
        .map(input => input.value);
    return {
        load, posts: Object.values(posts), url: location.pathname + location.search,
        status: document.querySelector("[data-status]").textContent,
        isComparable: answer.ok && !document.querySelector("dialog"), trail: history.state?.trail ?? [],
        shown: [text(document.querySelector("main")), document.title, values(document)],
        loaded: [text(loaded.querySelector("main")), loaded.title, values(loaded)],
        // The address doesn't say which picture it is: a sheet over it has its own.
        picture: document.querySelector("button[name=picture]")?.value,
        output: document.querySelector("output")?.textContent,
        counts: [...document.querySelectorAll("li[data-row]")].map(row =>
            [row.dataset.row, row.querySelectorAll("button")[1].textContent]),
    };
}"""


class Soak:
    """One app behind a proxy, its visitors' tabs, and what they did since the last start."""

    def __init__(self, chromium, chance, fault=None, patience=60):
        self.chromium, self.chance, self.patience = chromium, chance, patience
        self.script = fault and script(self.hasRoutes, fault)
        self.port = free_port()
        self.proxy = Proxy(self.port)
        self.tabs, self.complaints = [], []
        self.gone = []  # the contexts of tabs that were closed, with their posts
        self.process = None
        self.restart()

    def restart(self):
        if self.process:
            end(self.process, self.chance.choice([signal.SIGTERM, signal.SIGKILL]))
            self.proxy.cut()  # what the old one answered and didn't arrive is lost
        self.started = time.time() * 1_000
        self.process, _ = run(self.variable, "--port", str(self.port), *self.arguments)

    def open(self):
        beside = self.chance.choice(self.tabs) if self.tabs and self.chance.random() < 0.6 else None
        neighbours = sum(tab.context == beside.context for tab in self.tabs) if beside else 0
        # All tabs are seen here, and a browser has six connections to a site for their streams and the rest.
        context = beside.context if 0 < neighbours < 4 else self.enter()
        tab = context.new_page()
        tab.set_default_timeout(5_000)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.add_init_script(WATCH)
        self.tabs.append(tab)
        self.attempt(lambda: tab.goto(self.proxy.url + self.chance.choice(self.paths)))

    def enter(self):
        """A browser of somebody else."""
        context = self.chromium.new_context()
        if self.script:
            context.route("**/onward.js*", lambda route: route.fulfill(
                body=self.script, content_type="text/javascript; charset=utf-8"))
        return context

    def close(self, tab):
        posts = self.attempt(lambda: tab.evaluate("Object.values(posts)"))
        if posts is None:
            return  # what it posted isn't known
        self.tabs.remove(tab)
        self.gone.append((tab.context, posts))
        tab.close()

    def attempt(self, act):
        """What somebody tries may fail while everything does."""
        try:
            return act()
        except Error:
            return None

    def press(self, tab, selector):
        count = tab.locator(selector).count()
        if count:
            tab.locator(selector).nth(self.chance.randrange(count)).click(timeout=500)

    def suffer(self):
        kind = self.chance.choice(["cut", "stall", "restart"])
        if kind == "cut":
            self.proxy.cut()
        elif kind == "stall":
            self.proxy.stall(self.chance.uniform(0.1, 2))
        else:
            self.restart()

    def rest(self):
        """Waits until all tabs show what they have to."""
        self.proxy.resume()
        deadline = time.time() + self.patience
        while wrong := self.find_fault():
            assert time.time() < deadline, wrong
            time.sleep(0.2)

    def find_fault(self):
        seen = {}
        for tab in self.tabs:
            seen[tab] = self.attempt(lambda: tab.evaluate(SHOWN))
            if seen[tab] is None:  # the browser shows that it found no server
                self.attempt(lambda: tab.goto(self.proxy.url + self.chance.choice(self.paths)))
                return "A tab can't be asked."
        posts = [(tab.context, post) for tab in self.tabs for post in seen[tab]["posts"]]
        posts += [(context, post) for context, posts in self.gone for post in posts]
        posts = [(context, post) for context, post in posts if post["time"] > self.started]
        # What was asked before the start may have been answered by the program before.
        for _, post in posts:
            if post["began"] < self.started:
                post["result"] = None
        for tab in self.tabs:
            ours = [post for context, post in posts if self.isShared or context == tab.context]
            if wrong := self.examine(seen[tab]) or self.compare(seen[tab], ours):
                return wrong
        return None

    def examine(self, seen):
        if "reconnecting" in seen["status"] or any(post["isPending"] for post in seen["posts"]):
            return f"A tab isn't at rest: {seen['status']}"
        if seen["isComparable"] and seen["shown"] != seen["loaded"]:
            return f"{seen['url']} shows\n{seen['shown']}\nnot\n{seen['loaded']}"
        places = [post["place"] for post in seen["posts"]
                  if post.get("place") and post["load"] == seen["load"]]
        last = max(places, key=lambda place: place["version"], default=None)
        if last and last["routes"][-1] != seen["url"]:
            return f"A tab is at {last['routes']}, its address is {seen['url']}"
        trail = seen["trail"]
        if trail[-1:] not in ([], [seen["url"]]):
            return f"The history of {seen['url']} ends with {trail[-1]}"
        # Who goes back to the screen before goes to its entry.
        if any(url == following for url, following in zip(trail, trail[1:])):
            return f"In the history a screen follows itself: {trail}"
        return None

    @staticmethod
    def bound(posts, number):
        """Whether a number is how often something was dispatched, as far as somebody knows."""
        sure = sum(post.get("result") == "dispatched" for post in posts)
        unsure = sum(post.get("result") is None for post in posts)
        return sure <= number <= sure + unsure

    def run(self, seconds):
        finished, rounds = time.time() + seconds, 0
        while rounds == 0 or time.time() < finished:
            rounds += 1
            for _ in range(self.chance.randrange(5, 25)):
                if len(self.tabs) < 2 or (len(self.tabs) < 6 and self.chance.random() < 0.1):
                    self.open()
                elif self.chance.random() < 0.05:
                    self.close(self.chance.choice(self.tabs))
                elif self.chance.random() < 0.15:
                    self.suffer()
                else:
                    tab = self.chance.choice(self.tabs)
                    self.attempt(lambda: self.act(tab))
                    if self.chance.random() < 0.5:
                        time.sleep(0.3)  # somebody looks at what comes
            self.rest()
        assert self.complaints == []
        return rounds

    def finish(self):
        for context in {tab.context for tab in self.tabs} | {context for context, _ in self.gone}:
            context.close()
        self.proxy.close()
        end(self.process, signal.SIGKILL)


class GallerySoak(Soak):
    """Screens and moves, a store for each visitor; a picture's likes are those that were dispatched."""

    variable, arguments, isShared, hasRoutes = "GALLERY_BINARY", [], False, True
    paths = ["/", "/pictures/0", "/pictures/3", "/search?q=har", "/nowhere"]

    def act(self, tab):
        kind = self.chance.random()
        if kind < 0.3:
            self.press(tab, "text=Like")
        elif kind < 0.45:
            self.press(tab, "a[data-route]")
        elif kind < 0.6:
            self.press(tab, "text=Back")
        elif kind < 0.65:
            self.press(tab, "button:enabled")
        elif kind < 0.8:
            tab.evaluate(f"history.go({self.chance.choice([-1, -1, -2, 1])})")
        elif kind < 0.9:
            tab.get_by_label("Title").fill(self.chance.choice(["har", "ma", "&", "x y"]), timeout=500)
            self.press(tab, "text=Search")
        elif kind < 0.93:
            tab.reload()

    def compare(self, seen, posts):
        if seen["output"] is None:
            return None
        likes = [post for post in posts
                 if post.get("type") == "GalleryAction/like" and post["picture"] == seen["picture"]]
        if self.bound(likes, int(seen["output"])):
            return None
        return f"Picture {seen['picture']} has {seen['output']} likes, by {likes}"


class RowsSoak(Soak):
    """A list for everybody, whose rows come, go and move; each has been counted as often as it says."""

    variable, arguments, isShared, hasRoutes = "ROWS_BINARY", ["--count", "12"], True, False
    paths = ["/"]

    def act(self, tab):
        if self.chance.random() < 0.1:
            return tab.get_by_label("Title").nth(self.chance.randrange(5)).press("End", timeout=500)
        self.press(tab, self.chance.choice([
            "li button:nth-of-type(2)", "li button:nth-of-type(2)", "li button:nth-of-type(2)",
            "text=Insert", "text=Remove", "text=Raise"]))

    def compare(self, seen, posts):
        for row, count in seen["counts"]:
            counts = [post for post in posts
                      if post.get("type") == "RowAction/count" and post["id"] == row]
            # A page from before the start may count a row of then, before its number is given out again.
            if int(row) >= int(self.arguments[1]):
                counts = [{**post, "result": None} for post in counts if post.get("result") != "refused"]
            if not self.bound(counts, int(count)):
                return f"Row {row} has {count}, by {counts}"
        return None


@pytest.mark.parametrize("kind", [GallerySoak, RowsSoak])
def test_at_rest_each_tab_shows_what_it_has_to(chromium, kind):
    seed = int(os.environ.get("SOAK_SEED", random.randrange(1_000_000)))
    soak = kind(chromium, random.Random(seed))
    try:
        rounds = soak.run(SECONDS / 2)
    except AssertionError as error:
        raise AssertionError(f"SOAK_SEED={seed}: {error}") from error
    finally:
        soak.finish()
    print(f"{kind.__name__}: {rounds} rounds, SOAK_SEED={seed}")


# What a soak has to find, each in the script of its app: mostly within seconds.
FAULTS = [
    ("every fifth event is lost", RowsSoak,
     "const lines = data.split", "if (Math.random() < 0.2) return;\n      const lines = data.split"),
    ("a visit that has ended goes on", GallerySoak, "if (navigation) navigation.load();", "return;"),
    ("the address stays", GallerySoak, "if (url === here()) return;", "return;"),
    ("the history only grows", GallerySoak,
     "} else if (growth < 0 && before >= 0) {", "} else if (growth < -10) {"),
]


@pytest.mark.parametrize("kind, old, new", [pytest.param(*fault[1:], id=fault[0]) for fault in FAULTS])
def test_a_fault_in_the_script_is_found(chromium, kind, old, new):
    soak = kind(chromium, random.Random(7), fault=(old, new), patience=12)
    try:
        with pytest.raises(AssertionError):
            soak.run(120)
    finally:
        soak.finish()
