"""What the tests of all ideas ask of `model/attention_maps`."""

from example_values import Z, allowed, model, normal, translator

from transformer_math.attention import causal_mask
from transformer_math.model import decoder_attention, encoder_attention

EXAMPLES = {
    decoder_attention: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
    },
    encoder_attention: {
        "Z": Z,
        "layers": model.layers,
        "n_heads": 2,
        "mask": causal_mask(3),
    },
}

NO_TWIN = {
    decoder_attention: "describes what was computed, for somebody to look at",
    encoder_attention: "describes what was computed, for somebody to look at",
}

EQUIVALENT = {
    "decoder_attention": {
        "add_norm(Z, attended, p.norm_1) → add_norm(attended, Z, p.norm_1)": "A sum does not know its order.",
    },
}
