"""Min-p: keep each token that is likely enough beside the likeliest one.

Top-k counts tokens and the nucleus adds up their probability; this rule compares each token with the best, and with
nothing else. So it can be applied to logits as well, before their softmax.
"""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.contract import (
    OrMinusInfinity,
    contract,
    requires_as,
)
from transformer_math.contract.scalars import REAL, Scalar
from transformer_math.output.decoding import Distribution, top_k
from transformer_math.output.probabilities import Temperature, probabilities

Share = Annotated[
    float,
    Scalar(
        REAL,
        float,
        lambda x: 0 <= x <= 1,
        "a number from 0 to 1",
        "{name} = 0.1, or 0 to keep all",
    ),
]


@contract
@requires_as(top_k)
def min_p(p: Distribution, p_base: Share) -> Distribution:
    r"""Keep each token whose probability is at least this share of the largest, and renormalise.

        minp(p)_v = {p_v / Σ_{u: p_u ≥ p_base max p} p_u if p_v ≥ p_base max p; 0 otherwise}

    The likeliest token always stays, with all that share its place. p_base = 0 keeps everything, p_base = 1 the first
    place alone. Book: eq-min-p. Source: Nguyen et al. (2025), arXiv:2407.01082.

    >>> min_p(np.array([0.5, 0.125, 0.25, 0.125]), p_base=0.5)
    array([0.66666667, 0.        , 0.33333333, 0.        ])
    """
    kept = np.where(p >= p_base * p.max(axis=-1, keepdims=True), p, 0)
    return kept / kept.sum(axis=-1, keepdims=True)


@contract
@requires_as(probabilities)
def min_p_from_logits(
    logits: Annotated[Float[np.ndarray, "... V"], OrMinusInfinity],
    p_base: Share,
    temperature: Temperature = 1.0,
) -> Distribution:
    r"""Do the same from the logits: no softmax over all tokens is needed to know which ones stay.

        q = minp(softmax(logits/T))
        q_v = {r_v / Σ_{u: r_u ≥ p_base} r_u if r_v ≥ p_base; 0 otherwise}
        r_v = e^((logits_v - max logits) / T)

    r_v is the probability of token v over the largest one. Raises ValueError for T <= 0, and for a row of nothing but
    -inf. Book: eq-min-p-from-logits.

    >>> min_p_from_logits(np.log(np.array([4.0, 1.0, 2.0])), p_base=0.5)
    array([0.66666667, 0.        , 0.33333333])
    """
    below = logits - logits.max(axis=-1, keepdims=True)
    ratios = np.exp(below / temperature)
    kept = np.where(ratios >= p_base, ratios, 0)
    return kept / kept.sum(axis=-1, keepdims=True)
