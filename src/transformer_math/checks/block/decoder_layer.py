"""Checks of the decoder layer, against PyTorch's module with the same weights."""

from dataclasses import replace

import numpy as np

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.block.decoder_layer import decoder_layer, decoder_layer_pre_norm
from transformer_math.block.feed_forward import feed_forward, gelu, relu
from transformer_math.block.layer_norm import add_norm, layer_norm
from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import Check, check
from transformer_math.checks.sampling import batch, mask_for_heads, size
from transformer_math.checks.wrong import (
    reject_careless_masks,
    reject_deafness_to_activation,
)


def random_settings(rng, lead, n_heads, n, m):
    """The optional arguments of a decoder, some of them left out: as passed on, as PyTorch takes them, and the activation's name."""
    masks = [
        mask_for_heads(rng, lead, n_heads, n, keys) if rng.random() < 0.75 else None
        for keys in (n, m)
    ]
    activation, name = [(relu, "relu"), (gelu, "gelu")][rng.integers(2)]
    last = 3 if name == "gelu" else int(rng.integers(3))
    given = (*masks, activation)[:last]
    masks = [mask if place < last else None for place, mask in enumerate(masks)]
    theirs = [
        torch_layers.torch_mask(mask, *lead, n_heads, n, keys)
        for mask, keys in zip(masks, (n, m))
    ]
    return given, theirs, name


def random_sizes(rng, most_heads=11):
    """Leading axes, tokens of the target, tokens of the source, heads, width."""
    lead, n, m, n_heads = batch(rng), size(rng), size(rng), size(rng)
    n_heads = min(n_heads, most_heads)
    return lead, n, m, n_heads, n_heads * min(size(rng, mostly=2), most_heads)


def layer_error(implementation, rng, **settings):
    """The difference from PyTorch's layer for random sizes, weights, tokens, memory, masks and activation."""
    lead, n, m, n_heads, d_model = random_sizes(rng)
    given, masks, name = random_settings(rng, lead, n_heads, n, m)
    layer = torch_layers.decoder_layer(
        rng, d_model, n_heads, size(rng), activation=name, **settings
    )
    Z, memory = (rng.normal(size=(*lead, rows, d_model)) for rows in (n, m))
    wanted = layer(*map(torch_layers.one_batch, (Z, memory)), *masks)
    own = torch_layers.decoder_layer_parameters(layer)
    got = implementation(Z, memory, own, n_heads, *given)
    return difference(got, wanted.reshape(Z.shape))


@check(
    decoder_layer,
    equation="eq-decoder-layer",
    oracle="torch.nn.TransformerDecoderLayer with the same weights",
)
def decoder_layer_equals_torch(decoder_layer, rng):
    return layer_error(decoder_layer, rng)


@check(
    decoder_layer_pre_norm,
    equation="eq-decoder-layer-pre-norm",
    symbols={"return": "Z_out"},
    oracle="torch.nn.TransformerDecoderLayer with norm_first=True",
)
def decoder_layer_pre_norm_equals_torch(decoder_layer_pre_norm, rng):
    return layer_error(decoder_layer_pre_norm, rng, norm_first=True)


def reject_usual_mistakes(checked: Check) -> None:
    """Wrong versions that a decoder layer can have in either form."""
    right = checked.target
    reject_careless_masks(checked, "the self-attention")
    reject_careless_masks(checked, "the cross-attention", "memory_mask")
    reject_deafness_to_activation(checked)

    @checked.rejects(
        "Your second attention reads the decoder's own tokens; its keys and values come from the memory."
    )
    def memory_never_read(
        Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
    ):
        return right(Z, Z, p, n_heads, mask, None, activation)

    @checked.rejects(
        "You exchange the two masks: `mask` is for the self-attention, `memory_mask` for the cross-attention."
    )
    def masks_exchanged(
        Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
    ):
        if Z.shape == memory.shape:
            mask, memory_mask = memory_mask, mask
        return right(Z, memory, p, n_heads, mask, memory_mask, activation)

    @checked.rejects(
        "Both your attentions use the same weights; cross-attention has its own."
    )
    def attentions_shared(
        Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
    ):
        p = replace(p, cross_attention=p.self_attention)
        return right(Z, memory, p, n_heads, mask, memory_mask, activation)

    @checked.rejects(
        "Your second and third normalisation use one scale and shift; each has its own."
    )
    def norms_shared(
        Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
    ):
        p = replace(p, norm_3=p.norm_2)
        return right(Z, memory, p, n_heads, mask, memory_mask, activation)


reject_usual_mistakes(decoder_layer_equals_torch)
reject_usual_mistakes(decoder_layer_pre_norm_equals_torch)


def to_itself(Z, p, n_heads, mask):
    return multi_head_attention(Z, Z, p.self_attention, n_heads, mask)[0]


def to_memory(Z, memory, p, n_heads, memory_mask):
    return multi_head_attention(Z, memory, p.cross_attention, n_heads, memory_mask)[0]


@decoder_layer_equals_torch.rejects(
    "Your cross-attention comes before the self-attention: first the layer reads what was written, then the source."
)
def cross_first(Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu):
    Z = add_norm(Z, to_memory(Z, memory, p, n_heads, memory_mask), p.norm_1)
    Z = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_2)
    return add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_3)


@decoder_layer_equals_torch.rejects(
    "Your feed-forward network stands between the two attentions; it comes last."
)
def feed_forward_between(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    Z = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_1)
    Z = add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_2)
    return add_norm(Z, to_memory(Z, memory, p, n_heads, memory_mask), p.norm_3)


