"""Every differentiable function of the book has a twin in `gradient`, or a reason why it needs none."""

import numpy as np
import pytest
from abouts import told
from examples import EXAMPLES

from transformer_math import gradient
from transformer_math.attention import blockwise_attention, concat_heads, split_heads
from transformer_math.trees import leaves

# Text has no gradients, and a training step is not differentiated; what it learns from, the objective, is.
WITHOUT = ("tokenization", "gradient", "training")
OBJECTIVE = "transformer_math.training.objective"


def has_real_numbers(arguments):
    """Whether something goes in that could be moved a little."""
    return any(
        isinstance(x, float) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")
        for value in arguments.values()
        for x in leaves(value).values()
    )


def is_differentiated(function):
    """Whether a function belongs to what is learned: to a step, the model or the objective."""
    group = function.__module__.split(".")[1]
    return group not in WITHOUT or function.__module__ == OBJECTIVE


FUNCTIONS = [f for f in EXAMPLES if is_differentiated(f)]
EXCUSED = {f.__name__ for f in told("NO_TWIN") if f in FUNCTIONS}
SMOOTH = sorted(f.__name__ for f in FUNCTIONS if has_real_numbers(EXAMPLES[f]))


def test_the_list_holds_the_functions_of_all_groups():
    assert len(SMOOTH) > 50
    assert {f.__name__ for f in FUNCTIONS} >= {"rope", "swiglu", "embed", "perplexity"}


@pytest.mark.parametrize("name", SMOOTH)
def test_a_function_of_real_numbers_has_a_twin_or_a_reason(name):
    fix = "write its twin, or the reason into NO_TWIN of tests/<group>/about_<idea>.py"
    assert hasattr(gradient, f"{name}_vjp") != (name in EXCUSED), fix


def test_no_reason_is_given_for_what_is_not_there():
    assert set(SMOOTH) >= EXCUSED


def example(name):
    return next(EXAMPLES[f] for f in FUNCTIONS if f.__name__ == name)


def test_attention_block_by_block_has_the_value_of_the_twin():
    arguments = example("blockwise_attention")
    shared = {key: value for key, value in arguments.items() if key != "block"}
    value, _ = gradient.attention_vjp(**shared)
    np.testing.assert_allclose(blockwise_attention(**arguments), value, atol=1e-12)


def test_splitting_and_joining_heads_pull_back_by_each_other():
    rng = np.random.default_rng(0)
    x, heads = rng.normal(size=(2, 5, 6)), rng.normal(size=(2, 3, 5, 2))
    there = np.vdot(split_heads(x, 3), heads)
    assert there == pytest.approx(np.vdot(x, concat_heads(heads)), abs=1e-12)


@pytest.mark.parametrize("name", ["transformer", "encoder_decoder"])
def test_the_last_softmax_follows_the_twin_of_the_logits(name):
    function = next(f for f in FUNCTIONS if f.__name__ == name)
    logits, _ = getattr(gradient, f"{name}_logits_vjp")(**example(name))
    p, _ = gradient.probabilities_vjp(logits)
    np.testing.assert_allclose(function(**example(name)), p, atol=1e-12)
