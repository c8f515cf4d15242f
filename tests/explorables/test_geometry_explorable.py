"""A query among keys in the plane, live: Python's numbers, by keys and by pointer, and tasks that notice."""

import numpy as np
import pytest
from figure_tasks import met
from live_pages import look, settle
from test_values import TABLE, written

from transformer_math.attention import scores
from transformer_math.explorables import GeometryExplorable


def arrow_of(figure, name):
    return figure.get_by_role("slider", name=f"{name}:")


def assert_shows(figure, wanted):
    Q, K = (np.reshape(x, (-1, 2)) for x in (wanted.query, wanted.key))
    cells = figure.locator(".xp-steps").evaluate(TABLE)
    for line, s, a in zip(cells, scores(Q, K)[0], wanted.weights, strict=True):
        assert line[3:] == [written(s), written(a)]
    output = ", ".join(written(x) for x in wanted.output)
    assert f"The output o is ({output})." in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize("seed", range(3))
def test_random_vectors(show, seed):
    rng = np.random.default_rng(seed)
    drawn = {"query": 2, "key": 8, "value": 8}
    state = {k: rng.uniform(-2.6, 2.6, n).round(2).tolist() for k, n in drawn.items()}
    wanted = GeometryExplorable(**state)
    assert_shows(look(show(wanted)), wanted)


def test_angles_are_those_of_the_vectors(show):
    figure = look(show(GeometryExplorable(query=[1.0, 0.0], key=[2, 0, 1, 1, 0, 2, -1, 0.0])))  # fmt: skip
    assert [line[1] for line in figure.locator(".xp-steps").evaluate(TABLE)] == ["0°", "45°", "90°", "180°"]  # fmt: skip


def test_keys_and_pointer_move_a_vector(show):
    wanted, figure = GeometryExplorable(), look(page := show("geometry"))
    arrow_of(figure, "Key k₂").press("ArrowRight")
    arrow_of(figure, "Value v₁").press("ArrowDown")
    settle(page)
    wanted.key = [*wanted.key[:4], round(wanted.key[4] + 0.1, 2), *wanted.key[5:]]
    wanted.value = [*wanted.value[:3], round(wanted.value[3] - 0.1, 2), *wanted.value[4:]]  # fmt: skip
    assert_shows(figure, wanted)
    arrow_of(figure, "Query q").press("End")
    settle(page)
    wanted.query = [2.6, wanted.query[1]]
    assert_shows(figure, wanted)
    box = figure.locator("svg[role=group]").first.bounding_box()
    tip = arrow_of(figure, "Query q").locator(".xp-grip").bounding_box()
    page.mouse.move(tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    settle(page)
    wanted.query = [0.0, 0.0]
    assert_shows(figure, wanted)
    assert "none" in figure.locator(".xp-steps").inner_text()  # no direction, no angle


def test_a_task_is_ticked_when_it_is_met_and_stays_so(show):
    figure = look(page := show("geometry"))
    query = arrow_of(figure, "Query q")
    query.press("End")  # as far to the right as a query can point
    for _ in range(7):
        query.press("ArrowDown")
    settle(page)
    assert met(figure) == [1]
    query.press("Home")
    settle(page)
    assert "(done)" in figure.locator(".xp-goals li").nth(1).text_content()
    assert "Tasks done: 1 of 3." in figure.locator(".xp-says").inner_text()


@pytest.mark.parametrize(
    "state, task",
    [
        ({"query": [0.0, 0.0]}, 0),
        ({"query": [2.6, 0.0]}, 1),
        ({"query": [1.0, 0.0], "key": [0.5, 0, 2.0, 1, -1, 1, -1, -1]}, 2),
    ],
)
def test_each_task_can_be_met(show, state, task):
    assert task in met(look(show(GeometryExplorable(**state))))


def test_presses_that_come_before_a_frame_add_up(show):
    wanted, figure = GeometryExplorable(), look(page := show("geometry"))
    press = "(node, key) => node.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}))"
    arrow_of(figure, "Query q").evaluate(f"node => {{ for (let i = 0; i < 5; i += 1) ({press})(node, 'ArrowRight') }}")  # fmt: skip
    settle(page)
    wanted.query = [round(wanted.query[0] + 0.5, 2), wanted.query[1]]
    assert_shows(figure, wanted)
