"""The last step: a score for every token of the vocabulary, and the probabilities that softmax makes of them."""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.attention.projections import project
from transformer_math.attention.softmax import softmax
from transformer_math.contract import POSITIVE, OrMinusInfinity, contract, requires

Temperature = Annotated[
    float, POSITIVE.with_fix("for the greedy choice, the limit T -> 0, take the argmax")
]

_NOTHING_POSSIBLE = "a row holds nothing but -inf: no token is possible there. Fix: allow at least one token."


@contract
def logits(
    Z: Float[np.ndarray, "... d_model"],
    W_out: Float[np.ndarray, "d_model V"],
    b_out: Float[np.ndarray, " V"] | float = 0.0,
) -> Float[np.ndarray, "... V"]:
    r"""Give every token of the vocabulary a score at every position.

        logits = Z_out W^out + b^out ∈ R^(n × V)

    With tied weights W^out is the transpose of the embedding matrix, `E.T`. Book: eq-logits.
    Source: Vaswani et al. (2017), section 3.4; tying: Press and Wolf (2017), arXiv:1608.05859.

    >>> logits(np.array([[1.0, 2.0]]), W_out=np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 1.0]]))
    array([[1., 2., 5.]])
    """
    return project(Z, W_out, b_out)


def _stays_finite(logits: np.ndarray, temperature: float) -> bool:
    """Whether no finite logit leaves the range of its numbers when it is divided by the temperature."""
    with np.errstate(over="ignore"):
        return bool(np.all(np.isinf(logits) | np.isfinite(logits / temperature)))


@contract
@requires(
    lambda logits: logits.max(axis=-1).min() > -np.inf,
    _NOTHING_POSSIBLE,
)
@requires(
    _stays_finite,
    "the temperature is {temperature}: logits divided by it overflow. Fix: for the limit T -> 0 take the argmax.",
)
def probabilities(
    logits: Annotated[Float[np.ndarray, "... V"], OrMinusInfinity],
    temperature: Temperature = 1.0,
) -> Float[np.ndarray, "... V"]:
    r"""Turn each row of logits into a distribution over the vocabulary, sharper or flatter by the temperature.

        p = softmax(logits/T)
        p_iv = (e^(logits_iv / T))/(Σ_{u=0}^(V-1) e^(logits_iu / T))

    T < 1 sharpens, T > 1 flattens; the order of the tokens stays. Raises ValueError for T <= 0: for the limit T -> 0
    take the argmax. A logit of -inf forbids its token; a row of nothing else is a ValueError, too. Book: eq-temperature.
    Source: Ackley, Hinton and Sejnowski (1985); Hinton et al. (2015).

    >>> probabilities(np.log(np.array([[1.0, 3.0]])), temperature=0.5)
    array([[0.1, 0.9]])
    """
    return softmax(logits / temperature)


@contract
@requires(
    lambda x: x.max(axis=-1).min() > -np.inf,
    _NOTHING_POSSIBLE,
)
def log_softmax(
    x: Annotated[Float[np.ndarray, "... V"], OrMinusInfinity],
) -> Annotated[Float[np.ndarray, "... V"], OrMinusInfinity]:
    r"""Take the logarithm of softmax without taking softmax, whose small numbers would become 0.

        logsoftmax(x)_j = x_j - max x - ln Σ_k e^(x_k - max x)

    Raises ValueError for a row of nothing but -inf. Book: eq-log-softmax.

    >>> log_softmax(np.array([0.0, 1000.0]))
    array([-1000.,     0.])
    """
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
