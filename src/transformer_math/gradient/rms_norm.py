"""The gradient of RMSNorm: LayerNorm's, without the mean."""

import numpy as np

from transformer_math.contract import NonNegative, Pullback, twin
from transformer_math.scaling import scale_free_vjp
from transformer_math.shapes import TokenRows, Vector


@twin
@scale_free_vjp
def rms_norm_vjp(
    x: TokenRows, gamma: Vector, eps: NonNegative = 1e-5
) -> tuple[TokenRows, Pullback]:
    r"""RMSNorm and its pullback: of what arrives, the part along the token itself is taken away.

        dx_ij = 1/s_i (g_ij - z_ij 1/d Σ_{k=0}^(d-1) g_ik z_ik)
        g_ij = γ_j dy_ij
        dγ_j = Σ_i dy_ij z_ij
        z_ij = x_ij/s_i
        s_i = √(1/d Σ_{k=0}^(d-1) x_ik² + ε)

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
