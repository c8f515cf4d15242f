"""Checks of the whole model, against the same model put together from PyTorch's modules."""

import math
from dataclasses import replace

import numpy as np
import torch

from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.position.sinusoidal import encoding
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, few, random_mask, size, sometimes
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model.encoder import encoder
from transformer_math.model.transformer import (
    TransformerParameters,
    embed_at_positions,
    transformer,
)
from transformer_math.output.probabilities import logits, probabilities
from transformer_math.position.sinusoidal import add_position, sinusoidal


def random_model(rng, n):
    """A model built of torch.nn modules, as a function of ids and mask; the same weights as ours; heads and vocabulary."""
    n_heads, vocab_size = size(rng), size(rng, mostly=2)
    d_model = 2 * n_heads * size(rng)
    stack = torch_layers.encoder(rng, few(rng), d_model, n_heads, size(rng))
    embedding = torch_layers.shaken(torch.nn.Embedding(vocab_size, d_model), rng)
    last = torch_layers.shaken(torch.nn.Linear(d_model, vocab_size, bias=False), rng)
    places = [encoding(position, d_model, 10000.0) for position in range(n)]
    P = torch.tensor(places, dtype=torch.float64)

    def model(ids, mask=None):
        *lead, n = ids.shape
        X = math.sqrt(d_model) * embedding(torch.from_numpy(ids.reshape(-1, n))) + P[:n]
        Z = stack(X, torch_layers.torch_mask(mask, *lead, n_heads, n, n))
        return torch.softmax(last(Z), dim=-1).reshape(*lead, n, vocab_size)

    layers = tuple(
        torch_layers.encoder_layer_parameters(layer) for layer in stack.layers
    )
    parameters = TransformerParameters(
        torch_layers.array(embedding.weight), layers, torch_layers.array(last.weight).T
    )
    return model, parameters, n_heads, vocab_size


@check(
    embed_at_positions,
    equation="eq-embed-at-positions",
    oracle="torch.nn.Embedding, and each position's sines and cosines",
)
def embedding_at_positions_equals_torch(embed_at_positions, rng):
    lead, n, vocab_size, d_model = batch(rng), size(rng), size(rng), 2 * size(rng)
    E = rng.normal(size=(vocab_size, d_model))
    ids = rng.integers(vocab_size, size=(*lead, n))
    rows = torch.nn.functional.embedding(torch.from_numpy(ids), torch.from_numpy(E))
    positions = [encoding(position, d_model, 10000.0) for position in range(n)]
    positions = torch.tensor(positions, dtype=torch.float64)
    return difference(embed_at_positions(ids, E), math.sqrt(d_model) * rows + positions)


embedding_at_positions_equals_torch.excuses(
    "its position has a sine and a cosine, so dimensions come in pairs",
    "d_model = 1",
)


@embedding_at_positions_equals_torch.rejects(
    "Your embeddings are added as they are: multiply them by √d_model before the positions are added."
)
def embeddings_unscaled(ids, E):
    return add_position(X := embed(ids, E), sinusoidal(*X.shape[-2:]))


@embedding_at_positions_equals_torch.rejects(
    "You multiply by √d_model after the positions were added: the embeddings alone are scaled."
)
def sum_scaled(ids, E):
    return scale_embedding(embeddings_unscaled(ids, E))


@embedding_at_positions_equals_torch.rejects(
    "You leave the positions out: without them the model does not know where tokens stand."
)
def positions_left_out(ids, E):
    return scale_embedding(embed(ids, E))


@check(
    transformer,
    equation="eq-transformer",
    symbols={"return": "p"},
    oracle="the model built of torch.nn modules, with the same weights",
    cases=20,
)
def transformer_equals_torch(transformer, rng):
    lead, n = batch(rng), size(rng)
    model, parameters, n_heads, vocab_size = random_model(rng, n)
    ids = rng.integers(vocab_size, size=(*lead, n))
    given, mask = sometimes(
        rng, np.array(np.broadcast_to(random_mask(rng, n, n), (n, n))), None
    )
    return difference(transformer(ids, parameters, n_heads, *given), model(ids, mask))


reject_careless_masks(transformer_equals_torch, "the encoder")


transformer_equals_torch.excuses(
    "its position has a sine and a cosine, so dimensions come in pairs",
    "d_model = 1",
)


@transformer_equals_torch.rejects(
    "Your model does not know where tokens stand: add the positions."
)
def without_positions(ids, p, n_heads, mask=None):
    X = scale_embedding(embed(ids, p.E))
    return probabilities(logits(encoder(X, p.layers, n_heads, mask), p.W_out))


