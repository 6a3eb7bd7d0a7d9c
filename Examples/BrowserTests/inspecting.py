# SPDX-License-Identifier: MIT
"""What somebody does in an inspector's page."""

import re

from playwright.sync_api import expect


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def select(page, entry):
    """Chooses an entry of the list, and waits until the page is about it.

    Before, it follows the newest one, to which its buttons and links belong: one that a clock may have added, or the
    same one at a place that isn't its own. "Follow" is offered once an entry was chosen.
    """
    number = entry.locator(".id").inner_text()
    entry.get_by_role("link").click()
    expect(page.get_by_role("heading", name=re.compile(f"^{number} "))).to_be_visible()
    expect(page.get_by_role("link", name="Follow", exact=True)).to_be_visible()