@decoder_layer_equals_torch.rejects(
    "Your two attentions work side by side on Z; the second one's queries come from what the first one gave."
)
def side_by_side(Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu):
    half = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_1)
    found = to_memory(Z, memory, p, n_heads, memory_mask)
    half = add_norm(half, found, p.norm_2)
    update = feed_forward(half, p.feed_forward, activation)
    return add_norm(half, update, p.norm_3)


@decoder_layer_equals_torch.rejects(
    "A normalisation is lost: the sum after the cross-attention is normalised too."
)
def one_norm_lost(Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu):
    Z = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_1)
    Z = Z + to_memory(Z, memory, p, n_heads, memory_mask)
    return add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_3)


@decoder_layer_equals_torch.rejects(
    "Your cross-attention has no residual: what it finds is added to Z′, it does not replace it."
)
def cross_without_residual(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    Z = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_1)
    Z = layer_norm(to_memory(Z, memory, p, n_heads, memory_mask), p.norm_2)
    return add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_3)


@decoder_layer_equals_torch.rejects(
    "Your second residual adds the layer's input Z; wanted Z′, what the first sublayer gave."
)
def residual_from_the_start(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    half = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_1)
    found = to_memory(half, memory, p, n_heads, memory_mask)
    half = add_norm(Z, found, p.norm_2)
    update = feed_forward(half, p.feed_forward, activation)
    return add_norm(half, update, p.norm_3)


@decoder_layer_equals_torch.rejects(
    "You leave the cross-attention out: without it the layer never learns of the source."
)
def without_cross(Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu):
    Z = add_norm(Z, to_itself(Z, p, n_heads, mask), p.norm_1)
    return add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_3)


@decoder_layer_equals_torch.rejects(
    "You normalise before each sublayer: that is pre-norm; here the sums are normalised."
)
def normalised_before(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    return decoder_layer_pre_norm(Z, memory, p, n_heads, mask, memory_mask, activation)


@decoder_layer_pre_norm_equals_torch.rejects(
    "You normalise after each sum: that is post-norm."
)
def normalised_after(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    return decoder_layer(Z, memory, p, n_heads, mask, memory_mask, activation)


@decoder_layer_pre_norm_equals_torch.rejects(
    "You normalise the memory in the layer; it was normalised once, where the encoder ended."
)
def memory_normalised(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    memory = layer_norm(memory, p.norm_2)
    return decoder_layer_pre_norm(Z, memory, p, n_heads, mask, memory_mask, activation)


@decoder_layer_pre_norm_equals_torch.rejects(
    "The queries of your cross-attention are not normalised: each sublayer gets LayerNorm of its input."
)
def queries_not_normalised(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    normed = layer_norm(Z, p.norm_1)
    Z = Z + to_itself(normed, p, n_heads, mask)
    Z = Z + to_memory(Z, memory, p, n_heads, memory_mask)
    normed = layer_norm(Z, p.norm_3)
    return Z + feed_forward(normed, p.feed_forward, activation)


@decoder_layer_pre_norm_equals_torch.rejects(
    "You normalise the result once more; in pre-norm the residual path leaves the layer untouched."
)
def normalised_twice(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    out = decoder_layer_pre_norm(Z, memory, p, n_heads, mask, memory_mask, activation)
    return add_norm(out, np.zeros_like(out), p.norm_3)


def up_to_the_network(Z, memory, p, n_heads, mask, memory_mask):
    """The two attentions of a post-norm layer, each added and normalised."""
    O, _ = multi_head_attention(Z, Z, p.self_attention, n_heads, mask)
    Z = add_norm(Z, O, p.norm_1)
    O, _ = multi_head_attention(Z, memory, p.cross_attention, n_heads, memory_mask)
    return add_norm(Z, O, p.norm_2)


@decoder_layer_equals_torch.rejects(
    "The last normalisation is lost: the sum after the feed-forward network is normalised too."
)
def last_norm_lost(Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu):
    Z = up_to_the_network(Z, memory, p, n_heads, mask, memory_mask)
    return Z + feed_forward(Z, p.feed_forward, activation)


@decoder_layer_equals_torch.rejects(
    "Your feed-forward network has no residual: what it gives is added to what came in."
)
def network_without_residual(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    Z = up_to_the_network(Z, memory, p, n_heads, mask, memory_mask)
    return layer_norm(feed_forward(Z, p.feed_forward, activation), p.norm_3)


@decoder_layer_equals_torch.rejects(
    "You leave the feed-forward network out: it is the third sublayer."
)
def without_network(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    return up_to_the_network(Z, memory, p, n_heads, mask, memory_mask)


@decoder_layer_equals_torch.rejects(
    "You leave the self-attention out: without it the tokens written so far do not see each other."
)
def without_self_attention(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    O, _ = multi_head_attention(Z, memory, p.cross_attention, n_heads, memory_mask)
    Z = add_norm(Z, O, p.norm_2)
    F = feed_forward(Z, p.feed_forward, activation)
    return add_norm(Z, F, p.norm_3)


@decoder_layer_pre_norm_equals_torch.rejects(
    "Your residuals carry the normalised tokens; in pre-norm they carry the tokens as they came."
)
def residuals_normalised(
    Z, memory, p, n_heads, mask=None, memory_mask=None, activation=relu
):
    x = layer_norm(Z, p.norm_1)
    Z = x + multi_head_attention(x, x, p.self_attention, n_heads, mask)[0]
    x = layer_norm(Z, p.norm_2)
    O, _ = multi_head_attention(x, memory, p.cross_attention, n_heads, memory_mask)
    x = layer_norm(x + O, p.norm_3)
    return x + feed_forward(x, p.feed_forward, activation)
