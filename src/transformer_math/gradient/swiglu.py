"""The gradients of swish and of the gated feed-forward network."""

import numpy as np

from transformer_math.block.swiglu import SwiGLUParameters
from transformer_math.contract import Pullback, twin
from transformer_math.gradient.projections import project_vjp
from transformer_math.shapes import AnyTokens, Numbers


@twin
def swish_vjp(x: Numbers) -> tuple[Numbers, Pullback]:
    r"""Swish and its pullback, by the product rule; the slope of the logistic function s is s (1 - s).

        swish*(x; dy) = dx
        dx = dy (s + x s (1 - s))
        s = 1/(1 + e^(-x))

    Book: eq-swish-vjp. Source: Elfwing, Uchibe and Doya (2018), arXiv:1702.03118.

    >>> swish_vjp(np.array([0.0]))[1](np.array([2.0]))
    (array([1.]),)
    """
    s = (1 + np.tanh(x / 2)) / 2
    return x * s, lambda dy: (dy * (s + x * s * (1 - s)),)


@twin
def swiglu_vjp(
    x: AnyTokens, parameters: SwiGLUParameters
) -> tuple[AnyTokens, Pullback]:
    r"""The gated network and its pullback: each factor of the product gets what arrives, times the other factor.

        P = dY W_2ᵀ
        dU = P ⊙ swish(X W_g)
        dG = swish*(X W_g; P ⊙ X W_1)
        dX = dG W_gᵀ + dU W_1ᵀ
        dW_g = Xᵀ dG
        dW_1 = Xᵀ dU
        dW_2 = (swish(X W_g) ⊙ X W_1)ᵀ dY

    Book: eq-swiglu-vjp. Source: Shazeer (2020), arXiv:2002.05202.

    >>> I = np.eye(2)
    >>> y, pullback = swiglu_vjp(np.array([[0.0, 4.0]]), SwiGLUParameters(I, I, I))
    >>> pullback(np.array([[1.0, 1.0]]))[0].round(3)
    array([[0.   , 8.139]])
    """
    p = parameters
    gate, pullback_of_gate = project_vjp(x, p.W_g)
    content, pullback_of_content = project_vjp(x, p.W_1)
    passed, pullback_of_swish = swish_vjp(gate)
    y, pullback_2 = project_vjp(passed * content, p.W_2)

    def pullback(dy):
        dhidden, dW_2, _ = pullback_2(dy)
        dx_1, dW_1, _ = pullback_of_content(dhidden * passed)
        (dgate,) = pullback_of_swish(dhidden * content)
        dx_g, dW_g, _ = pullback_of_gate(dgate)
        return dx_g + dx_1, SwiGLUParameters(dW_g, dW_1, dW_2)

    return y, pullback
