"""From distributions to text: ways to choose the next token, and to search for a whole sequence.

`next_logits` is any function from the ids so far to the logits of the next token: a model with its weights. Whatever it
answers but one row of logits, the same tokens each time and one of them possible, is a ValueError.
"""

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import (
    DISTRIBUTION,
    SOMETHING_FINITE,
    Holds,
    NonNegative,
    OrMinusInfinity,
    Size,
    contract,
    requires,
)
from transformer_math.contract.arrays import CLOSE
from transformer_math.contract.scalars import REAL, WHOLE, Scalar
from transformer_math.output._continuations import continuations
from transformer_math.output.probabilities import probabilities
from transformer_math.scaling import LARGEST_LOG

Distribution = Float[np.ndarray, "... V"]
Ids = Int[np.ndarray, " n"]
Start = Annotated[
    Ids,
    Holds(
        lambda ids: ids.min() >= 0,
        "ids of tokens, whole numbers of at least 0",
        "encode with the vocabulary of the model",
    ),
]
Logits = Annotated[Float[np.ndarray, " V"], OrMinusInfinity, SOMETHING_FINITE]
NextLogits = Callable[[Ids], Logits]
ToDrawWith = Callable[[Logits], Annotated[Float[np.ndarray, " V"], DISTRIBUTION]]
Mass = Annotated[
    float,
    Scalar(
        REAL,
        float,
        lambda x: 0 < x <= 1,
        "a number greater than 0 and at most 1",
        "{name} = 0.9, or 1 to keep all",
    ),
]
Token = Annotated[
    int,
    Scalar(
        WHOLE,
        int,
        lambda t: t >= 0,
        "a token's id, a whole number of at least 0",
        "the id of the end token, or None where there is none",
    ),
]
_sums_to_one = requires(
    lambda p: p.min() >= 0 and np.allclose(p.sum(axis=-1), 1, rtol=0, atol=CLOSE),
    "p is no distribution: it holds a negative number, or a row that does not sum to 1. Fix: pass probabilities(logits).",
)


@contract
@_sums_to_one
def top_k(p: Distribution, k: Size) -> Distribution:
    r"""Keep the k likeliest tokens, and share the whole probability among them.

        topk(p)_v = {p_v / Σ_{u: r_u < k} p_u if r_v < k; 0 otherwise}
        r_v = Σ_u [p_u > p_v] + Σ_{u: u < v} [p_u = p_v]

    r_v is the rank of token v: how many tokens are likelier, or as likely with a smaller id. So there are k of them also
    where several are equally likely. Book: eq-top-k. Source: Fan, Lewis and Dauphin (2018), arXiv:1805.04833.

    >>> top_k(np.array([0.5, 0.2, 0.3]), k=2)
    array([0.625, 0.   , 0.375])
    """
    order = np.argsort(-p, axis=-1, kind="stable")  # of equals the smaller id first
    kept = np.where(order.argsort(axis=-1) < k, p, 0)
    return kept / kept.sum(axis=-1, keepdims=True)


@contract
@_sums_to_one
def nucleus(p: Distribution, mass: Mass) -> Distribution:
    r"""Keep the fewest tokens that together have at least this probability, the likeliest first ("top-p").

        nucleus(p)_v = {p_v / Σ_{u: c_u < θ} p_u if c_v < θ; 0 otherwise}
        c_v = Σ_u ([p_u > p_v] + [p_u = p_v] [u < v]) p_u

    c_v is the probability of all tokens that come before v: likelier ones, or as likely ones with a smaller id.
    With a mass of 1 every possible token stays. Book: eq-nucleus. Source: Holtzman et al. (2020), arXiv:1904.09751.

    >>> nucleus(np.array([0.5, 0.125, 0.25, 0.125]), mass=0.75)
    array([0.66666667, 0.        , 0.33333333, 0.        ])
    """
    order = np.argsort(-p, axis=-1, kind="stable")  # of equals the smaller id first
    from_here = np.take_along_axis(p, order[..., ::-1], axis=-1).cumsum(axis=-1)
    kept = from_here[..., ::-1] > 1 - mass  # the same as: what is before it < mass
    kept[..., 0] = True  # also for a mass so small that 1 - mass is 1
    of_tokens = np.empty_like(kept)
    np.put_along_axis(of_tokens, order, kept, axis=-1)
    q = np.where(of_tokens, p, 0)
    return q / q.sum(axis=-1, keepdims=True)


