"""The factory of gradient checks: it passes a right twin, and finds what gradients get wrong."""

import numpy as np
import pytest
import torch

from transformer_math.checks import gradients, prove, recording, registry


def times(x, W):
    """A product and its pullback, as twins of functions will be."""
    return x @ W, lambda gradient: (gradient @ W.T, x.T @ gradient)


def forgets_x(x, W):
    return x @ W, lambda gradient: (gradient * 0 @ W.T, x.T @ gradient)


def ignores_the_gradient(x, W):
    return x @ W, lambda gradient: (
        np.ones_like(gradient) @ W.T,
        x.T @ np.ones_like(gradient),
    )


def wrong_value(x, W):
    return x @ W + 1, lambda gradient: (gradient @ W.T, x.T @ gradient)


LAST = {}


def answers_for_the_last(x, W):
    value, LAST["pullback"] = times(x, W)
    return value, lambda gradient: LAST["pullback"](gradient)


def draw(rng):
    n, d = rng.integers(1, 5, size=2)
    return rng.normal(size=(n, d)), rng.normal(size=(d, d))


@pytest.fixture
def checks(monkeypatch):
    monkeypatch.setattr(registry, "REGISTRY", {})

    def made(target):
        return gradients.check_gradient(target, "eq-none", torch.matmul, draw)

    return made


def test_a_right_twin_passes_and_every_wrong_version_is_found(checks):
    autograd, differences = checks(times)
    gradients.reject_careless_inputs(autograd, ("x", "W"), matrices=("W",))
    assert len(autograd.wrong_versions) == 5
    assert prove(autograd).holds
    assert prove(differences).holds
    assert registry.REGISTRY.keys() == {
        "times_pulls_back_as_autograd",
        "times_follows_finite_differences",
    }


@pytest.mark.usefixtures("checks")
def test_a_pullback_answers_for_its_own_inputs():
    autograd, _ = gradients.check_gradient(
        times, "eq-none", torch.matmul, lambda rng: tuple(rng.normal(size=(2, 2, 2)))
    )
    with pytest.raises(recording.Fault, match="inputs of a later call"):
        autograd.error(answers_for_the_last, autograd.cases - 1)


@pytest.mark.parametrize("twin", [forgets_x, ignores_the_gradient])
def test_a_wrong_gradient_fails_both(checks, twin):
    assert [prove(check).outcome.failed_case is None for check in checks(twin)] == [
        False,
        False,
    ]


def test_a_wrong_value_fails(checks):
    assert prove(checks(wrong_value)[0]).outcome.failed_case is not None


def test_trees_of_parameters_have_gradients_too(monkeypatch):
    monkeypatch.setattr(registry, "REGISTRY", {})

    def twin(x, p):
        return x @ p["W"] + p["b"], lambda g: (
            g @ p["W"].T,
            {"W": x.T @ g, "b": g.sum(axis=0)},
        )

    def draw_tree(rng):
        x, W = draw(rng)
        return x, {"W": W, "b": rng.normal(size=W.shape[1])}

    for check in gradients.check_gradient(
        twin, "eq-none", lambda x, p: x @ p["W"] + p["b"], draw_tree
    ):
        assert prove(check).holds
