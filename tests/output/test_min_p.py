"""What min-p keeps, beyond the two equations: what temperature does to the choice, and tokens that are drawn."""

import numpy as np
import pytest
from bad_input import assert_refused

from transformer_math.output import min_p, min_p_from_logits, probabilities, sample

rng = np.random.default_rng(7)
LOGITS = rng.normal(size=(50, 40)) * 3


@pytest.mark.parametrize("temperature", [0.25, 0.5, 2.0, 4.0])
def test_a_share_at_a_temperature_is_its_power_at_a_temperature_of_1(temperature):
    hot = min_p_from_logits(LOGITS, 0.5, temperature) > 0
    assert np.array_equal(hot, min_p_from_logits(LOGITS, 0.5**temperature) > 0)
    assert not np.array_equal(hot, min_p_from_logits(LOGITS, 0.5) > 0)


@pytest.mark.parametrize("share", [0.0, 1e-200, 0.1, 1.0])
def test_twice_is_as_good_as_once(share):
    once = min_p(probabilities(LOGITS), share)
    assert np.allclose(min_p(once, share), once, rtol=0, atol=1e-15)


def test_a_larger_share_keeps_fewer_tokens_and_never_none():
    kept = [min_p_from_logits(LOGITS, share) > 0 for share in (0, 0.01, 0.1, 0.5, 1)]
    assert all((less <= more).all() for more, less in zip(kept, kept[1:]))
    assert kept[0].all()
    assert (kept[-1].sum(axis=-1) == 1).all()


def test_a_share_of_1_near_a_temperature_of_0_is_the_greedy_choice():
    p = min_p_from_logits(LOGITS * 1e200, 1.0, 1e-3)
    assert np.array_equal(p, np.eye(40)[LOGITS.argmax(axis=-1)])


def test_what_is_cut_is_never_drawn():
    x = np.array([3.0, 2.0, -1.0, -np.inf])
    ids = sample(
        lambda ids: x,
        np.array([0]),
        500,
        np.random.default_rng(0),
        lambda x: min_p_from_logits(x, 0.2),
    )
    assert set(ids.tolist()) == {0, 1}


@pytest.mark.parametrize("share", [-0.1, 1.5, np.nan, "0.1", None])
def test_what_is_no_share_is_refused(share):
    assert_refused(lambda: min_p(np.array([0.5, 0.5]), share), ["p_base"])


def test_rows_without_a_possible_token_are_refused():
    with pytest.raises(ValueError, match=r"nothing but -inf.*Fix: \S"):
        min_p_from_logits(np.array([[0.0, 1.0], [-np.inf, -np.inf]]), 0.1)
