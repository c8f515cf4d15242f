"""What a step of an optimiser refuses, whichever it is."""

import numpy as np
import pytest

from transformer_math.training import AdamState, adagrad_step, adam_start, adam_step

b = {"b": np.array([1.0, 2.0])}


@pytest.mark.parametrize("odd", [np.nan, np.inf])
@pytest.mark.parametrize(
    "step",
    [
        lambda gradients: adam_step(b, gradients, adam_start(b), 0.1),
        lambda gradients: adagrad_step(b, gradients, b, 0.1),
    ],
    ids=["adam", "adagrad"],
)
def test_gradients_that_are_not_finite_are_refused(step, odd):
    with pytest.raises(ValueError, match=r"gradients hold NaN or infinity.*Fix: \S"):
        step({"b": np.array([0.3, odd])})
    step({"b": np.array([0.3, 1e150])})


def first_adam(parameters, gradients, **settings):
    return adam_step(parameters, gradients, adam_start(parameters), 0.1, **settings)


def first_adagrad(parameters, gradients, **settings):
    zeros = np.zeros_like(parameters)
    return adagrad_step(parameters, gradients, zeros, 0.1, **settings)


STEPS = pytest.mark.parametrize("step", [first_adam, first_adagrad])


@STEPS
@pytest.mark.parametrize(
    ("dtype", "fits", "too_large"),
    [(np.float32, 9e18, 1e22), (np.float64, 6e153, 1e200)],
)
def test_a_step_has_the_length_of_the_rate_or_is_refused(step, dtype, fits, too_large):
    zeros = np.zeros(2, dtype)
    moved, _ = step(zeros, np.array([fits, -fits], dtype))
    np.testing.assert_allclose(moved, [-0.1, 0.1], rtol=1e-5)
    with pytest.raises(ValueError, match=r"square is infinite.*Fix: clip_by_norm"):
        step(zeros, np.array([too_large, 0], dtype))


@STEPS
def test_many_gradients_whose_squares_are_finite_pass(step):
    many = np.full(1000, 9e18, np.float32)
    np.testing.assert_allclose(step(0 * many, many)[0], -0.1, rtol=1e-5)


@STEPS
def test_an_eps_that_vanishes_beside_the_gradients_is_refused(step):
    zeros = np.zeros(2, np.float32)
    for parameters in (np.zeros(2), zeros):
        with pytest.raises(ValueError, match=r"eps is 1e-60, .* Fix: eps = 1e-9"):
            step(parameters, zeros, eps=1e-60)
    assert np.isfinite(step(np.zeros(2), np.zeros(2), eps=1e-60)[0]).all()


@STEPS
def test_half_precision_is_refused(step):
    half = np.ones(2, np.float16)
    with pytest.raises(ValueError, match="else than float32 or float64"):
        step(half, half)


@STEPS
def test_an_eps_that_is_0_in_single_precision_is_refused(step):
    zeros = np.zeros(2, np.float32)
    with pytest.raises(ValueError, match=r"eps is 1e-60, which is 0.*Fix: eps"):
        step(zeros, zeros, eps=1e-60)
    assert step(zeros, zeros, eps=1e-40)[0].tolist() == [0, 0]
    assert step(np.zeros(2), np.zeros(2), eps=1e-60)[0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (AdamState(-1, 0 * b["b"], b["b"]), "state.step is -1; wanted a whole number"),
        (AdamState(1, b["b"], -9 * b["b"]), "a mean of squares below 0"),
        (AdamState(1, b["b"], np.inf * b["b"]), "holds NaN or infinity"),
        (AdamState(1, np.nan * b["b"], b["b"]), "holds NaN or infinity"),
    ],
)
def test_a_state_that_no_step_leaves_is_refused(state, words):
    with pytest.raises(ValueError, match=words):
        adam_step(b["b"], b["b"], state, 0.1)


@pytest.mark.parametrize("sums", [-1.0, np.inf, 1.7e308])
def test_sums_that_no_step_leaves_are_refused(sums):
    with pytest.raises(ValueError, match="a negative number, or one to which"):
        adagrad_step(b["b"], b["b"], np.full(2, sums), 0.1)


def test_adam_begins_with_zeros_of_their_own():
    start = adam_start(b)
    assert start.m["b"] is not start.v["b"] and start.m is not start.v
