"""Checks of the pullbacks of the input: lookup, scale, positions."""

import math

import numpy as np
import torch

from transformer_math.checks.embedding.lookup import random_ids
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.position.sinusoidal import encoding
from transformer_math.checks.sampling import even, size, tokens
from transformer_math.gradient.lookup import (
    add_position_vjp,
    embed_at_positions_vjp,
    embed_vjp,
    scale_embedding_vjp,
)


def ids_and_embeddings(rng, d_model):
    vocab_size = size(rng)
    return random_ids(rng, vocab_size), rng.normal(size=(vocab_size, d_model))


def torch_lookup(ids, E):
    return torch.nn.functional.embedding(torch.from_numpy(ids), E)


embed_as_autograd, embed_as_differences = check_gradient(
    embed_vjp,
    equation="eq-embedding-vjp",
    symbols={"return": "X"},
    function=torch_lookup,
    draw=lambda rng: ids_and_embeddings(rng, size(rng)),
    wrt=("E",),
)


@rejects_pullback(
    embed_as_autograd,
    "Where a token stands twice, your row keeps the last gradient: `dE[ids] = dX` overwrites, and so does `dE[ids] += dX`. They add up; np.add.at does it.",
)
def scattered_without_adding(dX, ids, E):
    dE = np.zeros_like(E)
    dE[ids] = dX
    return (dE,)


def summed(dX, ids, E):
    dE = np.zeros_like(E)
    np.add.at(dE, ids, dX)
    return dE


@rejects_pullback(
    embed_as_differences,
    "A token that stands in several places gets the mean of its gradients in your version; wanted their sum.",
)
def mean_of_the_places(dX, ids, E):
    counts = np.bincount(ids.ravel(), minlength=len(E))
    return (summed(dX, ids, E) / np.maximum(counts, 1)[:, None],)


@rejects_pullback(
    embed_as_differences,
    "Your rows are one off: token 0 has row 0.",
)
def one_row_off(dX, ids, E):
    return (np.roll(summed(dX, ids, E), 1, axis=0) + 1e-3,)


scale_as_autograd, scale_as_differences = check_gradient(
    scale_embedding_vjp,
    equation="eq-embedding-scale-vjp",
    symbols={"return": "X"},
    function=lambda X: X * math.sqrt(X.shape[-1]),
    draw=lambda rng: (tokens(rng, size(rng), size(rng, mostly=2)),),
)


@rejects_pullback(
    scale_as_autograd,
    "The factor √d_model is lost on the way back.",
)
def factor_lost(dX, X):
    return (np.array(dX),)


@rejects_pullback(
    scale_as_differences,
    "You divide by √d_model; a factor on the way there is the same factor on the way back.",
)
def factor_undone(dX, X):
    return (dX / math.sqrt(X.shape[-1]),)


def tokens_and_positions(rng):
    X = tokens(rng, size(rng), size(rng))
    return X, rng.normal(size=X.shape[-2:])


position_as_autograd, position_as_differences = check_gradient(
    add_position_vjp,
    equation="eq-add-position-vjp",
    symbols={"return": "Z"},
    function=lambda X, P: X + P,
    draw=tokens_and_positions,
    cases=12,
)
reject_careless_inputs(position_as_autograd, ("X", "P"))


@rejects_pullback(
    position_as_autograd,
    "Your positions hear of the first sequence of the batch alone: all leading axes are summed.",
)
def first_sequence_only(dZ, X, P):
    return dZ, dZ.reshape(-1, *P.shape)[0]


@rejects_pullback(
    position_as_differences,
    "Your positions get the mean over the sequences; they served every sequence, so they get the sum.",
)
def mean_over_sequences(dZ, X, P):
    return dZ, dZ.reshape(-1, *P.shape).mean(axis=0)


def torch_input(ids, E):
    *_, n = ids.shape
    d_model = E.shape[1]
    P = [encoding(position, d_model, 10000.0) for position in range(n)]
    return math.sqrt(d_model) * torch_lookup(ids, E) + torch.tensor(
        P, dtype=torch.float64
    )


input_as_autograd, input_as_differences = check_gradient(
    embed_at_positions_vjp,
    equation="eq-embed-at-positions-vjp",
    symbols={"return": "Z"},
    function=torch_input,
    draw=lambda rng: ids_and_embeddings(rng, even(rng)),
    wrt=("E",),
)
input_as_autograd.excuses(
    "its position has a sine and a cosine, so dimensions come in pairs",
    "d_model = 1",
)


@rejects_pullback(
    input_as_autograd,
    "The factor √d_model of the embeddings is lost on the way back.",
)
def input_factor_lost(dZ, ids, E):
    return (summed(dZ, ids, E),)


@rejects_pullback(
    input_as_differences,
    "Where a token stands twice, your row keeps the last gradient: they add up.",
)
def input_without_adding(dZ, ids, E):
    (dE,) = scattered_without_adding(dZ, ids, E)
    return (math.sqrt(E.shape[1]) * dE,)
