from dataclasses import replace

import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import causal_mask, padding_mask
from transformer_math.block import NormParameters, encoder_layer, encoder_layer_pre_norm
from transformer_math.model import initialise

rng = np.random.default_rng(8)
layer = initialise(rng, 11, 4, 2, 7, 1).layers[0]
wide = NormParameters(np.ones(5), np.zeros(5))
Z = rng.normal(size=(2, 5, 4))


def test_a_causal_layer_does_not_see_what_comes():
    changed = Z.copy()
    changed[:, 3:] += 1
    for step in (encoder_layer, encoder_layer_pre_norm):
        before, after = (step(x, layer, 2, causal_mask(5)) for x in (Z, changed))
        assert np.array_equal(before[:, :3], after[:, :3])


def test_padding_does_not_change_the_tokens():
    alone = encoder_layer(Z[1:, :3], layer, 2)
    padded = encoder_layer(Z, layer, 2, padding_mask(np.array([5, 3]), 5))
    assert np.allclose(padded[1:, :3], alone, atol=1e-12)


@refusals(
    ("mask of three axes", lambda: encoder_layer(Z, layer, 2, np.ones((2, 5, 5), bool)), ("(2, 5, 5)", "mask[:, None]")),
    ("mask of another size", lambda: encoder_layer(Z, layer, 2, causal_mask(4)), ("mask has shape (4, 4)", "n = 5")),
    ("norm of another size", lambda: encoder_layer(Z, replace(layer, norm_2=wide), 2), ("parameters.norm_2.gamma has shape (5,)",)),
    ("not the attention's width", lambda: encoder_layer(Z[..., :2], layer, 2), ("parameters.attention.W_Q", "d_model = 2")),
    ("no heads", lambda: encoder_layer(Z, layer, 0), ("n_heads is 0",)),
    ("parameters of another part", lambda: encoder_layer(Z, layer.attention, 2), ("wanted EncoderLayerParameters",)),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
