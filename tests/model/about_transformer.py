"""What the tests of all ideas ask of `model/transformer`."""

import numpy as np
from example_values import ids, model

from transformer_math.attention import causal_mask
from transformer_math.embedding import embed, scale_embedding
from transformer_math.model import (
    count_parameters,
    embed_at_positions,
    encoder,
    initialise,
    transformer,
    transformer_logits,
)
from transformer_math.output import logits, probabilities
from transformer_math.position import sinusoidal

EXAMPLES = {
    count_parameters: {"parameters": model},
    initialise: {
        "rng": np.random.default_rng(0),
        "vocab_size": 11,
        "d_model": 4,
        "n_heads": 2,
        "d_ff": 7,
        "n_layers": 1,
    },
    transformer_logits: {
        "ids": ids,
        "parameters": model,
        "n_heads": 2,
        "mask": causal_mask(3),
    },
}

ACCEPTED = {
    embed_at_positions: {"ids": {"longer"}},
    count_parameters: {"parameters": {"number"}},
}

NO_TWIN = {
    count_parameters: "describes what was computed, for somebody to look at",
    transformer: "the last softmax after logits that have a twin; a loss takes the logits",
}

RIGHT = [
    (
        transformer,
        lambda ids, p, n_heads, mask=None: probabilities(
            logits(
                encoder(
                    scale_embedding(embed(ids, p.E))
                    + sinusoidal(ids.shape[-1], p.E.shape[1]),
                    p.layers,
                    n_heads,
                    mask,
                ),
                p.W_out,
            )
        ),
    ),
    (
        transformer,
        lambda ids, p, n_heads, mask: transformer(ids, p, n_heads, mask).tolist(),
    ),
]

WRONG = [
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H),
        "You ignore the mask",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H, mask)[..., -1, :],
        "it gave",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H, mask).argmax(-1),
        "it gave",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids, p, H, causal_mask(ids.shape[-1])),
        "it gave",
    ),
    (
        transformer,
        lambda ids, p, H, mask=None: transformer(ids[..., ::-1], p, H, mask),
        "it gave",
    ),
]

EQUIVALENT = {
    "embed_at_positions": {
        "sinusoidal(X.shape[-2], X.shape[-1]).astype(X.dtype, copy=False) → sinusoidal(X.shape[-2], X.shape[-1]).astype(X.dtype)": "A copy of an array that nobody else holds has the same numbers.",
        "copy=False → copy=True": "A copy of an array that nobody else holds has the same numbers.",
    },
}
