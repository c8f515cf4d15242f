"""The parameters with which training starts, part by part: matrices drawn at random, biases and shifts 0, scales 1."""

import math

import numpy as np

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.block.decoder_layer import DecoderLayerParameters
from transformer_math.block.decoder_only_layer import DecoderOnlyLayerParameters
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.feed_forward import FeedForwardParameters
from transformer_math.block.layer_norm import NormParameters


def new_embedding(
    rng: np.random.Generator, vocab_size: int, d_model: int
) -> np.ndarray:
    """Rows of squared length about 1."""
    return rng.normal(size=(vocab_size, d_model)) / math.sqrt(d_model)


def new_matrix(rng: np.random.Generator, rows: int, columns: int) -> np.ndarray:
    """Uniform in +-sqrt(6 / (rows + columns)): Glorot and Bengio (2010)."""
    bound = math.sqrt(6 / (rows + columns))
    return rng.uniform(-bound, bound, size=(rows, columns))


def new_encoder_layer(
    rng: np.random.Generator, d_model: int, d_ff: int
) -> EncoderLayerParameters:
    """One attention, one network, two normalisations."""
    return EncoderLayerParameters(
        _attention(rng, d_model), _feed_forward(rng, d_model, d_ff), *_norms(d_model, 2)
    )


def new_decoder_only_layer(
    rng: np.random.Generator, d_model: int, d_ff: int
) -> DecoderOnlyLayerParameters:
    """The parts of an encoder layer: only what is done with them differs."""
    return DecoderOnlyLayerParameters(
        _attention(rng, d_model), _feed_forward(rng, d_model, d_ff), *_norms(d_model, 2)
    )


def new_decoder_layer(
    rng: np.random.Generator, d_model: int, d_ff: int
) -> DecoderLayerParameters:
    """Two attentions, one network, three normalisations."""
    return DecoderLayerParameters(
        _attention(rng, d_model),
        _attention(rng, d_model),
        _feed_forward(rng, d_model, d_ff),
        *_norms(d_model, 3),
    )


def _attention(rng: np.random.Generator, d_model: int) -> AttentionParameters:
    projections = [new_matrix(rng, d_model, d_model) for _ in range(4)]
    return AttentionParameters(*projections, *(np.zeros(d_model) for _ in range(4)))


def _feed_forward(
    rng: np.random.Generator, d_model: int, d_ff: int
) -> FeedForwardParameters:
    return FeedForwardParameters(
        new_matrix(rng, d_model, d_ff),
        np.zeros(d_ff),
        new_matrix(rng, d_ff, d_model),
        np.zeros(d_model),
    )


def _norms(d_model: int, number: int) -> list[NormParameters]:
    return [NormParameters(np.ones(d_model), np.zeros(d_model)) for _ in range(number)]
