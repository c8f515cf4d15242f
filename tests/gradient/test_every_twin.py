"""Every differentiable function of the book has a twin in `gradient`, or a reason why it needs none."""

import sys
from inspect import isroutine

import numpy as np
import pytest
from conftest import ROOT

from transformer_math import attention, block, embedding, gradient, model, output
from transformer_math import position as positions
from transformer_math.attention import concat_heads, split_heads
from transformer_math.training import objective
from transformer_math.trees import leaves

sys.path.insert(0, str(ROOT / "tests" / "contract"))
from function_examples import EXAMPLES

GROUPS = (embedding, positions, attention, block, output, model)

NO_TWIN = {
    "counted from a text once, before anything is learned": {
        *("ppmi", "word_vectors", "letters_vector", "nearest_words"),
    },
    "made of sizes, of positions and of a base, all of them given": {
        *("frequencies", "wavelengths", "sinusoidal", "sinusoidal_at"),
        *("shift_matrix", "position_similarity", "dot_product_variance"),
    },
    "describes what was computed, for somebody to look at": {
        *("entropy", "score_terms", "encoder_attention", "decoder_attention"),
        *("count_operations", "count_parameters"),
    },
    "is a derivative itself": {"softmax_jacobian"},
    "a slope that a twin has inside: the bell curve of gelu_vjp": {"erf"},
    "chooses among tokens: it jumps where two change places, and serves to write": {
        *("top_k", "nucleus", "beam"),
    },
    "a step of an algorithm for attention, which has a twin": {
        *("online_softmax", "cached_attention"),
    },
    "moves numbers and changes none; the other one of the two is its pullback": {
        *("split_heads", "concat_heads"),
    },
    "the same function as one with a twin, computed in another way": {
        *("softmax_in_place", "blockwise_attention"),
    },
    "the last softmax behind logits that have a twin; a loss takes the logits": {
        *("transformer", "encoder_decoder"),
    },
    "a loss in other words, for people; what is trained on is cross_entropy": {
        *("perplexity", "bits_per_byte"),
    },
}
EXCUSED = {name for names in NO_TWIN.values() for name in names}


def has_real_numbers(arguments):
    """Whether something goes in that could be moved a little."""
    return any(
        isinstance(x, float) or (isinstance(x, np.ndarray) and x.dtype.kind == "f")
        for value in arguments.values()
        for x in leaves(value).values()
    )


FUNCTIONS = {
    function
    for group in GROUPS
    for function in (getattr(group, name) for name in group.__all__)
    if isroutine(function)
} | {f for f in EXAMPLES if f.__module__ == objective.__name__}
SMOOTH = sorted(
    f.__name__ for f in FUNCTIONS if f in EXAMPLES and has_real_numbers(EXAMPLES[f])
)


def test_the_list_holds_the_functions_of_all_groups():
    assert len(SMOOTH) > 50
    assert {f.__name__ for f in FUNCTIONS} >= {"rope", "swiglu", "embed", "perplexity"}
    assert [f.__name__ for f in FUNCTIONS if f not in EXAMPLES] == []


@pytest.mark.parametrize("name", SMOOTH)
def test_a_function_of_real_numbers_has_a_twin_or_a_reason(name):
    assert hasattr(gradient, f"{name}_vjp") != (name in EXCUSED)


def test_no_reason_is_given_for_what_is_not_there():
    assert set(SMOOTH) >= EXCUSED


def example(name):
    return next(EXAMPLES[f] for f in FUNCTIONS if f.__name__ == name)


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("softmax_in_place", gradient.softmax_vjp),
        ("blockwise_attention", gradient.attention_vjp),
    ],
)
def test_the_same_function_computed_in_another_way_has_the_value_of_the_twin(
    name, twin
):
    function = next(f for f in FUNCTIONS if f.__name__ == name)
    arguments = example(name)
    shared = {key: value for key, value in arguments.items() if key != "block"}
    value, _ = twin(**{key: np.copy(x) for key, x in shared.items()})
    copied = {k: np.copy(x) if np.ndim(x) else x for k, x in arguments.items()}
    np.testing.assert_allclose(function(**copied), value, atol=1e-12)


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
