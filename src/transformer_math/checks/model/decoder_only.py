"""Checks of the decoder-only model, against the same model put together from PyTorch's parts."""

from dataclasses import replace

import numpy as np
import torch
from torch.nn import functional as F

from transformer_math.block.decoder_only_layer import decoder_only_layer
from transformer_math.block.layer_norm import layer_norm
from transformer_math.checks.block.decoder_only_layer import random_layer, torch_layer
from transformer_math.checks.block.layer_norm import random_parameters
from transformer_math.checks.compare import difference
from transformer_math.checks.gradients import as_tensors
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, small_batch
from transformer_math.embedding.lookup import embed, scale_embedding
from transformer_math.model.decoder_only import (
    DecoderOnlyParameters,
    decoder_only_logits,
)
from transformer_math.position.sinusoidal import add_position, sinusoidal


def random_model(rng):
    """A model's parameters, ids for it, and how many heads its layers have."""
    n_heads, V, d_model = few(rng), size(rng, mostly=2), size(rng)
    parameters = DecoderOnlyParameters(
        E=rng.normal(size=(V, d_model)),
        layers=tuple(random_layer(rng, d_model, n_heads) for _ in range(few(rng))),
        norm=random_parameters(rng, d_model),
    )
    ids = rng.integers(V, size=(*small_batch(rng), size(rng, mostly=3)))
    return ids, parameters, n_heads


def torch_logits(ids, p, n_heads):
    """The model of PyTorch's parts, on a tree of tensors."""
    d_model = p.E.shape[1]
    Z = d_model**0.5 * F.embedding(torch.as_tensor(ids), p.E)
    for layer in p.layers:
        Z = torch_layer(Z, layer, n_heads)
    return F.layer_norm(Z, (d_model,), p.norm.gamma, p.norm.beta) @ p.E.T


@check(
    decoder_only_logits,
    equation="eq-decoder-only",
    symbols={"return": "x"},
    oracle="the model of PyTorch's embedding, normalisation and fused attention, with the same weights",
    cases=24,
)
def decoder_only_equals_torch(decoder_only_logits, rng):
    ids, parameters, n_heads = random_model(rng)
    wanted = torch_logits(ids, as_tensors(parameters), n_heads)
    return difference(decoder_only_logits(ids, parameters, n_heads), wanted)


def _run(Z, p, n_heads):
    for layer in p.layers:
        Z = decoder_only_layer(Z, layer, n_heads)
    return Z


@decoder_only_equals_torch.rejects(
    "The norm after the last layer is missing: in pre-norm nothing else normalises what leaves the stack."
)
def without_last_norm(ids, p, n_heads):
    return _run(scale_embedding(embed(ids, p.E)), p, n_heads) @ p.E.T


@decoder_only_equals_torch.rejects(
    "Your embeddings go in as they are: multiply them by √d_model."
)
def unscaled(ids, p, n_heads):
    return layer_norm(_run(embed(ids, p.E), p, n_heads), p.norm) @ p.E.T


@decoder_only_equals_torch.rejects(
    "You add sinusoids to the embeddings; here positions turn queries and keys, and nothing is added."
)
def sinusoids_too(ids, p, n_heads):
    X = scale_embedding(embed(ids, p.E))
    Z = add_position(X, sinusoidal(*X.shape[-2:]))
    return layer_norm(_run(Z, p, n_heads), p.norm) @ p.E.T


@decoder_only_equals_torch.rejects(
    "Your layers run in the wrong order: the first one comes first."
)
def last_layer_first(ids, p, n_heads):
    return decoder_only_logits(ids, replace(p, layers=p.layers[::-1]), n_heads)


@decoder_only_equals_torch.rejects(
    "Every layer of yours has the first one's parameters; each has its own."
)
def one_layer_shared(ids, p, n_heads):
    return decoder_only_logits(
        ids, replace(p, layers=p.layers[:1] * len(p.layers)), n_heads
    )


@decoder_only_equals_torch.rejects(
    "You return probabilities; wanted the logits, before the softmax."
)
def with_softmax(ids, p, n_heads):
    x = decoder_only_logits(ids, p, n_heads)
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)
