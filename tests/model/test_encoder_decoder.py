"""The two stacks together are PyTorch's nn.Transformer, its last normalisations included; and what no seal speaks of."""

import numpy as np
import pytest
import torch

from transformer_math.attention import causal_mask, padding_mask
from transformer_math.block import NormParameters, layer_norm
from transformer_math.checks import torch_layers
from transformer_math.model import (
    count_parameters,
    decoder,
    decoder_attention,
    decoder_pre_norm,
    embed_at_positions,
    encoder,
    encoder_attention,
    encoder_decoder_logits,
    encoder_pre_norm,
    initialise_encoder_decoder,
)

BATCH, N, M, HEADS, D_MODEL = 3, 5, 7, 2, 12
LENGTHS = np.array([7, 2, 4])  # of the sources


@pytest.fixture
def rng():
    return np.random.default_rng(17)


def pytorch_transformer(rng, **settings):
    model = torch.nn.Transformer(
        D_MODEL, HEADS, 2, 3, 11, dropout=0.0, batch_first=True, **settings
    )
    return torch_layers.shaken(model, rng)


def layers_of(model):
    encoder_layers = map(torch_layers.encoder_layer_parameters, model.encoder.layers)
    decoder_layers = map(torch_layers.decoder_layer_parameters, model.decoder.layers)
    return list(encoder_layers), list(decoder_layers)


def norm_of(stack):
    return NormParameters(
        torch_layers.array(stack.norm.weight), torch_layers.array(stack.norm.bias)
    )


def both_sides(model, rng):
    """Random tokens of both sides, what PyTorch's model makes of them, and the masks in this book's sign."""
    X, Z = rng.normal(size=(BATCH, M, D_MODEL)), rng.normal(size=(BATCH, N, D_MODEL))
    causal, padding = causal_mask(N), padding_mask(LENGTHS, M)
    hidden = torch.from_numpy(~padding[:, 0, 0])
    wanted = model(
        torch.from_numpy(X),
        torch.from_numpy(Z),
        tgt_mask=torch.from_numpy(~causal),
        src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )
    return X, Z, torch_layers.array(wanted), causal, padding


def test_post_norm_stacks_and_two_last_norms_are_pytorchs_transformer(rng):
    model = pytorch_transformer(rng)
    read, write = layers_of(model)
    X, Z, wanted, causal, padding = both_sides(model, rng)
    memory = layer_norm(encoder(X, read, HEADS, padding), norm_of(model.encoder))
    got = decoder(Z, memory, write, HEADS, causal, padding)
    got = layer_norm(got, norm_of(model.decoder))
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-10)


def test_pre_norm_stacks_are_pytorchs_transformer(rng):
    model = pytorch_transformer(rng, norm_first=True)
    read, write = layers_of(model)
    X, Z, wanted, causal, padding = both_sides(model, rng)
    memory = encoder_pre_norm(X, read, norm_of(model.encoder), HEADS, padding)
    got = decoder_pre_norm(
        Z, memory, write, norm_of(model.decoder), HEADS, causal, padding
    )
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-10)


@pytest.fixture
def translator(rng):
    return initialise_encoder_decoder(rng, 9, 13, D_MODEL, HEADS, 11, 2)


def test_padding_of_the_source_changes_nothing(rng, translator):
    source, target = rng.integers(9, size=(BATCH, M)), rng.integers(13, size=(BATCH, N))
    padded = encoder_decoder_logits(
        source, target, translator, HEADS, padding_mask(LENGTHS, M)
    )
    for row, length in enumerate(LENGTHS):
        alone = encoder_decoder_logits(
            source[row, :length], target[row], translator, HEADS
        )
        np.testing.assert_allclose(padded[row], alone, rtol=0, atol=1e-10)


def test_a_later_target_changes_no_earlier_prediction_and_the_whole_source_is_seen(
    rng, translator
):
    source, target = rng.integers(9, size=M), rng.integers(13, size=N)
    first = encoder_decoder_logits(source, target, translator, HEADS)
    later = np.append(target[:-1], (target[-1] + 1) % 13)
    second = encoder_decoder_logits(source, later, translator, HEADS)
    np.testing.assert_array_equal(first[:-1], second[:-1])
    assert np.abs(first[-1] - second[-1]).max() > 1e-3
    other = np.append(source[:-1], (source[-1] + 1) % 9)
    moved = encoder_decoder_logits(other, target, translator, HEADS) - first
    assert (np.abs(moved).max(axis=-1) > 1e-6).all()


def test_parameters_of_the_base_model(rng):
    sizes = {"source_vocab_size": 5, "vocab_size": 7, "d_model": 512, "n_heads": 8}
    model = initialise_encoder_decoder(rng, **sizes, d_ff=2048, n_layers=1)
    theirs = torch.nn.Transformer(512, 8, 1, 1, 2048)
    last_norms = 2 * 2 * 512
    theirs = sum(p.numel() for p in theirs.parameters()) - last_norms
    assert count_parameters(model) == theirs + (5 + 7 + 7) * 512


def pytorch_weights(attention, queries, keys, mask):
    _, weights = attention(
        queries, keys, keys, attn_mask=mask, average_attn_weights=False
    )
    return torch_layers.array(weights)


def test_attention_maps_of_the_encoder_are_pytorchs(rng):
    model = pytorch_transformer(rng)
    X = rng.normal(size=(BATCH, M, D_MODEL))
    mask = padding_mask(LENGTHS, M)
    got = encoder_attention(X, layers_of(model)[0], HEADS, mask)
    Z, theirs = torch.from_numpy(X), torch_layers.torch_mask(mask, BATCH, HEADS, M, M)
    for layer, weights in zip(model.encoder.layers, got, strict=True):
        wanted = pytorch_weights(layer.self_attn, Z, Z, theirs)
        np.testing.assert_allclose(weights, wanted, rtol=0, atol=1e-10)
        Z = layer(Z, theirs)


def test_attention_maps_of_the_decoder_are_pytorchs(rng):
    model = pytorch_transformer(rng)
    Y, Z = rng.normal(size=(BATCH, M, D_MODEL)), rng.normal(size=(BATCH, N, D_MODEL))
    causal, padding = causal_mask(N), padding_mask(LENGTHS, M)
    itself, memory = decoder_attention(
        Z, Y, layers_of(model)[1], HEADS, causal, padding
    )
    Y, Z = torch.from_numpy(Y), torch.from_numpy(Z)
    own = torch_layers.torch_mask(causal, BATCH, HEADS, N, N)
    across = torch_layers.torch_mask(padding, BATCH, HEADS, N, M)
    for layer, one, other in zip(model.decoder.layers, itself, memory, strict=True):
        wanted = pytorch_weights(layer.self_attn, Z, Z, own)
        np.testing.assert_allclose(one, wanted, rtol=0, atol=1e-10)
        half = layer.norm1(Z + layer.self_attn(Z, Z, Z, attn_mask=own)[0])
        wanted = pytorch_weights(layer.multihead_attn, half, Y, across)
        np.testing.assert_allclose(other, wanted, rtol=0, atol=1e-10)
        Z = layer(Z, Y, own, across)


def test_embedding_at_positions_scales_the_embedding_alone():
    E = np.array([[1.0, 2.0], [3.0, 4.0]])
    got = embed_at_positions(np.array([1, 0]), E)
    wanted = np.sqrt(2) * E[::-1] + [[0, 1], [np.sin(1), np.cos(1)]]
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-15)
