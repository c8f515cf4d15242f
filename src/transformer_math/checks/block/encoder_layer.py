"""Checks of the encoder layer, against PyTorch's module with the same weights."""

from dataclasses import replace

import numpy as np

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.block.encoder_layer import encoder_layer, encoder_layer_pre_norm
from transformer_math.block.feed_forward import feed_forward, gelu, relu
from transformer_math.block.layer_norm import add_norm, layer_norm
from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, mask_for_heads, size, sometimes
from transformer_math.checks.wrong import (
    reject_careless_masks,
    reject_deafness_to_activation,
)


def layer_error(implementation, rng, **settings):
    """The difference from PyTorch's layer for random sizes, weights, tokens, mask and activation."""
    lead, n, n_heads = batch(rng), size(rng), size(rng)
    d_model = n_heads * size(rng, mostly=2)
    given, mask, name = random_settings(rng, lead, n_heads, n)
    layer = torch_layers.encoder_layer(
        rng, d_model, n_heads, size(rng), activation=name, **settings
    )
    Z = rng.normal(size=(*lead, n, d_model))
    wanted = layer(
        torch_layers.one_batch(Z),
        src_mask=torch_layers.torch_mask(mask, *lead, n_heads, n, n),
    )
    got = implementation(
        Z, torch_layers.encoder_layer_parameters(layer), n_heads, *given
    )
    return difference(got, wanted.reshape(Z.shape))


def random_settings(rng, lead, n_heads, n):
    """Mask and activation as they are passed on; the mask that holds; the activation's name in PyTorch."""
    given, mask = sometimes(rng, mask_for_heads(rng, lead, n_heads, n, n), None)
    if rng.random() < 0.5:
        return given, mask, "relu"
    return (mask, gelu), mask, "gelu"


@check(
    encoder_layer,
    equation="eq-encoder-layer",
    oracle="torch.nn.TransformerEncoderLayer with the same weights",
)
def encoder_layer_equals_torch(encoder_layer, rng):
    return layer_error(encoder_layer, rng)


reject_careless_masks(encoder_layer_equals_torch)
reject_deafness_to_activation(encoder_layer_equals_torch)


@encoder_layer_equals_torch.rejects(
    "You normalise before each sublayer: that is pre-norm; here the sum is normalised."
)
def normalised_before(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer_pre_norm(Z, p, n_heads, mask, activation)


@encoder_layer_equals_torch.rejects(
    "Both your normalisations use the first scale and shift; the second has its own."
)
def norms_shared(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer(Z, replace(p, norm_2=p.norm_1), n_heads, mask, activation)


@encoder_layer_equals_torch.rejects(
    "Your second residual adds the layer's input; wanted Z', what the attention half gave."
)
def residual_from_the_start(Z, p, n_heads, mask=None, activation=relu):
    half = add_norm(
        Z,
        multi_head_attention(Z, Z, p.attention, n_heads, mask)[0],
        p.norm_1,
    )
    return add_norm(Z, feed_forward(half, p.feed_forward, activation), p.norm_2)


@encoder_layer_equals_torch.rejects(
    "You forget the residuals: what went into a sublayer is added to what comes out."
)
def without_residuals(Z, p, n_heads, mask=None, activation=relu):
    half, _ = multi_head_attention(Z, Z, p.attention, n_heads, mask)
    half = layer_norm(half, p.norm_1)
    return layer_norm(feed_forward(half, p.feed_forward, activation), p.norm_2)


@encoder_layer_equals_torch.rejects(
    "Your feed-forward network comes before the attention."
)
def feed_forward_first(Z, p, n_heads, mask=None, activation=relu):
    Z = add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_1)
    return add_norm(
        Z,
        multi_head_attention(Z, Z, p.attention, n_heads, mask)[0],
        p.norm_2,
    )


@check(
    encoder_layer_pre_norm,
    equation="eq-encoder-layer-pre-norm",
    symbols={"return": "Z_out"},
    oracle="torch.nn.TransformerEncoderLayer with norm_first=True",
)
def pre_norm_layer_equals_torch(encoder_layer_pre_norm, rng):
    return layer_error(encoder_layer_pre_norm, rng, norm_first=True)


reject_careless_masks(pre_norm_layer_equals_torch)
reject_deafness_to_activation(pre_norm_layer_equals_torch)


@pre_norm_layer_equals_torch.rejects("You normalise after each sum: that is post-norm.")
def normalised_after(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer(Z, p, n_heads, mask, activation)


@pre_norm_layer_equals_torch.rejects(
    "You forget the residuals: each sublayer's result is added to what went in."
)
def pre_norm_without_residuals(Z, p, n_heads, mask=None, activation=relu):
    normed = layer_norm(Z, p.norm_1)
    half, _ = multi_head_attention(normed, normed, p.attention, n_heads, mask)
    return feed_forward(layer_norm(half, p.norm_2), p.feed_forward, activation)


@pre_norm_layer_equals_torch.rejects(
    "You normalise the result once more; in pre-norm the residual path leaves the layer untouched."
)
def normalised_twice(Z, p, n_heads, mask=None, activation=relu):
    out = encoder_layer_pre_norm(Z, p, n_heads, mask, activation)
    return add_norm(out, np.zeros_like(out), p.norm_2)
