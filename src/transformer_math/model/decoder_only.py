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


@contract
@dataclass(frozen=True)
class DecoderOnlyParameters:
    """What the model learns: embeddings, which also are its last projection; its layers; and the norm behind them."""

    E: Float[np.ndarray, "V d_model"]
    layers: tuple[DecoderOnlyLayerParameters, ...]
    norm: NormParameters


@contract
def decoder_only_logits(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters, n_heads: Size
) -> Float[np.ndarray, "... n V"]:
    r"""The scores of the next token behind each token; no token sees those that follow it.

    The last projection is the transposed embedding (Press and Wolf, 2017, arXiv:1608.05859). Book: eq-decoder-only.
    """
    p = parameters
    Z = scale_embedding(embed(ids, p.E))
    for layer in p.layers:
        Z = decoder_only_layer(Z, layer, n_heads)
    return layer_norm(Z, p.norm) @ p.E.T


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
