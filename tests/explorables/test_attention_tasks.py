"""The tasks beside the explorables of attention: none is met at the start, each by what a reader can do."""

import pytest
from live_pages import look, settle
from test_position_tasks import met
from test_values import slide

from transformer_math.explorables import MasksExplorable


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


def choose(figure, label, index):
    figure.get_by_label(label, exact=True).select_option(index=index)


def certain(figure):
    """Under the causal mask the first query has one key."""
    figure.get_by_role("switch", name="causal mask").click()
    choose(figure, "Query", 0)


def one_back(figure):
    figure.get_by_role("radio", name="previous token").check()


SCALED = {0: certain, 1: one_back, 2: lambda figure: figure.get_by_label("Sentence").fill("whale whale whale")}  # fmt: skip


@pytest.mark.parametrize("task", SCALED)
def test_tasks_of_attention(show, task):
    figure = look(page := show("scaled_dot_product"))
    assert met(figure) == [False] * 3
    SCALED[task](figure)
    settle(page)
    assert met(figure)[task]
