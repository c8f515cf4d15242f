"""The last step: a score for every token of the vocabulary, and the probabilities that softmax makes of them."""

import numpy as np
from jaxtyping import Float

from transformer_math.attention.projections import project
from transformer_math.attention.softmax import softmax
from transformer_math.errors import require


def logits(
    Z: Float[np.ndarray, "... n d_model"],
    W_out: Float[np.ndarray, "d_model V"],
    b_out: Float[np.ndarray, " V"] | float = 0.0,
) -> Float[np.ndarray, "... n V"]:
    r"""Give every token of the vocabulary a score at every position.

        logits = Z_out W^out + b^out

    With tied weights W^out is the transpose of the embedding matrix, `E.T`. Book: eq-logits.
    Source: Vaswani et al. (2017), section 3.4; tying: Press and Wolf (2017), arXiv:1608.05859.

    >>> logits(np.array([[1.0, 2.0]]), W_out=np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 1.0]]))
    array([[1., 2., 5.]])
    """
    return project(Z, W_out, b_out)


def probabilities(
    logits: Float[np.ndarray, "... V"], temperature: float = 1.0
) -> Float[np.ndarray, "... V"]:
    r"""Turn each row of logits into a distribution over the vocabulary, sharper or flatter by the temperature.

        p = softmax(logits / T)

    T < 1 sharpens, T > 1 flattens; the order of the tokens stays. Raises ValueError for T <= 0: for the limit T -> 0
    take the argmax. Book: eq-temperature. Source: Ackley, Hinton and Sejnowski (1985); Hinton et al. (2015).

    >>> probabilities(np.log(np.array([[1.0, 3.0]])), temperature=0.5)
    array([[0.1, 0.9]])
    """
    require(
        temperature > 0,
        f"the temperature is {temperature}; wanted a number > 0. Fix: for greedy choice use argmax.",
    )
    return softmax(logits / temperature)
