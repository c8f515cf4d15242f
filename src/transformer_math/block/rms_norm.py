"""RMSNorm: layer normalisation without the mean and without the shift."""

import numpy as np

from transformer_math.contract import NonNegative, contract
from transformer_math.scaling import scale_free
from transformer_math.shapes import TokenRows, Vector


@contract
@scale_free
def rms_norm(x: TokenRows, gamma: Vector, eps: NonNegative = 1e-5) -> TokenRows:
    r"""Divide each token's vector by the root of the mean of its squares, then scale.

        RMSNorm(x) = γ ⊙ x/(√(1/d Σ_{j=0}^(d-1) x_j² + ε))
        ε = 10⁻⁵

    The mean is taken over the d_model entries of one token. Raises ValueError where gamma has another size than a token,
    and for eps < 0. Book: eq-rms-norm. Source: Zhang and Sennrich (2019), arXiv:1910.07467.

    >>> rms_norm(np.array([1.0, 7.0]), gamma=np.ones(2), eps=0.0)
    array([0.2, 1.4])
    """
    mean_square = (x**2).mean(axis=-1, keepdims=True)
    return gamma * x / np.sqrt(mean_square + eps)
