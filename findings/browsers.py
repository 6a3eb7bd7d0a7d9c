# SPDX-License-Identifier: MIT
"""Evaluates a script in Debian's Chromium, Firefox and WebKit: prints a line each, `Chromium: ANSWER`.

usage: browsers.py FOLDER <SCRIPT     the script is a function's body that returns a text
"""

import json
import os
import subprocess
import sys

from selenium import webdriver
from websockets.sync.client import connect

PAGE = "data:text/html,<!doctype html><body>"
WEBKIT = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"


def in_chromium(script, folder):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", f"--user-data-dir={folder}/chromium"):
        options.add_argument(argument)
    with webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver")) as browser:
        browser.get(PAGE)
        return browser.execute_script(script)


def in_webkit(script, folder):
    options = webdriver.WebKitGTKOptions()
    options.binary_location = WEBKIT
    options.add_argument("--automation")
    with webdriver.WebKitGTK(options, webdriver.WebKitGTKService("/usr/bin/WebKitWebDriver")) as browser:
        browser.get(PAGE)
        return browser.execute_script(script)


def in_firefox(script, folder):
    """Debian has no geckodriver, but Firefox speaks WebDriver BiDi itself."""
    os.mkdir(f"{folder}/firefox")
    firefox = subprocess.Popen(
        ["firefox-esr", "--headless", "--no-remote", "--profile", f"{folder}/firefox", "--remote-debugging-port", "0"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line.split()[-1] for line in firefox.stderr if "WebDriver BiDi listening" in line)
        with connect(address + "/session", max_size=None) as socket:
            def call(method, **parameters):
                socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
                while (answer := json.loads(socket.recv())).get("id") != 1:
                    pass
                return answer["result"]

            call("session.new", capabilities={})
            context = call("browsingContext.create", type="tab")["context"]
            return call("script.evaluate", expression="(() => {" + script + "})()", target={"context": context},
                        awaitPromise=True)["result"]["value"]
    finally:
        firefox.terminate()
        firefox.wait()


text = sys.stdin.read()
for name, evaluate in (("Chromium", in_chromium), ("Firefox", in_firefox), ("WebKit", in_webkit)):
    print(f"{name}: {evaluate(text, sys.argv[1])}", flush=True)
