"""The tasks beside the explorables of attention: none is met at the start, each by what a reader can do."""

import re

import numpy as np
import pytest
from live_pages import look, settle
from test_position_tasks import met
from test_values import slide

from transformer_math.explorables import MasksExplorable


def presses(locator, *keys):
    for key in keys:
        locator.press(key)


def blind(figure):
    """A row that is not full is filled first, and emptied then."""
    for _ in range(2):
        figure.get_by_role("button", name="Switch the row").click()


def mask(figure, preset, size=None):
    figure.get_by_label("Mask", exact=True).select_option(preset)
    if size:
        slide(figure, "Tokens in a block", size)


MASKS = {0: blind, 1: lambda figure: mask(figure, "blocks", 1), 2: lambda figure: mask(figure, "everything")}  # fmt: skip


@pytest.mark.parametrize("task", MASKS)
def test_tasks_of_masks(show, task):
    figure = look(page := show("masks"))
    assert met(figure) == [False] * 3
    MASKS[task](figure)
    settle(page)
    assert met(figure)[task]


def test_masked_queries_that_see_nothing_are_no_twins(show):
    assert met(look(show(MasksExplorable(preset="nothing")))) == [False] * 3
