"""Checks of the whole model, against the same model put together from PyTorch's modules."""

import math
from dataclasses import replace

import numpy as np
import torch

from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.position.sinusoidal import encoding
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
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
    n, n_heads, vocab_size = size(rng), size(rng), size(rng, at_least=2)
    d_model = 2 * n_heads * size(rng)
    stack = torch.nn.TransformerEncoder(
        torch_layers.encoder_layer(rng, d_model, n_heads, size(rng)),
        2,
        enable_nested_tensor=False,
    )
    parts = torch.nn.ModuleList(
        [
            torch.nn.Embedding(vocab_size, d_model),
            stack,
            torch.nn.Linear(d_model, vocab_size, bias=False),
        ]
    )
    embedding, stack, last = torch_layers.shaken(parts, rng)
    ids = rng.integers(vocab_size, size=(3, n))
    positions = torch.tensor(
        [encoding(position, d_model, 10000.0) for position in range(n)],
        dtype=torch.float64,
    )
    wanted = torch.softmax(
        last(stack(math.sqrt(d_model) * embedding(torch.from_numpy(ids)) + positions)),
        dim=-1,
    )
    layers = tuple(
        torch_layers.encoder_layer_parameters(layer) for layer in stack.layers
    )
    parameters = TransformerParameters(
        torch_layers.array(embedding.weight), layers, torch_layers.array(last.weight).T
    )
    return difference(transformer(ids, parameters, n_heads), torch_layers.array(wanted))


@transformer_equals_torch.rejects(
    "Your model does not know where tokens stand: add the positions."
)
def without_positions(ids, p, n_heads, mask=None):
    X = scale_embedding(embed(ids, p.E))
    return probabilities(logits(encoder(X, p.layers, n_heads, mask), p.W_out))


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
