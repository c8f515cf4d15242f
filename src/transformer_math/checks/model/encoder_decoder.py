"""Checks of the whole Transformer, against PyTorch's nn.Transformer between embeddings and projection."""

import math
from dataclasses import replace

import numpy as np
import torch

from transformer_math.attention.masks import causal_mask
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.position.sinusoidal import encoding
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, few, mask_for_heads, size
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model.decoder import decoder
from transformer_math.model.encoder import encoder
from transformer_math.model.encoder_decoder import (
    EncoderDecoderParameters,
    encoder_decoder,
    encoder_decoder_logits,
)
from transformer_math.model.transformer import embed_at_positions
from transformer_math.output.probabilities import logits, probabilities


def torch_model(rng, n_heads, d_model):
    """nn.Transformer with stacks of random height and without last normalisations, which the paper does not have."""
    sizes = d_model, n_heads, size(rng)
    read, write = (few(rng) for _ in range(2))
    model = torch.nn.Transformer(
        d_model,
        n_heads,
        custom_encoder=torch_layers.encoder(rng, read, *sizes),
        custom_decoder=torch_layers.decoder(rng, write, *sizes),
        batch_first=True,
    )
    return torch_layers.shaken(model, rng)  # it has drawn its matrices anew, unseeded


def torch_tokens(ids, embedding):
    """Scaled embeddings and positions of the rows of a batch."""
    d_model, n = embedding.embedding_dim, ids.shape[-1]
    positions = [encoding(position, d_model, 10000.0) for position in range(n)]
    rows = embedding(torch.from_numpy(ids.reshape(-1, n)))
    return math.sqrt(d_model) * rows + torch.tensor(positions, dtype=torch.float64)


def random_masks(rng, lead, n_heads, n, m):
    """A mask of the source, one row as padding has it; one of the target. Those that are passed on, and those that hold."""
    source = mask_for_heads(rng, lead, n_heads, 1, m)
    target = mask_for_heads(rng, lead, n_heads, n, n)
    given = [(), (source,), (None, target), (source, target)][rng.integers(4)]
    source, target = (*given, None, None)[:2]
    return given, source, np.tri(n, dtype=bool) if target is None else target


@check(
    encoder_decoder,
    equation="eq-encoder-decoder",
    symbols={"return": "p"},
    oracle="torch.nn.Transformer between torch.nn.Embedding and torch.nn.Linear, with the same weights",
    cases=24,
)
def encoder_decoder_equals_torch(encoder_decoder, rng):
    lead, n, m = batch(rng), size(rng), size(rng)
    n_heads, d_k = few(rng), few(rng)
    d_model, V, V_source = 2 * n_heads * d_k, size(rng, mostly=2), size(rng, mostly=5)
    model = torch_model(rng, n_heads, d_model)
    embeddings = [
        torch_layers.shaken(torch.nn.Embedding(rows, d_model), rng)
        for rows in (V_source, V)
    ]
    last = torch_layers.shaken(torch.nn.Linear(d_model, V, bias=False), rng)
    source, target = (
        rng.integers(V_source, size=(*lead, m)),
        rng.integers(V, size=(*lead, n)),
    )
    given, hidden, future = random_masks(rng, lead, n_heads, n, m)
    hidden = np.ones((1, m), dtype=bool) if hidden is None else hidden
    Z = model(
        *(torch_tokens(ids, E) for ids, E in zip((source, target), embeddings)),
        src_mask=torch_layers.torch_mask(hidden, *lead, n_heads, m, m),
        tgt_mask=torch_layers.torch_mask(future, *lead, n_heads, n, n),
        memory_mask=torch_layers.torch_mask(hidden, *lead, n_heads, n, m),
    )
    parameters = EncoderDecoderParameters(
        *(torch_layers.array(E.weight) for E in embeddings),
        tuple(map(torch_layers.encoder_layer_parameters, model.encoder.layers)),
        tuple(map(torch_layers.decoder_layer_parameters, model.decoder.layers)),
        torch_layers.array(last.weight).T,
    )
    wanted = torch.softmax(last(Z), dim=-1).reshape(*lead, n, V)
    return difference(
        encoder_decoder(source, target, parameters, n_heads, *given), wanted
    )


reject_careless_masks(
    encoder_decoder_equals_torch,
    "the encoder and to the decoder's cross-attention",
    "source_mask",
)
reject_careless_masks(
    encoder_decoder_equals_torch, "the decoder's self-attention", "target_mask"
)


encoder_decoder_equals_torch.excuses(
    "its position has a sine and a cosine, so dimensions come in pairs",
    "d_model = 1",
)


