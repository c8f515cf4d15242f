"""What the tests of all ideas ask of `model/attention_maps`."""

from example_values import Z, allowed, ids, model, normal, today, translator

from transformer_math.attention import causal_mask
from transformer_math.model import (
    decoder_attention,
    decoder_only_attention,
    encoder_attention,
)

EXAMPLES = {
    decoder_attention: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
    },
    decoder_only_attention: {"ids": ids, "parameters": today, "n_heads": 2},
    encoder_attention: {
        "Z": Z,
        "layers": model.layers,
        "n_heads": 2,
        "mask": causal_mask(3),
    },
}

ACCEPTED = {decoder_only_attention: {"ids": {"longer"}}}

NO_TWIN = {
    decoder_only_attention: "describes what was computed, for somebody to look at",
    decoder_attention: "describes what was computed, for somebody to look at",
    encoder_attention: "describes what was computed, for somebody to look at",
}
