"""The gradient of multi-head attention: the heads' gradients side by side, and back through the four projections."""

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.attention.multi_head import (
    AttentionParameters,
    concat_heads,
    multi_head_attention,
)
from transformer_math.attention.projections import split_heads
from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.projections import project_vjp

Mask = Bool[np.ndarray, "#n m"] | Bool[np.ndarray, "... #n_heads #n m"]
SelfMask = Bool[np.ndarray, "#n n"] | Bool[np.ndarray, "... #n_heads #n n"]


@twin
@requires_as(multi_head_attention)
def multi_head_attention_vjp(
    Z: Float[np.ndarray, "... n d_model"],
    source: Float[np.ndarray, "... m d_model"],
    parameters: AttentionParameters,
    n_heads: Size,
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Multi-head attention's output and its pullback to the tokens Z, to the source, and to the parameters.

        dZ = dQ W^Q^T,   dY = dK W^K^T + dV W^V^T

    For self-attention, where the source is Z itself, the gradient of Z is the sum of the two. `split_heads` pulls back
    by `concat_heads`, and the other way round: they move numbers and change none. Book: eq-multi-head-vjp.

    >>> I, zero = np.eye(2), np.zeros(2)
    >>> parameters = AttentionParameters(I, I, I, I, zero, zero, zero, zero)
    >>> output, pullback = multi_head_attention_vjp(I, I, parameters, n_heads=2)
    >>> dZ, dsource, dparameters = pullback(np.ones((2, 2)))
    >>> dparameters.b_O
    array([2., 2.])
    """
    p = parameters
    Q, Q_pullback = project_vjp(Z, p.W_Q, p.b_Q)
    K, K_pullback = project_vjp(source, p.W_K, p.b_K)
    V, V_pullback = project_vjp(source, p.W_V, p.b_V)
    O, O_pullback = attention_vjp(*(split_heads(x, n_heads) for x in (Q, K, V)), mask)
    output, output_pullback = project_vjp(concat_heads(O), p.W_O, p.b_O)

    def pullback(gradient):
        dO, dW_O, db_O = output_pullback(gradient)
        dQ, dK, dV = map(concat_heads, O_pullback(split_heads(dO, n_heads)))
        dZ, dW_Q, db_Q = Q_pullback(dQ)
        dY_K, dW_K, db_K = K_pullback(dK)
        dY_V, dW_V, db_V = V_pullback(dV)
        return (
            dZ,
            dY_K + dY_V,
            AttentionParameters(dW_Q, dW_K, dW_V, dW_O, db_Q, db_K, db_V, db_O),
        )

    return output, pullback


@twin
def self_attention_vjp(
    Z: Float[np.ndarray, "... n d_model"],
    parameters: AttentionParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Multi-head attention of the tokens to themselves, and its pullback: they asked and they answered, and get both gradients.

        dX = dQ W^Q^T + dK W^K^T + dV W^V^T

    Book: eq-self-attention-vjp.
    """
    O, attention = multi_head_attention_vjp(Z, Z, parameters, n_heads, mask)

    def pullback(dO):
        as_query, as_source, dparameters = attention(dO)
        return as_query + as_source, dparameters

    return O, pullback
