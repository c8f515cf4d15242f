"""The words that change places, live: pointer and keyboard, and Python's numbers."""

import re

import numpy as np
import pytest
from live_pages import look, settle

from transformer_math.explorables import EquivarianceExplorable
from transformer_math.explorables.position.equivariance import LARGEST, WORDS

N = len(WORDS)


def word(figure, w):
    return figure.get_by_role("slider", name=re.compile(f"at first in place {w}:"))


def drawn(figure, part):
    """The ink of the columns, by word: 0 is now, 1 at first."""
    return figure.evaluate(
        """(figure, part) => [...figure.querySelectorAll('svg > g')].filter(g => g.querySelectorAll('.xp-map').length === 2)
          .map(g => [...g.querySelectorAll('.xp-map')[part].children].map(r => Number(r.getAttribute('fill-opacity'))))""",
        part,
    )


def assert_shows(figure, wanted):
    for part, rows in ((0, wanted.outputs), (1, wanted.before)):
        whole = np.vstack([rows, rows.mean(axis=0)])
        strength = np.minimum(1, np.abs(whole) / LARGEST)
        np.testing.assert_allclose(drawn(figure, part), strength, atol=6e-4)
    for place, w in enumerate(wanted.order):
        assert word(figure, w).get_attribute("aria-valuenow") == str(place)
    texts = figure.locator("svg > g > text").all_text_contents()
    for change in (*wanted.changes, wanted.mean_change):
        assert f"{change:.2f}" in texts


@pytest.mark.parametrize("given", ["nothing", "sinusoids", "mask"])
@pytest.mark.parametrize("seed", range(2))
def test_random_orders(show, given, seed):
    order = np.random.default_rng(seed).permutation(N).tolist()
    wanted = EquivarianceExplorable(order=order, given=given)
    assert_shows(look(show(wanted)), wanted)


def test_keys_and_buttons_lead_where_python_would(show):
    wanted, figure = EquivarianceExplorable(), look(page := show("equivariance"))
    figure.get_by_role("radio", name="sinusoids").check()
    wanted.given = "sinusoids"
    for w, key, order in (
        (1, "ArrowRight", [0, 2, 1, 3, 4]),
        (4, "Home", [4, 0, 2, 1, 3]),
        (0, "End", [4, 2, 1, 3, 0]),
        (0, "ArrowLeft", [4, 2, 1, 0, 3]),
    ):
        word(figure, w).focus()
        page.keyboard.press(key)
        settle(page)
        wanted.order = order
        assert_shows(figure, wanted)
    for name, order in (
        ("Reverse", [3, 0, 1, 2, 4]),
        ("Man bites dog", [0, 4, 2, 3, 1]),
        ("As it was", [0, 1, 2, 3, 4]),
    ):
        figure.get_by_role("button", name=name).click()
        settle(page)
        wanted.order = order
        assert_shows(figure, wanted)


def test_a_word_is_dragged_to_another_place(show):
    figure = look(page := show("equivariance"))
    start, goal = (word(figure, w).bounding_box() for w in (1, 4))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + 20, goal["y"] + 20, steps=5)
    page.mouse.up()
    settle(page)
    assert_shows(figure, EquivarianceExplorable(order=[0, 2, 3, 4, 1]))
    says = figure.locator(".xp-says").inner_text()
    assert says.startswith("“the bites the man dog”") and "only their places" in says


def test_an_order_with_a_word_twice_is_refused():
    with pytest.raises(ValueError, match=re.escape("each of 0..4 once")):
        EquivarianceExplorable(order=[0, 0, 1, 2, 3])
