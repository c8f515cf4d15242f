"""What the tests of all ideas ask of `model/encoder_decoder`."""

import numpy as np
from example_values import allowed, ids, translator

from transformer_math.attention import causal_mask
from transformer_math.checks.wrong import ignoring
from transformer_math.model import (
    decoder,
    embed_at_positions,
    encoder,
    encoder_decoder,
    encoder_decoder_logits,
    initialise_encoder_decoder,
)
from transformer_math.output import logits, probabilities


def by_hand(s, t, p, H, source_mask=None, target_mask=None):
    mask = causal_mask(t.shape[-1]) if target_mask is None else target_mask
    Y = encoder(embed_at_positions(s, p.E_source), p.encoder, H, source_mask)
    Z = embed_at_positions(t, p.E_target)
    Z = decoder(Z, Y, p.decoder, H, mask, source_mask)
    return probabilities(logits(Z, p.W_out))


EXAMPLES = {
    encoder_decoder: {
        "source_ids": np.array([3, 1, 4, 1, 5]),
        "target_ids": ids,
        "parameters": translator,
        "n_heads": 2,
        "source_mask": allowed[:1],
        "target_mask": causal_mask(3),
    },
    encoder_decoder_logits: {
        "source_ids": np.array([3, 1, 4, 1, 5]),
        "target_ids": ids,
        "parameters": translator,
        "n_heads": 2,
        "source_mask": allowed[:1],
        "target_mask": causal_mask(3),
    },
    initialise_encoder_decoder: {
        "rng": np.random.default_rng(0),
        "source_vocab_size": 9,
        "vocab_size": 11,
        "d_model": 4,
        "n_heads": 2,
        "d_ff": 7,
        "n_layers": 1,
    },
}

ACCEPTED = {
    encoder_decoder: {"source_ids": {"longer"}},
}

NO_TWIN = {
    encoder_decoder: "the last softmax after logits that have a twin; a loss takes the logits",
}

RIGHT = [
    (encoder_decoder, by_hand),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: probabilities(
            encoder_decoder_logits(s, t, p, H, source_mask, target_mask)
        ).tolist(),
    ),
]

WRONG = [
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder_logits(
            s, t, p, H, source_mask, target_mask
        ),
        "You return logits",
    ),
    (
        encoder_decoder,
        ignoring(encoder_decoder, "target_mask"),
        "You ignore the target_mask",
    ),
    (
        encoder_decoder,
        ignoring(encoder_decoder, "source_mask"),
        "You ignore the source_mask",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder(
            s, t, p, H, source_mask, target_mask
        )[..., -1:, :],
        "it gave",
    ),
    (
        encoder_decoder,
        lambda s, t, p, H, source_mask=None, target_mask=None: encoder_decoder(
            s[..., ::-1], t, p, H, source_mask, target_mask
        ),
        "it gave",
    ),
]
