"""The tasks beside the explorables of positions: none is met at the start, each by what a reader can do."""

import pytest
from live_pages import look, settle
from test_values import slide

from transformer_math.explorables import RopeExplorable, SinusoidalExplorable


def met(figure):
    """Whether each task is ticked."""
    return figure.locator(".xp-goals li").evaluate_all("all => all.map(li => li.className === 'xp-met')")  # fmt: skip


def assert_only(figure, page, task):
    settle(page)
    assert met(figure) == [k == task for k in range(3)]


def press_times(figure, slider, key, times):
    for _ in range(times):
        figure.get_by_role("slider", name=slider).press(key)


def right_angle(figure, page):
    """Both to the right, then one up in steps of 5°."""
    for vector, key, times in (
        ("q", "Home", 1),
        ("k", "Home", 1),
        ("q", "ArrowRight", 18),
    ):
        press_times(figure, f"Vector {vector}", key, times)


ROPE = {
    0: lambda figure, page: slide(figure, "Move both together", 30),
    1: right_angle,
    2: lambda figure, page: slide(figure, "Plane", 3),
}


@pytest.mark.parametrize("task", ROPE)
def test_tasks_of_rope(show, task):
    figure = look(page := show(RopeExplorable(i=7, j=4)))
    assert met(figure) == [False] * 3
    ROPE[task](figure, page)
    assert_only(figure, page, task)


def test_a_query_that_moves_alone_changes_the_dot_product(show):
    figure = look(page := show("rope"))
    slide(figure, "Query’s position i", 30)
    assert_only(figure, page, None)


def far_and_alike(figure, page):
    """In four dimensions, positions 44 apart: seven turns of the fast clock, and hardly any of the slow one."""
    slide(figure, "Dimension drawn as a wave", 0)
    slide(figure, "Dimensions dmodel", 4)
    slide(figure, "Base", 5)
    press_times(figure, "Position p", "Home", 1)
    press_times(figure, "Position q", "PageUp", 2)
    press_times(figure, "Position q", "ArrowLeft", 4)


SINUSOIDAL = {
    0: lambda figure, page: slide(figure, "Dimension drawn as a wave", 40),
    1: lambda figure, page: slide(figure, "Base", 1),
    2: far_and_alike,
}


@pytest.mark.parametrize("task", SINUSOIDAL)
def test_tasks_of_waves(show, task):
    figure = look(page := show(SinusoidalExplorable(d_model=64)))
    assert met(figure) == [False] * 3
    SINUSOIDAL[task](figure, page)
    assert_only(figure, page, task)
