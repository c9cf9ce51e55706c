"""How many presses a task takes: a click, a touch, a choice in a list, Enter and a shortcut are one each."""

from playwright.sync_api import Locator, Page

_IS_TYPED_INTO = "() => document.activeElement.matches('textarea, input:not([type=checkbox], [type=radio])')"
_MOST_TABS = 30


class Presses:
    """The only hands of a task, so that none of its presses is forgotten; typing and Tab are none."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, target: Locator) -> None:
        """Click or touch."""
        target.click()
        self.count += 1

    def choose(self, target: Locator, label: str) -> None:
        """Choose in a select."""
        target.select_option(label=label)
        self.count += 1

    def key(self, keys: str) -> None:
        """Enter, or a shortcut."""
        self.page.keyboard.press(keys)
        self.count += 1

    def type(self, text: str) -> None:
        """Type into the field that has the focus."""
        self.page.wait_for_function(_IS_TYPED_INTO)
        self.page.keyboard.type(text)

    def fill_in(self, field: str, text: str) -> None:
        """Reach a field with Tab, and type."""
        for _ in range(_MOST_TABS):
            if self.page.evaluate("document.activeElement.name") == field:
                return self.type(text)
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {field}")

    def find(self, text: str, option: str) -> None:
        """Look for something by the search over everything, and open it."""
        self.key("Control+k")
        self.type(text)
        self.page.locator("[role=option][aria-selected=true]").filter(has_text=option).wait_for()
        self.key("Enter")
