"""Checks come to the edges of what their functions take: one token, a probability of 0, after the last step."""

from typing import Annotated

import numpy as np
import pytest
from jaxtyping import Float

from transformer_math.checks import all_checks, check
from transformer_math.checks.edges import edges_of, needless_excuses, unvisited
from transformer_math.checks.registry import REGISTRY
from transformer_math.contract import (
    NonNegative,
    OrMinusInfinity,
    Positive,
    Size,
    contract,
)

TARGETS = {
    f"{check.target.__module__.removeprefix('transformer_math.')}.{check.target.__name__}": check.target
    for check in all_checks().values()
}


@pytest.mark.parametrize("name", TARGETS)
def test_the_checks_of_a_function_visit_its_edges(name):
    missing = unvisited(TARGETS[name])
    assert not missing, (
        f"the checks of {name} never visit {', '.join(missing)}. Fix: draw it (or_edge, smallest, longest in sampling.py), "
        "or say beside the check why it is no edge: check.excuses(reason, edge)."
    )


@pytest.mark.parametrize("name", TARGETS)
def test_what_is_excused_is_an_edge(name):
    assert needless_excuses(TARGETS[name]) == []


def test_every_excuse_has_a_reason():
    reasons = [r for check in all_checks().values() for r in check.excused.values()]
    assert reasons
    assert all(len(reason.split()) >= 4 for reason in reasons)


def test_edges_follow_from_a_signature():
    @contract
    def spread(
        x: Annotated[Float[np.ndarray, "... n d"], OrMinusInfinity],
        p: Float[np.ndarray, " V"],
        k: Size,
        temperature: Positive = 1.0,
        eps: NonNegative = 0.1,
    ): ...

    assert {edge.name for edge in edges_of(spread)} == {
        "n = 1", "d = 1", "no leading axes", "leading axes", "-inf in x", "V = 1", "0 in p", "1 in p", "k = 1",
        "temperature < 1", "temperature > 1", "temperature → 0", "eps = 0",
    }  # fmt: skip


@pytest.fixture
def timid():
    """A function, and a check that stays in the middle of what it takes."""

    @contract
    def rate(step: Size, steps: Size) -> float:
        return max(0.0, 1 - step / steps)

    rate.__module__ = "timid"

    @check(rate, equation="eq-none", oracle="a line")
    def line(rate, rng):
        steps = int(rng.integers(2, 9))
        step = int(rng.integers(2, steps + 1))
        return abs(rate(step, steps) - (steps - step) / steps)

    yield rate, REGISTRY["line"]
    del REGISTRY["line"]


def test_a_check_that_never_visits_an_edge_is_found_out(timid):
    rate, line = timid
    line.visits("t > T", lambda step, steps: step > steps)
    assert unvisited(rate) == ["step = 1", "steps = 1", "t > T"]
    line.excuses("the first step is not of interest here", "step = 1", "steps = 1")
    assert unvisited(rate) == ["t > T"]
    line.excuses("that is no edge of this function", "d = 1")
    assert needless_excuses(rate) == ["d = 1"]


@pytest.mark.parametrize(
    ("name", "edges"),
    [
        ("training.schedule.cosine_schedule", {"t > T", "t = T", "t = w"}),
        ("tokenization.lattice.forward_sums", {"an unreachable place", "a word whose probability is no number"}),
        ("tokenization.unigram_training.log_likelihood", {"an unknown character"}),
        ("tokenization.unigram_training.expected_counts", {"an unknown character"}),
        ("output.probabilities.probabilities", {"temperature → 0", "-inf in logits"}),
        ("tokenization.unigram.viterbi", {"1,000 characters in word", "beyond ASCII in word"}),
    ],
)  # fmt: skip
def test_edges_that_no_annotation_says_are_declared(name, edges):
    assert edges <= {edge.name for edge in edges_of(TARGETS[name])}
