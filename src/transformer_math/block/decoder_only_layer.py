"""The layer of language models since GPT-2, with positions as they came later: tokens look back, turned by where they stand."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from jaxtyping import Float

from transformer_math.attention.masks import causal_mask
from transformer_math.attention.multi_head import AttentionParameters, concat_heads
from transformer_math.attention.projections import project, split_heads
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.block.feed_forward import FeedForwardParameters, feed_forward
from transformer_math.block.layer_norm import NormParameters, pre_norm
from transformer_math.contract import Size, contract, requires
from transformer_math.position.rope import rope
from transformer_math.shapes import Tokens


@contract
@dataclass(frozen=True)
class DecoderOnlyLayerParameters:
    """What one layer learns: its attention, its feed-forward network, and two layer normalisations."""

    rotary_attention: AttentionParameters
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters


@contract
@requires(
    lambda parameters, n_heads: parameters.W_Q.shape[1] % (2 * n_heads) == 0,
    "W_Q has {parameters.W_Q.shape[1]} columns for {n_heads} heads; wanted an even number for each, since dimensions turn "
    "in pairs. Fix: n_heads * d_k columns, d_k even.",
)
@requires(
    lambda parameters, n_heads: parameters.W_V.shape[1] % n_heads == 0,
    "W_V has {parameters.W_V.shape[1]} columns, which do not divide into {n_heads} heads. Fix: n_heads * d_v columns.",
)
def rotary_attention(
    Z: Tokens, parameters: AttentionParameters, n_heads: Size
) -> tuple[Tokens, Float[np.ndarray, "... n_heads n n"]]:
    r"""Causal self-attention in heads whose queries and keys are turned by their positions; its output, and the weights.

        Q_h = Z W^Q_h + b^Q_h
        K_h = Z W^K_h + b^K_h
        V_h = Z W^V_h + b^V_h
        (S'_h)_ij = {(⟨ R_i (Q_h)_i, R_j (K_h)_j ⟩)/√d_k if j ≤ i; -∞ otherwise}
        i = 0, …, n - 1
        j = 0, …, n - 1
        R_i = [R(i ω_0); ⋱; R(i ω_{d_k/2-1})]
        ω_r = 10000^(-2r/d_k)
        O_h = softmax(S'_h) V_h
        O = Concat(O_0, …, O_{H-1})
        RotaryAttention(Z) = O W^O + b^O

    Raises ValueError where the columns of W_Q are not an even number for each head.
    Book: eq-rotary-attention. Source: Su et al. (2021), arXiv:2104.09864.

    >>> I, zero = np.eye(2), np.zeros(2)
    >>> output, A = rotary_attention(I, AttentionParameters(I, I, I, I, zero, zero, zero, zero), n_heads=1)
    >>> A.round(2)
    array([[[1.  , 0.  ],
            [0.21, 0.79]]])
    """
    p, positions = parameters, np.arange(Z.shape[-2], dtype=float)
    Q, K, V = (
        split_heads(project(Z, W, b), n_heads)
        for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K), (p.W_V, p.b_V))
    )
    Q, K = rope(Q, positions), rope(K, positions)
    O, A = attention(Q, K, V, causal_mask(Z.shape[-2]))
    return project(concat_heads(O), p.W_O, p.b_O), A


@contract
def decoder_only_layer(
    Z: Tokens, parameters: DecoderOnlyLayerParameters, n_heads: Size
) -> Tokens:
    r"""Normalise, attend to what came before, add; normalise, feed forward, add.

        Z' = Z + RotaryAttention(LayerNorm_1(Z))
        Z_out = Z' + FFN(LayerNorm_2(Z'))
        DecoderOnlyLayer(Z) = Z_out

    Book: eq-decoder-only-layer. Source: Radford et al. (2019), with the positions of Su et al. (2021), arXiv:2104.09864.
    """
    p = parameters
    Z = pre_norm(
        Z, lambda U: rotary_attention(U, p.rotary_attention, n_heads)[0], p.norm_1
    )
    return pre_norm(Z, partial(feed_forward, parameters=p.feed_forward), p.norm_2)
