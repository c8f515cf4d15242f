"""SwiGLU: a feed-forward network in which one half of the hidden layer decides how much of the other half passes."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from transformer_math.contract import contract
from transformer_math.shapes import AnyTokens, Numbers


@contract
@dataclass(frozen=True)
class SwiGLUParameters:
    """Three matrices: W_g (d_model, d_g) for the gate, W_1 (d_model, d_g) for what it lets through, W_2 (d_g, d_model)."""

    W_g: Float[np.ndarray, "d_model d_g"]
    W_1: Float[np.ndarray, "d_model d_g"]
    W_2: Float[np.ndarray, "d_g d_model"]


@contract
def swish(x: Numbers) -> Numbers:
    r"""Weigh each number by its own logistic function; also called SiLU.

        swish(x) = x/(1 + e^(-x)) = x/2 (1 + tanh x/2)

    The second form cannot overflow. Book: eq-swish.
    Source: Elfwing, Uchibe and Doya (2018), arXiv:1702.03118; Ramachandran, Zoph and Le (2017), arXiv:1710.05941.

    >>> swish(np.array([-1.0, 0.0, 1.0])).round(3)
    array([-0.269,  0.   ,  0.731])
    """
    return x / 2 * (1 + np.tanh(x / 2))


@contract
def swiglu(x: AnyTokens, parameters: SwiGLUParameters) -> AnyTokens:
    r"""Let a gate, computed from the token itself, multiply each hidden number before they are brought back to size.

        SwiGLU(x) = (swish(x W_g) ⊙ x W_1) W_2

    Book: eq-swiglu. Source: Shazeer (2020), arXiv:2002.05202.

    >>> I = np.eye(2)
    >>> swiglu(np.array([[-1.0, 1.0]]), SwiGLUParameters(I, I, I)).round(3)
    array([[0.269, 0.731]])
    """
    p = parameters
    return swish(x @ p.W_g) * (x @ p.W_1) @ p.W_2
