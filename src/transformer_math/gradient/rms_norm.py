"""The gradient of RMSNorm: LayerNorm's, without the mean."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, Pullback, twin

Tokens = Float[np.ndarray, "*rows d_model"]
Vector = Float[np.ndarray, " d_model"]


@twin
def rms_norm_vjp(
    x: Tokens, gamma: Vector, eps: NonNegative = 1e-5
) -> tuple[Tokens, Pullback]:
    r"""RMSNorm and its pullback: of what arrives, the part along the token itself is taken away.

        g = gamma * dy,   z = x / s,   s = sqrt(mean(x^2) + eps),   dx = (g - z mean(g * z)) / s,   dgamma = sum_i dy_i * z_i

    Means are over the entries of one token, the sum is over the tokens. Book: eq-rms-norm-vjp.
    Source: Zhang and Sennrich (2019), arXiv:1910.07467.

    >>> y, pullback = rms_norm_vjp(np.array([[1.0, 7.0]]), np.ones(2), eps=0.0)
    >>> dx, dgamma = pullback(np.array([[0.0, 1.0]]))
    >>> dx.round(3), dgamma
    (array([[-0.028,  0.004]]), array([0. , 1.4]))
    """
    root = np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    z = x / root

    def pullback(dy):
        g = gamma * dy
        dx = (g - z * (g * z).mean(axis=-1, keepdims=True)) / root
        return dx, (dy * z).sum(axis=tuple(range(dy.ndim - 1)))

    return gamma * z, pullback
