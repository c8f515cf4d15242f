"""Checks of FastText's gradients, against PyTorch's autograd."""

import numpy as np
import torch

from transformer_math.checks.embedding.fasttext import counts_and_vectors, some_sums
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.gradient.fasttext import (
    expected_sampling_loss_vjp,
    sum_of_ngrams_vjp,
)

sums_as_autograd, sums_as_differences = check_gradient(
    sum_of_ngrams_vjp,
    equation="eq-ngram-sum-vjp",
    symbols={"rows": "r", "owners": "o", "return": "W"},
    function=lambda rows, owners, Z: torch.nn.functional.embedding_bag(
        torch.as_tensor(rows),
        Z,
        torch.as_tensor(np.flatnonzero(np.diff(owners, prepend=-1))),
        mode="sum",
    ),
    draw=some_sums,
    wrt=("Z",),
)


@rejects_pullback(
    sums_as_autograd,
    "An n-gram of several words gets the gradient of the last alone: add them up, with np.add.at.",
)
def last_word_alone(dW, rows, owners, Z):
    dZ = np.zeros_like(Z)
    dZ[rows] = dW[owners]
    return (dZ,)


@rejects_pullback(
    sums_as_differences,
    "You divide by the number of n-grams: that is the pullback of a mean.",
)
def of_a_mean(dW, rows, owners, Z):
    dZ = np.zeros_like(Z)
    np.add.at(dZ, rows, (dW / np.bincount(owners)[:, None])[owners])
    return (dZ,)


loss_as_autograd, loss_as_differences = check_gradient(
    expected_sampling_loss_vjp,
    equation="eq-expected-sampling-vjp",
    symbols={"W": "W", "W_context": "W'", "return": "mathcal:L"},
    function=lambda X, N, W, W_context: (
        -(
            torch.as_tensor(X) * torch.nn.functional.logsigmoid(W @ W_context.T)
            + torch.as_tensor(N) * torch.nn.functional.logsigmoid(-W @ W_context.T)
        ).sum()
    ),
    draw=counts_and_vectors,
    wrt=("W", "W_context"),
)
reject_careless_inputs(loss_as_autograd, ("W", "W_context"))


def gradients(g, X, N, W, C, of_pairs):
    s = (1 + np.tanh(W @ C.T / 2)) / 2
    D = g * of_pairs(X, N, s)
    return D @ C, D.T @ W


@rejects_pullback(
    loss_as_autograd,
    "The negative examples pull too: N σ is missing, which pushes the vectors apart.",
)
def attraction_alone(g, *arguments):
    return gradients(g, *arguments, lambda X, N, s: X * s - X)


@rejects_pullback(
    loss_as_autograd, "You have the slope of σ, not of its logarithm: 1 − σ, without σ."
)
def slope_of_sigma(g, *arguments):
    return gradients(g, *arguments, lambda X, N, s: (N - X) * s * (1 - s))


@rejects_pullback(
    loss_as_differences,
    "The gradient that arrives is ignored in your version: it multiplies.",
)
def arriving_one_forgotten(g, *arguments):
    return gradients(1.0, *arguments, lambda X, N, s: (X + N) * s - X)
