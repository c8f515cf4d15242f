"""Checks of the encoder layer, against PyTorch's module with the same weights."""

from dataclasses import replace

import numpy as np
import torch

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.block.encoder_layer import encoder_layer, encoder_layer_pre_norm
from transformer_math.block.feed_forward import feed_forward, gelu, relu
from transformer_math.block.layer_norm import add_norm
from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size


def layer_error(implementation, rng, **settings):
    """The difference from PyTorch's layer for random sizes, weights, tokens, mask and activation."""
    n, n_heads = size(rng), size(rng)
    d_model = n_heads * size(rng, at_least=2)
    name, activation = [("relu", relu), ("gelu", gelu)][rng.integers(2)]
    layer = torch_layers.encoder_layer(
        rng, d_model, n_heads, size(rng), activation=name, **settings
    )
    Z, mask = rng.normal(size=(2, n, d_model)), rng.random((n, n)) < 0.7
    mask[:, 0] = True
    wanted = layer(torch.from_numpy(Z), src_mask=torch.from_numpy(~mask))
    got = implementation(
        Z, torch_layers.encoder_layer_parameters(layer), n_heads, mask, activation
    )
    return difference(got, torch_layers.array(wanted))


@check(
    encoder_layer,
    equation="eq-encoder-layer",
    oracle="torch.nn.TransformerEncoderLayer with the same weights",
)
def encoder_layer_equals_torch(encoder_layer, rng):
    return layer_error(encoder_layer, rng)


@encoder_layer_equals_torch.rejects(
    "You normalise before each sublayer: that is pre-norm; here the sum is normalised."
)
def normalised_before(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer_pre_norm(Z, p, n_heads, mask, activation)


@encoder_layer_equals_torch.rejects(
    "Both your normalisations use the first scale and shift; the second has its own."
)
def norms_shared(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer(
        Z, replace(p, gamma_2=p.gamma_1, beta_2=p.beta_1), n_heads, mask, activation
    )


@encoder_layer_equals_torch.rejects(
    "Your second residual adds the layer's input; wanted Z', what the attention half gave."
)
def residual_from_the_start(Z, p, n_heads, mask=None, activation=relu):
    half = add_norm(
        Z,
        multi_head_attention(Z, Z, p.attention, n_heads, mask)[0],
        p.gamma_1,
        p.beta_1,
    )
    return add_norm(
        Z, feed_forward(half, p.feed_forward, activation), p.gamma_2, p.beta_2
    )


@encoder_layer_equals_torch.rejects(
    "Your feed-forward network comes before the attention."
)
def feed_forward_first(Z, p, n_heads, mask=None, activation=relu):
    Z = add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.gamma_1, p.beta_1)
    return add_norm(
        Z,
        multi_head_attention(Z, Z, p.attention, n_heads, mask)[0],
        p.gamma_2,
        p.beta_2,
    )


@encoder_layer_equals_torch.rejects("You ignore the mask.")
def unmasked(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer(Z, p, n_heads, None, activation)


@check(
    encoder_layer_pre_norm,
    equation="eq-encoder-layer-pre-norm",
    oracle="torch.nn.TransformerEncoderLayer with norm_first=True",
)
def pre_norm_layer_equals_torch(encoder_layer_pre_norm, rng):
    return layer_error(encoder_layer_pre_norm, rng, norm_first=True)


@pre_norm_layer_equals_torch.rejects("You normalise after each sum: that is post-norm.")
def normalised_after(Z, p, n_heads, mask=None, activation=relu):
    return encoder_layer(Z, p, n_heads, mask, activation)


@pre_norm_layer_equals_torch.rejects(
    "You normalise the result once more; in pre-norm the residual path leaves the layer untouched."
)
def normalised_twice(Z, p, n_heads, mask=None, activation=relu):
    out = encoder_layer_pre_norm(Z, p, n_heads, mask, activation)
    return add_norm(out, np.zeros_like(out), p.gamma_2, p.beta_2)
