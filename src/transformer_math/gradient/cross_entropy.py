"""The gradient with which every backward pass begins: cross-entropy with respect to the logits, p - y."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Fraction, Pullback, requires, twin
from transformer_math.output.probabilities import log_softmax
from transformer_math.scaling import by_ratios


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
@by_ratios
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
    w = np.ones(targets.shape, logits.dtype) if weights is None else weights
    share = (w / w.sum())[..., None]
    log_p, at = log_softmax(logits), targets[..., None]
    expected = (1 - smoothing) * np.take_along_axis(log_p, at, axis=-1)
    if smoothing:
        expected += smoothing * log_p.mean(axis=-1, keepdims=True)
    value = -float((share * expected).sum())

    def pullback(gradient):
        dlogits = np.exp(log_p)  # this is p; each step below writes over it
        dlogits -= smoothing / logits.shape[-1]
        wanted = np.take_along_axis(dlogits, at, axis=-1) - (1 - smoothing)
        np.put_along_axis(dlogits, at, wanted, axis=-1)
        return (np.multiply(dlogits, gradient * share, out=dlogits),)

    return value, pullback
