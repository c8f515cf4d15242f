"""A language model as they are built today: rotary positions, normalisation before each sublayer, one matrix for both ends."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.block.decoder_only_layer import (
    DecoderOnlyLayerParameters,
    decoder_only_layer,
)
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.contract import Size, contract, requires
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model._initial import new_decoder_only_layer, new_embedding
from transformer_math.shapes import Tokens


@contract
@dataclass(frozen=True)
class DecoderOnlyParameters:
    """What the model learns: embeddings, which also are its last projection; its layers; and the norm after them."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[DecoderOnlyLayerParameters, ...]
    norm: NormParameters


@contract
def residual_stream(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters, n_heads: Size
) -> tuple[Tokens, ...]:
    """What runs from layer to layer: the scaled embeddings, then the tokens after each layer."""
    states = [scale_embedding(embed(ids, parameters.E))]
    for layer in parameters.layers:
        states.append(decoder_only_layer(states[-1], layer, n_heads))
    return tuple(states)


@contract
def decoder_only_logits(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters, n_heads: Size
) -> Float[np.ndarray, "... n V"]:
    r"""The scores of the next token after each token; no token sees those that follow it.

        Z^(0) = √d_model E_t
        Z^(ℓ) = DecoderOnlyLayer_ℓ(Z^(ℓ-1))
        ℓ = 1, …, N
        x = LayerNorm(Z^(N)) Eᵀ

    The last projection is the transposed embedding (Press and Wolf, 2017, arXiv:1608.05859). Book: eq-decoder-only.
    """
    Z = residual_stream(ids, parameters, n_heads)[-1]
    return layer_norm(Z, parameters.norm) @ parameters.E.T


@contract
@requires(
    lambda d_model, n_heads: d_model % (2 * n_heads) == 0,
    "d_model is {d_model}; wanted an even number for each of {n_heads} heads, since dimensions turn in pairs. "
    "Fix: d_model = n_heads * d_k, d_k even.",
)
def initialise_decoder_only(
    rng: np.random.Generator,
    vocab_size: Size,
    d_model: Size,
    n_heads: Size,
    d_ff: Size,
    n_layers: Size,
) -> DecoderOnlyParameters:
    """Draw the parameters with which training would start, as `initialise` does; the last norm does nothing yet.

    Raises ValueError where d_model is no even number for each head.
    """
    return DecoderOnlyParameters(
        E=new_embedding(rng, vocab_size, d_model),
        layers=tuple(
            new_decoder_only_layer(rng, d_model, d_ff) for _ in range(n_layers)
        ),
        norm=NormParameters(np.ones(d_model), np.zeros(d_model)),
    )
