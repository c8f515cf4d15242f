"""Checks of the whole model, against the same model put together from PyTorch's modules."""

import math
from dataclasses import replace

import numpy as np
import torch

from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.position.sinusoidal import encoding
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, random_mask, size, sometimes
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model.encoder import encoder
from transformer_math.model.transformer import TransformerParameters, transformer
from transformer_math.output.probabilities import logits, probabilities
from transformer_math.position.sinusoidal import add_position, sinusoidal


@check(
    transformer,
    equation="eq-transformer",
    oracle="the model built of torch.nn modules, with the same weights",
    cases=20,
)
def transformer_equals_torch(transformer, rng):
    lead, n, n_heads, vocab_size = (
        batch(rng),
        size(rng),
        size(rng),
        size(rng, at_least=2),
    )
    d_model = 2 * n_heads * size(rng)
    stack = torch_layers.encoder(rng, 2, d_model, n_heads, size(rng))
    embedding = torch_layers.shaken(torch.nn.Embedding(vocab_size, d_model), rng)
    last = torch_layers.shaken(torch.nn.Linear(d_model, vocab_size, bias=False), rng)
    ids = rng.integers(vocab_size, size=(*lead, n))
    given, mask = sometimes(
        rng, np.array(np.broadcast_to(random_mask(rng, n, n), (n, n))), None
    )
    positions = torch.tensor(
        [encoding(position, d_model, 10000.0) for position in range(n)],
        dtype=torch.float64,
    )
    X = math.sqrt(d_model) * embedding(torch.from_numpy(ids.reshape(-1, n))) + positions
    Z = stack(X, torch_layers.torch_mask(mask, *lead, n_heads, n, n))
    wanted = torch.softmax(last(Z), dim=-1).reshape(*lead, n, vocab_size)
    layers = tuple(
        torch_layers.encoder_layer_parameters(layer) for layer in stack.layers
    )
    parameters = TransformerParameters(
        torch_layers.array(embedding.weight), layers, torch_layers.array(last.weight).T
    )
    return difference(transformer(ids, parameters, n_heads, *given), wanted)


reject_careless_masks(transformer_equals_torch, "the encoder")


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
    return np.log(transformer(ids, p, n_heads, mask))


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
