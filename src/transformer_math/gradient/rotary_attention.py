"""The gradient of attention whose queries and keys were turned by their positions: back through the heads, and turned back."""

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.block.decoder_only_layer import rotary_attention
from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.gradient._heads import (
    attend_in_heads_vjp,
    turned_projection_vjp,
)
from transformer_math.gradient.projections import project_vjp
from transformer_math.shapes import Tokens


@twin
@requires_as(rotary_attention)
def rotary_attention_vjp(
    Z: Tokens, parameters: AttentionParameters, n_heads: Size
) -> tuple[Tokens, Pullback]:
    r"""Rotary attention's output, and its pullback to the tokens and the parameters.

        RotaryAttention*(Z; dO') = dZ
        A_h = softmax(S'_h)
        dO = dO' (W^O)ᵀ
        (dO_h)_ic = dO_{i, h d_v + c}
        h = 0, …, H - 1
        c = 0, …, d_v - 1
        dV_h = A_hᵀ dO_h
        dA_h = dO_h V_hᵀ
        (dS_h)_ij = (A_h)_ij ((dA_h)_ij - Σ_k (A_h)_ik (dA_h)_ik)
        (dQ_h)_i = 1/√d_k R_iᵀ Σ_j (dS_h)_ij R_j (K_h)_j
        (dK_h)_j = 1/√d_k R_jᵀ Σ_i (dS_h)_ij R_i (Q_h)_i
        dZ = Σ_h (dQ_h (W^Q_h)ᵀ + dK_h (W^K_h)ᵀ + dV_h (W^V_h)ᵀ)
        dW^Q_h = Zᵀ dQ_h
        dW^K_h = Zᵀ dK_h
        dW^V_h = Zᵀ dV_h
        db^Q_h = Σ_i (dQ_h)_i
        db^K_h = Σ_i (dK_h)_i
        db^V_h = Σ_i (dV_h)_i
        dW^O = Oᵀ dO'
        db^O = Σ_i dO'_i

    Book: eq-rotary-attention-vjp. Source: Su et al. (2021), arXiv:2104.09864.
    """
    p = parameters
    Q, Q_pullback = turned_projection_vjp(Z, p.W_Q, p.b_Q, n_heads)
    K, K_pullback = turned_projection_vjp(Z, p.W_K, p.b_K, n_heads)
    V, V_pullback = project_vjp(Z, p.W_V, p.b_V)
    mask = causal_mask(Z.shape[-2])
    output, heads_pullback = attend_in_heads_vjp(Q, K, V, p.W_O, p.b_O, n_heads, mask)

    def pullback(gradient):
        dQ, dK, dV, dW_O, db_O = heads_pullback(gradient)
        by_Q, dW_Q, db_Q = Q_pullback(dQ)
        by_K, dW_K, db_K = K_pullback(dK)
        by_V, dW_V, db_V = V_pullback(dV)
        learned = dW_Q, dW_K, dW_V, dW_O, db_Q, db_K, db_V, db_O
        return by_Q + by_K + by_V, AttentionParameters(*learned)

    return output, pullback
