"""What a model is told about its predictions: cross-entropy, and the numbers that are made of it."""

import math

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import (
    Fraction,
    NonNegative,
    Size,
    Whole,
    contract,
    requires,
    requires_as,
)
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.output.probabilities import log_softmax
from transformer_math.scaling import LARGEST_LOG, by_ratios


@contract
@requires_as(cross_entropy_vjp)
@by_ratios
def cross_entropy(
    logits: Float[np.ndarray, "... V"],
    targets: Int[np.ndarray, "..."],
    weights: Float[np.ndarray, "..."] | None = None,
    smoothing: Fraction = 0.0,
) -> float:
    r"""Measure how surprised the model is by the targets: the mean over positions, in nats.

        L = -(Σ_i w_i Σ_v y_iv ln p_iv)/(Σ_i w_i)
        p = softmax(logits)
        y_iv = (1 - α) [v = t_i] + α/V

    p is the softmax of the logits. Weights of 0 leave padding out; smoothing alpha > 0 moves a part of each target's
    probability to all tokens alike. Raises ValueError for targets that are no token, for weights that are negative or all 0.
    Book: eq-cross-entropy. Source: Vaswani et al. (2017), section 5.4; smoothing: Szegedy et al. (2016), section 7.

    >>> round(cross_entropy(np.log([[0.5, 0.25, 0.25]]), np.array([1])), 3)
    1.386
    """
    log_p = log_softmax(logits)
    of_target = np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0]
    losses = -(1 - smoothing) * of_target
    if smoothing:
        losses -= smoothing * log_p.mean(axis=-1)
    return float(np.average(losses, weights=weights))


@contract
@requires(
    lambda ids: ids.shape[-1] >= 2,
    "ids has shape {ids.shape}: one token has no next one. Fix: at least two tokens; a begin token may be the first.",
)
def shift(
    ids: Int[np.ndarray, "... n"],
) -> tuple[Int[np.ndarray, "... n-1"], Int[np.ndarray, "... n-1"]]:
    """Make inputs and targets of the same tokens: at each position the target is the token that comes next.

        x_i = s_i
        t_i = s_{i+1}
        i = 0, …, n - 2

    Book: eq-shift.

    >>> shift(np.array([5, 3, 8]))
    (array([5, 3]), array([3, 8]))
    """
    return ids[..., :-1], ids[..., 1:]


@contract
def begin_and_end(
    ids: Int[np.ndarray, "... n"], begin: Whole, end: Whole
) -> Int[np.ndarray, "... n+2"]:
    """Set a begin token before the tokens and an end token after them, so that both ends can be predicted.

    >>> begin_and_end(np.array([5, 3]), begin=1, end=2)
    array([1, 5, 3, 2])
    """
    around = [(0, 0)] * (ids.ndim - 1) + [(1, 1)]
    return np.pad(ids, around, constant_values=((begin, end),))


@contract
@requires(
    lambda loss: loss <= LARGEST_LOG,
    "the loss is {loss}, and its exponential is beyond float64. Fix: compare the losses themselves, or bits, loss / ln 2.",
)
def perplexity(loss: NonNegative) -> float:
    """Say a cross-entropy as a number of tokens: so many, equally likely, would be as hard to guess.

        perplexity(L) = e^L

    Book: eq-perplexity.

    >>> round(perplexity(math.log(8)), 9)
    8.0
    """
    return math.exp(loss)


@contract
def bits_per_byte(loss: NonNegative, n_tokens: Size, n_bytes: Size) -> float:
    """Say a cross-entropy in bits for each byte of the text: the one measure that does not depend on the tokens.

        bits = (L n_tokens)/(n_bytes ln 2)

    Book: eq-bits-per-byte.

    >>> bits_per_byte(math.log(16), n_tokens=10, n_bytes=20)
    2.0
    """
    return loss * n_tokens / (n_bytes * math.log(2))
