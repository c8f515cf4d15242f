"""The gradient of multi-head attention: the heads' gradients side by side, and back through the four projections."""

import numpy as np
from jaxtyping import Float

from transformer_math.attention.multi_head import (
    AttentionParameters,
    multi_head_attention,
)
from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.gradient._heads import attend_in_heads_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.shapes import CrossMask, SelfMask


@twin
@requires_as(multi_head_attention)
def multi_head_attention_vjp(
    Z: Float[np.ndarray, "... n d_model"],
    source: Float[np.ndarray, "... m d_model"],
    parameters: AttentionParameters,
    n_heads: Size,
    mask: CrossMask | None = None,
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Multi-head attention's output and its pullback to the tokens Z, to the source, and to the parameters.

        MultiHead*(Z, Y; dO') = (dZ, dY)
        dO = dO' (W^O)ᵀ
        (dO_h)_ic = dO_{i, h d_v + c}
        h = 0, …, H - 1
        c = 0, …, d_v - 1
        (dQ_h, dK_h, dV_h) = attention*(Q_h, K_h, V_h; dO_h)
        dZ = Σ_h dQ_h (W^Q_h)ᵀ
        dY = Σ_h (dK_h (W^K_h)ᵀ + dV_h (W^V_h)ᵀ)
        dW^Q_h = Zᵀ dQ_h
        dW^K_h = Yᵀ dK_h
        dW^V_h = Yᵀ dV_h
        db^Q_h = Σ_i (dQ_h)_i
        db^K_h = Σ_i (dK_h)_i
        db^V_h = Σ_i (dV_h)_i
        dW^O = Oᵀ dO'
        db^O = Σ_i dO'_i

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
    output, heads_pullback = attend_in_heads_vjp(Q, K, V, p.W_O, p.b_O, n_heads, mask)

    def pullback(gradient):
        dQ, dK, dV, dW_O, db_O = heads_pullback(gradient)
        dZ, dW_Q, db_Q = Q_pullback(dQ)
        dY_K, dW_K, db_K = K_pullback(dK)
        dY_V, dW_V, db_V = V_pullback(dV)
        learned = dW_Q, dW_K, dW_V, dW_O, db_Q, db_K, db_V, db_O
        return dZ, dY_K + dY_V, AttentionParameters(*learned)

    return output, pullback


@twin
def self_attention_vjp(
    Z: Float[np.ndarray, "... n d_model"],
    parameters: AttentionParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Multi-head attention of the tokens to themselves, and its pullback: they asked and they answered, and get both gradients.

        (dQ, dK, dV) = attention*(Z W^Q, Z W^K, Z W^V; dO)
        dZ = dQ (W^Q)ᵀ + dK (W^K)ᵀ + dV (W^V)ᵀ

    Book: eq-self-attention-vjp, eq-masked-multi-head-vjp.
    """
    O, attention = multi_head_attention_vjp(Z, Z, parameters, n_heads, mask)

    def pullback(dO):
        as_query, as_source, dparameters = attention(dO)
        return as_query + as_source, dparameters

    return O, pullback
