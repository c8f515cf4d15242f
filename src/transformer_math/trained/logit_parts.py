"""What each part of a sum of vectors adds to the logits that are read from the sum."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.block.decoder_only_layer import rotary_attention
from transformer_math.block.feed_forward import feed_forward
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.contract import Positive, contract
from transformer_math.model.decoder_only import DecoderOnlyParameters, residual_stream
from transformer_math.trained.head_roles import found_by_head
from transformer_math.trained.language_model import N_HEADS, N_LAYERS

PART_NAMES = [
    "embedding",
    *(
        f"layer {layer + 1}, {part}"
        for layer in range(N_LAYERS)
        for part in [*(f"head {h}" for h in range(N_HEADS)), "network"]
    ),
    "biases of attention",
]


@contract
def logit_parts(
    parts: Float[np.ndarray, "n_parts d_model"],
    parameters: NormParameters,
    E: Float[np.ndarray, "V d_model"],
    eps: Positive = 1e-5,
) -> Float[np.ndarray, "n_parts V"]:
    r"""The direct contribution of each part to each logit, with the divisor that the norm has for the sum of them all.

        s_iv = Σ_{j=0}^(d-1) γ_j (R_ij - μ_i)/√(σ² + ε) E_vj
        μ_i = 1/d Σ_{j=0}^(d-1) R_ij
        σ² = 1/d Σ_{j=0}^(d-1) (Σ_i (R_ij - μ_i))²

    Their sum, with that of β, is LayerNorm(Σ_i R_i) Eᵀ. Raises ValueError for eps ≤ 0 and for widths that differ.
    Book: eq-logit-parts. Source: Elhage et al. (2021), transformer-circuits.pub/2021/framework.
    """
    centred = parts - parts.mean(axis=-1, keepdims=True)
    sigma = np.hypot.reduce(centred.sum(axis=0)) / np.sqrt(parts.shape[-1])
    return parameters.gamma * centred / np.hypot(sigma, np.sqrt(eps)) @ E.T


def residual_parts(
    ids: Int[np.ndarray, "... n"], model: DecoderOnlyParameters
) -> Float[np.ndarray, "n_parts ... n d_model"]:
    """The parts that sum to what leaves the last layer, in the order of PART_NAMES."""
    states = residual_stream(ids, model, N_HEADS)
    parts, biases = [states[0]], np.zeros_like(states[0])
    for Z, p in zip(states, model.layers):
        U = layer_norm(Z, p.norm_1)
        attended, _ = rotary_attention(U, p.rotary_attention, N_HEADS)
        heads = [found_by_head(U, p.rotary_attention, h) for h in range(N_HEADS)]
        network = feed_forward(layer_norm(Z + attended, p.norm_2), p.feed_forward)
        parts += [*heads, network]
        biases = biases + p.rotary_attention.b_O
    return np.stack([*parts, biases])
