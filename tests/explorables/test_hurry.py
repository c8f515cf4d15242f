"""A reader in a hurry: every control in turn, one input a frame, also while a model still computes."""

import pytest
from live_pages import CLASSES, NAMES, look

from benchmarks.explorables import PAGES, SCRIPT

EVENTS = 80


@pytest.mark.parametrize("name", NAMES)
def test_no_input_is_too_soon(show, name):
    """The page complains of nothing (its opener asserts it), and the figure goes on answering."""
    page = show(name)
    look(page)
    script = SCRIPT.read_text("utf-8").rstrip().removesuffix(";")
    asked = {"idea": CLASSES[name].idea, "events": EVENTS}
    result = page.evaluate(script, asked)
    assert result["answered"] > len(result["times"]) / 2 > EVENTS / 4


def test_every_explorable_is_measured():
    assert set(PAGES) == {cls.idea for cls in CLASSES.values()}
