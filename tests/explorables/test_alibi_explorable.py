"""The heads with linear biases, live: Python's numbers, by controls and keys."""

import re

import numpy as np
import pytest
from live_pages import look, said, settle, slide
from test_values import ink

from transformer_math.explorables import AlibiExplorable
from transformer_math.explorables.position.alibi import N
from transformer_math.position import alibi_slopes


def field(figure, name):
    return figure.get_by_role("application", name=re.compile(name))


def assert_shows(figure, wanted):
    shown = ink(field(figure, "Weights").locator("canvas"), N, N)
    seen = np.tri(N, dtype=bool) if wanted.seen == "past" else np.ones((N, N), bool)
    np.testing.assert_allclose(np.where(seen, shown, 0), wanted.weights, atol=0.01)
    shown = ink(field(figure, "Biases").locator("canvas"), N, N)
    biases = wanted.bias / max(1, alibi_slopes(wanted.n_heads).max() * (N - 1))
    np.testing.assert_allclose(np.where(seen, shown, biases), biases, atol=0.01)
    says = figure.locator(".xp-says").inner_text()
    assert f"slope {wanted.slope:.4f}: " in says and f"{wanted.span:.1f} tokens" in says


@pytest.mark.parametrize("seed", range(3))
def test_random_heads(show, seed):
    rng = np.random.default_rng(seed)
    heads = int(rng.integers(1, 13))
    wanted = AlibiExplorable(
        n_heads=heads,
        head=int(rng.integers(heads)),
        contents=str(rng.choice(["random", "alike"])),
        seen=str(rng.choice(["past", "all"])),
    )
    assert_shows(look(show(wanted)), wanted)


def test_controls_lead_where_python_would(show):
    wanted, figure = AlibiExplorable(), look(page := show("alibi"))
    for trait, label, value in (
        ("n_heads", "Heads", 12),
        ("head", "Head in sight", 11),
        ("n_heads", "Heads", 3),
    ):
        setattr(wanted, trait, value)
        slide(figure, label, value)
        settle(page)
        assert_shows(figure, wanted)
    figure.get_by_role("radio", name="all tokens").check()
    figure.get_by_role("radio", name="all alike").check()
    settle(page)
    wanted.seen, wanted.contents = "all", "alike"
    assert_shows(figure, wanted)


def test_a_past_is_only_what_a_query_would_see_where_it_sees_all(show):
    figure = look(show(AlibiExplorable(seen="past"), AlibiExplorable(seen="all")))
    assert ": with contents alike and a long past, " in said(figure)
    figure = look(figure.page, 1)
    assert ": if it saw only a long past, with contents alike, " in said(figure)


def test_the_nearest_tokens_that_hold_nine_tenths_are_counted(show):
    wanted = AlibiExplorable(n_heads=8, head=0, contents="alike", row=13)
    near = np.cumsum(wanted.weights[13][::-1])
    count = int(np.searchsorted(near, 0.9)) + 1
    says = look(show(wanted)).locator(".xp-says").inner_text()
    assert f"Of query 13’s weight the nearest {count} hold as much" in says