@contract
def greedy(
    next_logits: NextLogits, start: Start, length: Size, end: Token | None = None
) -> Int[np.ndarray, " n_all"]:
    r"""Choose the likeliest token as the next one, `length` times or until it is `end`.

        t_next = argmax(logits)

    Returns the start and what was added. Of equal logits the first wins. Book: eq-greedy.

    >>> greedy(lambda ids: np.array([0.0, 1.0, -1.0]), np.array([2]), length=3)
    array([2, 1, 1, 1])
    """
    ids = start
    for _ in range(length):
        ids = np.append(ids, np.argmax(next_logits(ids)))
        if ids[-1] == end:
            break
    return ids


@contract
def sample(
    next_logits: NextLogits,
    start: Start,
    length: Size,
    rng: np.random.Generator,
    distribution: ToDrawWith = probabilities,
    end: Token | None = None,
) -> Int[np.ndarray, " n_all"]:
    """Draw a token again and again, `length` times or until it is `end`.

    `distribution` makes of the logits the probabilities to draw with: softmax alone if nothing is given,
    `lambda x: nucleus(probabilities(x, 0.8), 0.9)` for a temperature of 0.8 and a nucleus of 0.9.
    Returns the start and what was drawn.

    >>> sample(lambda ids: np.array([0.0, -np.inf]), np.array([1]), 2, np.random.default_rng(0))
    array([1, 0, 0])
    """
    ids = start
    for _ in range(length):
        p = distribution(next_logits(ids))  # may add up to 1 in few digits only
        ids = np.append(ids, rng.choice(len(p), p=p / p.sum()))
        if ids[-1] == end:
            break
    return ids


class Hypothesis(NamedTuple):
    """A sequence that a beam search found, the start included, and its score."""

    ids: np.ndarray
    score: float


@contract
@requires(
    lambda length, power: power * math.log(length) < LARGEST_LOG,
    "length is {length} and power {power}: length ** power is beyond float64. Fix: power = 1.0 for the mean, or less.",
)
def beam(
    next_logits: NextLogits,
    start: Start,
    length: Size,
    width: Size,
    end: Token | None = None,
    power: NonNegative = 0.0,
) -> list[Hypothesis]:
    r"""Score each sequence by the sum of its log-probabilities, divided by a power of its length; keep the `width` best.

        s = 1/(n^α) Σ_{i=0}^(n-1) ln p_{i t_i}

    n counts the tokens that were added, one after another, `length` at most. Without normalisation, power = 0, the score
    is the log-probability of what was added; with power = 1 it is its mean. A sequence that has come to `end` stays as it
    is. Returns the sequences, the best one first. Book: eq-sequence-score.
    Source: Graves (2012), arXiv:1211.3711; Sutskever et al. (2014), arXiv:1409.3215.

    >>> beam(lambda ids: np.log([0.25, 0.75]), np.array([0]), length=2, width=1)[0].ids
    array([0, 1, 1])
    """
    found: dict[tuple, float] = {(): 0.0}  # what was added, and its log-probability
    for _ in range(length):
        grown: dict[tuple, float] = {}
        for added, log_p in found.items():
            grown |= continuations(next_logits, start, added, log_p, width, end)
        ranked = sorted(grown.items(), key=lambda one: -one[1] / len(one[0]) ** power)
        found = dict(ranked[:width])
    return [
        Hypothesis(np.array([*start, *added]), log_p / len(added) ** power)
        for added, log_p in found.items()
    ]