@transformer_equals_torch.rejects(
    "Between the embeddings and the encoder two steps are missing: scale by √d_model, and add the positions."
)
def straight_into_the_encoder(ids, p, n_heads, mask=None):
    Z = encoder(embed(ids, p.E), p.layers, n_heads, mask)
    return probabilities(logits(Z, p.W_out))


@transformer_equals_torch.rejects("You return logits: take the softmax.")
def without_softmax(ids, p, n_heads, mask=None):
    X = scale_embedding(embed(ids, p.E))
    Z = add_position(X, sinusoidal(*X.shape[-2:]))
    return logits(encoder(Z, p.layers, n_heads, mask), p.W_out)


@transformer_equals_torch.rejects(
    "Your embeddings are added as they are: multiply them by √d_model before the positions are added."
)
def unscaled_embeddings(ids, p, n_heads, mask=None):
    return transformer(ids, replace(p, E=p.E / np.sqrt(p.E.shape[1])), n_heads, mask)


@transformer_equals_torch.rejects(
    "You multiply by √d_model after the positions were added: the embeddings alone are scaled."
)
def positions_scaled_too(ids, p, n_heads, mask=None):
    X = embed(ids, p.E)
    Z = scale_embedding(add_position(X, sinusoidal(*X.shape[-2:])))
    return probabilities(logits(encoder(Z, p.layers, n_heads, mask), p.W_out))


@check(
    transformer,
    equation="eq-transformer",
    symbols={"return": "p"},
    oracle="the same model in torch.nn, on the tokens up to some place alone: later ones change nothing under a causal mask",
    cases=20,
)
def no_later_token_changes_an_earlier_output(transformer, rng):
    lead, n = batch(rng), size(rng, at_least=2)
    model, parameters, n_heads, vocab_size = random_model(rng, n)
    ids = rng.integers(vocab_size, size=(*lead, n))
    past = int(rng.integers(1, n))
    p = transformer(ids, parameters, n_heads, np.tri(n, dtype=bool))
    return difference(
        np.asarray(p)[..., :past, :],
        model(ids[..., :past], np.tri(past, dtype=bool)),
    )


@no_later_token_changes_an_earlier_output.rejects(
    "You ignore the mask: every layer lets the future in."
)
def all_in_sight(ids, p, n_heads, mask=None):
    return transformer(ids, p, n_heads)


@no_later_token_changes_an_earlier_output.rejects(
    "Your first layer has the mask and the others have not: one layer without it is enough, and the future is in."
)
def first_layer_alone_masked(ids, p, n_heads, mask=None):
    X = scale_embedding(embed(ids, p.E))
    Z = add_position(X, sinusoidal(*X.shape[-2:]))
    Z = encoder(encoder(Z, p.layers[:1], n_heads, mask), p.layers[1:], n_heads)
    return probabilities(logits(Z, p.W_out))


@no_later_token_changes_an_earlier_output.rejects(
    "You subtract the mean of all tokens from the embeddings: a mean over the sequence holds the future, whatever the mask forbids."
)
def centred_over_the_sequence(ids, p, n_heads, mask=None):
    X = scale_embedding(embed(ids, p.E))
    X = X - X.mean(axis=-2, keepdims=True)
    Z = encoder(add_position(X, sinusoidal(*X.shape[-2:])), p.layers, n_heads, mask)
    return probabilities(logits(Z, p.W_out))


@transformer_equals_torch.rejects("You multiply by d_model; wanted its square root.")
def scaled_by_the_width(ids, p, n_heads, mask=None):
    return transformer(ids, replace(p, E=p.E * np.sqrt(p.E.shape[1])), n_heads, mask)


@transformer_equals_torch.rejects(
    "You divide by √d_model, as attention does with its scores; embeddings are multiplied by it."
)
def divided_by_the_root(ids, p, n_heads, mask=None):
    return transformer(ids, replace(p, E=p.E / p.E.shape[1]), n_heads, mask)


@transformer_equals_torch.rejects(
    "Where no mask is given every token sees every other; yours is causal always."
)
def always_causal(ids, p, n_heads, mask=None):
    return transformer(ids, p, n_heads, np.tri(ids.shape[-1], dtype=bool))


@transformer_equals_torch.rejects(
    "Your output projection is the transposed embedding: this model has a matrix of its own for it, W_out."
)
def tied_output(ids, p, n_heads, mask=None):
    return transformer(ids, replace(p, W_out=p.E.T.copy()), n_heads, mask)
