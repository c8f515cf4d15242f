"""What the tests of all ideas ask of `model/decoder_only`."""

from dataclasses import replace

import numpy as np
from example_values import ids, today

from transformer_math.block import decoder_only_layer, layer_norm
from transformer_math.embedding import embed, scale_embedding
from transformer_math.model import (
    decoder_only_logits,
    initialise_decoder_only,
    residual_stream,
)
from transformer_math.output import probabilities

EXAMPLES = {
    decoder_only_logits: {"ids": ids, "parameters": today, "n_heads": 2},
    residual_stream: {"ids": ids, "parameters": today, "n_heads": 2},
    initialise_decoder_only: {
        "rng": np.random.default_rng(0),
        "vocab_size": 11,
        "d_model": 4,
        "n_heads": 2,
        "d_ff": 7,
        "n_layers": 1,
    },
}

ACCEPTED = {
    decoder_only_logits: {"ids": {"longer"}},
    residual_stream: {"ids": {"longer"}},
}

NO_TWIN = {
    residual_stream: "describes what was computed, for somebody to look at",
}


def stacked(ids, p, n_heads):
    Z = scale_embedding(embed(ids, p.E))
    for layer in p.layers:
        Z = decoder_only_layer(Z, layer, n_heads)
    return Z


RIGHT = [
    (
        decoder_only_logits,
        lambda ids, p, H: layer_norm(stacked(ids, p, H), p.norm) @ p.E.T,
    ),
    (
        decoder_only_logits,
        lambda ids, p, H: decoder_only_logits(ids, p, H).tolist(),
    ),
]

WRONG = [
    (
        decoder_only_logits,
        lambda ids, p, H: stacked(ids, p, H) @ p.E.T,
        "The norm after the last layer is missing",
    ),
    (
        decoder_only_logits,
        lambda ids, p, H: probabilities(decoder_only_logits(ids, p, H)),
        "You return probabilities",
    ),
    (
        decoder_only_logits,
        lambda ids, p, H: decoder_only_logits(ids, p, H)[..., -1, :],
        "it gave",
    ),
    (
        decoder_only_logits,
        lambda ids, p, H: decoder_only_logits(ids, replace(p, layers=p.layers[:1]), H),
        "it gave",
    ),
    (
        decoder_only_logits,
        lambda ids, p, H: layer_norm(stacked(ids, p, H), p.norm),
        "it gave",
    ),
]
