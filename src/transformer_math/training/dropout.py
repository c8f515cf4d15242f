"""Dropout: while a model learns, numbers chosen by chance are set to 0, and those that stay are made larger."""

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.contract import Fraction, contract, requires


@contract
@requires(
    lambda u: u.min() >= 0 and u.max() < 1,
    lambda u: (
        f"u runs from {u.min():g} to {u.max():g}; wanted numbers of at least 0 and less than 1. Fix: u = rng.random(x.shape)."
    ),
)
def dropout_mask(
    u: Float[np.ndarray, "*shape"], p: Fraction
) -> Bool[np.ndarray, "*shape"]:
    r"""Which numbers stay: those whose own random number u, uniform from 0 to 1, is not below p.

        M = [u ≥ p]

    Book: eq-dropout-mask.

    >>> dropout_mask(np.array([0.05, 0.5, 0.95]), p=0.1)
    array([False,  True,  True])
    """
    return u >= p


@contract
def dropout(
    x: Float[np.ndarray, "*shape"], kept: Bool[np.ndarray, "*shape"], p: Fraction
) -> Float[np.ndarray, "*shape"]:
    r"""Set what is not kept to 0, and divide the rest by the probability of being kept.

        dropout(x, M) = (M ⊙ x)/(1 - p)

    In use, after training, nothing is dropped, and this function is not called.
    Book: eq-dropout. Source: Srivastava et al. (2014), JMLR 15, section 10.

    >>> dropout(np.array([1.0, 2.0, 3.0]), kept=np.array([True, False, True]), p=0.5)
    array([2., 0., 6.])
    """
    return np.where(kept, x / (1 - p), 0)
