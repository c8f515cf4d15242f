"""What functions answer: finite numbers, unless the signature says otherwise; asked of calls from outside, and of scores always."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest
from bad_input import assert_refused, refusals
from jaxtyping import Float, Int

from transformer_math import attention as A
from transformer_math.contract import (
    Finite,
    NumberOrInfinity,
    OrMinusInfinity,
    Pullback,
    contract,
    twin,
)
from transformer_math.gradient import attention_vjp
from transformer_math.position import alibi_attention, alibi_slopes

Row = Float[np.ndarray, " n"]

HUGE = np.array([[1e200]])
AWAY = np.array([[-1e200], [-2e200]])
V = np.array([[1.0], [2.0]])


@contract
def double(x: Row) -> Row:
    return 2 * x


@contract
def scores_of(x: Row) -> Annotated[Row, OrMinusInfinity]:
    return 2 * x


@contract
def always(x: Row) -> Annotated[Row, Finite]:
    return 2 * x


@contract
def quadruple_by(x: Row) -> Row:
    return np.tanh(
        double(double(x))
    )  # what is infinite on the way is the function's own business


@contract
def tanh_always(x: Row) -> Row:
    return np.tanh(always(x))


@contract
def ratio(x: float) -> NumberOrInfinity:
    return np.inf if x > 0 else np.nan


@contract
def mean(x: Row) -> float:
    return float(np.sum(x))


@contract
def both(x: Row) -> tuple[Int[np.ndarray, " n"], Row]:
    return np.arange(len(x)), 2 * x


@dataclass
class Halves:
    left: Row
    right: Row


@contract
def halves(x: Row) -> Halves:
    return Halves(x, 2 * x)


@twin
def steep_vjp(x: Row) -> tuple[Row, Pullback]:
    return x / 2, lambda dx: (dx * 2,)


LARGE = np.array([1.0, 1e308])


@refusals(
    ("an array", lambda: double(LARGE), ("double(…) comes to inf at index (1,)", "float64")),
    ("single precision", lambda: double(np.float32([1, 3e38])), ("inf at index (1,)", "float32")),
    ("+inf where -inf is welcome", lambda: scores_of(LARGE), ("scores_of(…) comes to inf",)),
    ("within another function", lambda: tanh_always(LARGE), ("always(…) comes to inf",)),
    ("a number", lambda: mean(np.full(2, 1e308)), ("mean(…) comes to inf; wanted finite",)),
    ("no number", lambda: ratio(-1.0), ("ratio(…) comes to nan",)),
    ("one of several", lambda: both(LARGE), ("both(…)[1] comes to inf",)),
    ("a field", lambda: halves(LARGE), ("halves(…).right comes to inf",)),
    ("a gradient", lambda: steep_vjp(LARGE)[1](LARGE), ("pullback(…)[0] comes to inf",)),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:overflow")
def test_what_leaves_the_range_of_floating_point_is_refused(call, words):
    assert_refused(call, words)


@pytest.mark.filterwarnings("ignore:overflow")
def test_what_the_signature_allows_is_answered():
    assert scores_of(-LARGE).tolist() == [-2.0, -np.inf]
    assert ratio(1.0) == np.inf
    assert quadruple_by(LARGE)[1] == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: A.attention(HUGE, AWAY, V),
        lambda: A.attention(np.float32(HUGE / 1e180), np.float32(AWAY / 1e180), np.float32(V)),
        lambda: A.blockwise_attention(HUGE, AWAY, V),
        lambda: attention_vjp(HUGE, AWAY, V),
        lambda: alibi_attention(*(x[None] for x in (AWAY, -AWAY, V)), alibi_slopes(1)),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:overflow")
def test_a_score_below_all_numbers_is_not_taken_for_a_forbidden_one(call):
    assert_refused(call, ("scores(…) comes to -inf", "overflow"))
