"""The gradient with which every backward pass begins: cross-entropy with respect to the logits, p - y."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Fraction, Pullback, requires, twin


@twin
@requires(
    lambda weights: weights is None or (weights.min() >= 0 and weights.max() > 0),
    "the weights hold a negative number, or nothing but zeros. Fix: 1 where a position counts, 0 where it does not.",
)
@requires(
    lambda logits, targets: targets.min() >= 0 and targets.max() < logits.shape[-1],
    lambda logits, targets: (
        f"the targets run from {targets.min()} to {targets.max()}; wanted token ids in 0..{logits.shape[-1] - 1}. "
        "Fix: encode with the vocabulary of the model; a position that does not count has a weight of 0."
    ),
)
def cross_entropy_vjp(
    logits: Float[np.ndarray, "*rows V"],
    targets: Int[np.ndarray, "*rows"],
    weights: Float[np.ndarray, "*rows"] | None = None,
    smoothing: Fraction = 0.0,
) -> tuple[float, Pullback]:
    r"""Cross-entropy and its pullback to the logits: probability minus target, each row with its share of the mean.

        dlogits_iv = dL w_i/(Σ_j w_j) (p_iv - y_iv)

    Book: eq-cross-entropy-vjp. Source: Bridle (1990).

    >>> loss, pullback = cross_entropy_vjp(np.zeros((1, 4)), targets=np.array([2]))
    >>> pullback(1.0)
    (array([[ 0.25,  0.25, -0.75,  0.25]]),)
    """
    rows, V = logits.reshape(-1, logits.shape[-1]), logits.shape[-1]
    w = np.ones(len(rows), rows.dtype) if weights is None else weights.ravel()
    w = (w / w.sum())[:, None]
    at_target = np.arange(len(rows))[:, None], targets.reshape(-1, 1)

    best = rows.argmax(axis=-1)[:, None]
    p = rows - np.take_along_axis(rows, best, axis=-1)  # from here on written over
    y_dot_logits = (1 - smoothing) * p[at_target]
    if smoothing:
        y_dot_logits += smoothing * p.mean(axis=-1, keepdims=True)
    np.exp(p, out=p)
    total = p.sum(axis=-1, keepdims=True)
    value = float((w * (np.log(total) - y_dot_logits)).sum())

    def pullback(gradient):
        share = gradient * w
        dlogits = p * (share / total)
        dlogits[at_target] -= (1 - smoothing) * share
        if smoothing:
            dlogits -= smoothing / V * share
        return (dlogits.reshape(logits.shape),)

    return value, pullback
