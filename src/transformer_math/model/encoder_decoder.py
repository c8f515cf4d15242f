"""The whole Transformer of the paper: an encoder reads the source, a decoder writes the target."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import causal_mask
from transformer_math.block.decoder_layer import DecoderLayerParameters
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.contract import Size, contract, requires
from transformer_math.model._initial import (
    new_decoder_layer,
    new_embedding,
    new_encoder_layer,
    new_matrix,
)
from transformer_math.model.decoder import decoder
from transformer_math.model.encoder import encoder
from transformer_math.model.transformer import embed_at_positions
from transformer_math.output.probabilities import logits, probabilities
from transformer_math.shapes import SelfMask, SourceMask


@contract
@dataclass(frozen=True)
class EncoderDecoderParameters:
    """Everything the model learns: embeddings of both languages, two stacks, and the projection to the target's vocabulary."""

    E_source: Float[np.ndarray, "V_source d_model"]
    E_target: Float[np.ndarray, "V d_model"]
    encoder: tuple[EncoderLayerParameters, ...]
    decoder: tuple[DecoderLayerParameters, ...]
    W_out: Float[np.ndarray, "d_model V"]


@contract
def encoder_decoder_logits(
    source_ids: Int[np.ndarray, "... m"],
    target_ids: Int[np.ndarray, "... n"],
    parameters: EncoderDecoderParameters,
    n_heads: Size,
    source_mask: SourceMask | None = None,
    target_mask: SelfMask | None = None,
) -> Float[np.ndarray, "... n V"]:
    r"""Read the source, then score every token of the vocabulary at every position of the target.

        logits = Decoder(sqrt(d_model) E'_t + P, Y) W^out,   Y = Encoder(sqrt(d_model) E_s + P)

    `source_mask` hides padding of the source, from the encoder and from the decoder: one row, the same for every query.
    `target_mask` is causal where none is given. Source: Vaswani et al. (2017), arXiv:1706.03762.
    """
    p = parameters
    if target_mask is None:
        target_mask = causal_mask(target_ids.shape[-1])
    X = embed_at_positions(source_ids, p.E_source)
    memory = encoder(X, p.encoder, n_heads, source_mask)
    Z = embed_at_positions(target_ids, p.E_target)
    Z = decoder(Z, memory, p.decoder, n_heads, target_mask, source_mask)
    return logits(Z, p.W_out)


@contract
def encoder_decoder(
    source_ids: Int[np.ndarray, "... m"],
    target_ids: Int[np.ndarray, "... n"],
    parameters: EncoderDecoderParameters,
    n_heads: Size,
    source_mask: SourceMask | None = None,
    target_mask: SelfMask | None = None,
) -> Float[np.ndarray, "... n V"]:
    r"""Read the source, then predict the next token at every position of the target.

        Y = Encoder(Embed(s, E^source))
        Z_out = Decoder(Embed(t, E^target), Y)
        p = softmax(Z_out W^out)

    Masks as in `encoder_decoder_logits`. Book: eq-encoder-decoder. Source: Vaswani et al. (2017), arXiv:1706.03762.
    """
    return probabilities(
        encoder_decoder_logits(
            source_ids, target_ids, parameters, n_heads, source_mask, target_mask
        )
    )


@contract
@requires(
    lambda d_model, n_heads: d_model % n_heads == 0,
    "d_model is {d_model}, which does not divide into {n_heads} heads. Fix: d_model = n_heads * d_k.",
)
def initialise_encoder_decoder(
    rng: np.random.Generator,
    source_vocab_size: Size,
    vocab_size: Size,
    d_model: Size,
    n_heads: Size,
    d_ff: Size,
    n_layers: Size,
) -> EncoderDecoderParameters:
    """Draw the parameters with which training would start, as `initialise` does; both stacks have `n_layers` layers.

    Raises ValueError where d_model does not divide by n_heads.
    """
    return EncoderDecoderParameters(
        E_source=new_embedding(rng, source_vocab_size, d_model),
        E_target=new_embedding(rng, vocab_size, d_model),
        encoder=tuple(new_encoder_layer(rng, d_model, d_ff) for _ in range(n_layers)),
        decoder=tuple(new_decoder_layer(rng, d_model, d_ff) for _ in range(n_layers)),
        W_out=new_matrix(rng, d_model, vocab_size),
    )