@encoder_decoder_equals_torch.rejects(
    "Where no target_mask is given, your decoder sees the future: the causal mask holds then."
)
def no_causal_mask(s, t, p, n_heads, source_mask=None, target_mask=None):
    if target_mask is None:
        target_mask = np.ones((1, t.shape[-1]), dtype=bool)
    return encoder_decoder(s, t, p, n_heads, source_mask, target_mask)


def run(p, n_heads, X, Z, masks, read=encoder, write=decoder):
    """The model from the vectors of both sides on, with one part exchanged: the material of wrong versions."""
    of_encoder, of_decoder, of_memory = masks
    if of_decoder is None:
        of_decoder = causal_mask(Z.shape[-2])
    memory = read(X, p.encoder, n_heads, of_encoder)
    Z = write(Z, memory, p.decoder, n_heads, of_decoder, of_memory)
    return probabilities(logits(Z, p.W_out))


def both(s, t, p):
    return embed_at_positions(s, p.E_source), embed_at_positions(t, p.E_target)


@encoder_decoder_equals_torch.rejects(
    "Your decoder reads the padding of the source: the source_mask holds for its cross-attention too."
)
def padding_read_by_the_decoder(s, t, p, n_heads, source_mask=None, target_mask=None):
    return run(p, n_heads, *both(s, t, p), (source_mask, target_mask, None))


@encoder_decoder_equals_torch.rejects(
    "Your encoder reads the padding of the source: the source_mask holds for it too."
)
def padding_read_by_the_encoder(s, t, p, n_heads, source_mask=None, target_mask=None):
    return run(p, n_heads, *both(s, t, p), (None, target_mask, source_mask))


@encoder_decoder_equals_torch.rejects(
    "Your decoder reads the embedded source; the memory is what the encoder made of it."
)
def encoder_left_out(s, t, p, n_heads, source_mask=None, target_mask=None):
    masks = (source_mask, target_mask, source_mask)
    return run(p, n_heads, *both(s, t, p), masks, read=lambda X, *_: X)


@encoder_decoder_equals_torch.rejects(
    "You normalise what leaves the stacks once more, as nn.Transformer does; the paper's layers end with a normalisation already."
)
def normalised_again(s, t, p, n_heads, source_mask=None, target_mask=None):
    def and_normalise(stack):
        d_model = p.E_source.shape[1]
        norm = NormParameters(np.ones(d_model), np.zeros(d_model))
        return lambda *arguments: layer_norm(stack(*arguments), norm)

    masks = (source_mask, target_mask, source_mask)
    stacks = map(and_normalise, (encoder, decoder))
    return run(p, n_heads, *both(s, t, p), masks, *stacks)


@encoder_decoder_equals_torch.rejects(
    "The target does not know where its tokens stand: positions are added on both sides."
)
def target_without_positions(s, t, p, n_heads, source_mask=None, target_mask=None):
    X, Z = embed_at_positions(s, p.E_source), scale_embedding(embed(t, p.E_target))
    return run(p, n_heads, X, Z, (source_mask, target_mask, source_mask))


@encoder_decoder_equals_torch.rejects(
    "The source does not know where its tokens stand: positions are added on both sides."
)
def source_without_positions(s, t, p, n_heads, source_mask=None, target_mask=None):
    X, Z = scale_embedding(embed(s, p.E_source)), embed_at_positions(t, p.E_target)
    return run(p, n_heads, X, Z, (source_mask, target_mask, source_mask))


@encoder_decoder_equals_torch.rejects(
    "Your embeddings are added as they are: multiply both by √d_model before the positions are added."
)
def unscaled_embeddings(s, t, p, n_heads, source_mask=None, target_mask=None):
    root = np.sqrt(p.E_source.shape[1])
    p = replace(p, E_source=p.E_source / root, E_target=p.E_target / root)
    return encoder_decoder(s, t, p, n_heads, source_mask, target_mask)


@encoder_decoder_equals_torch.rejects("You return logits: take the softmax.")
def without_softmax(s, t, p, n_heads, source_mask=None, target_mask=None):
    return encoder_decoder_logits(s, t, p, n_heads, source_mask, target_mask)


@encoder_decoder_equals_torch.rejects(
    "Each of your decoder layers reads the encoder layer beside it; all of them read the last one."
)
def layers_in_pairs(s, t, p, n_heads, source_mask=None, target_mask=None):
    Y, Z = both(s, t, p)
    mask = causal_mask(t.shape[-1]) if target_mask is None else target_mask
    for i, layer in enumerate(p.decoder):
        Y = encoder(Y, p.encoder[i : i + 1], n_heads, source_mask)
        Z = decoder(Z, Y, [layer], n_heads, mask, source_mask)
    return probabilities(logits(Z, p.W_out))
