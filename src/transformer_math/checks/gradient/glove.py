"""Checks of the gradient of GloVe's loss, against PyTorch's autograd."""

import numpy as np
import torch

from transformer_math.checks.embedding.glove import (
    settings_of_weights,
    some_counts,
    vectors_for,
)
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.glove import glove_loss_vjp


def counts_and_vectors(rng):
    X = some_counts(rng)
    return X, *vectors_for(X, rng), *settings_of_weights(rng)[0]


def torch_glove_loss(X, W, W_context, b, b_context, x_max=100.0, alpha=0.75):
    """The pairs that met, as a list; f by clamping."""
    counts = torch.as_tensor(X)
    i, j = torch.nonzero(counts, as_tuple=True)
    met = counts[i, j]
    errors = (W[i] * W_context[j]).sum(-1) + b[i] + b_context[j] - met.log()
    return ((met / x_max).clamp(max=1).pow(alpha) * errors.square()).sum()


INPUTS = ("W", "W_context", "b", "b_context")
loss_as_autograd, loss_as_differences = check_gradient(
    glove_loss_vjp,
    equation="eq-glove-loss-vjp",
    symbols={"W": "W", "W_context": "W'", "b_context": "b'", "return": "mathcal:L"},
    function=torch_glove_loss,
    draw=counts_and_vectors,
    wrt=INPUTS,
)
reject_careless_inputs(loss_as_autograd, INPUTS)
for name, message in (
    ("x_max", "You ignore x_max: it says from which count on a pair weighs 1."),
    ("alpha", "You ignore α: the weights are a power."),
):
    loss_as_autograd.rejects(message)(ignoring(glove_loss_vjp, name))


def gradients(g, X, W, W_context, b, b_context, x_max, alpha, of_pairs):
    """The four gradients, from another gradient for each pair: `of_pairs(weights, errors)`."""
    errors = W @ W_context.T + b[:, None] + b_context - np.log(np.where(X > 0, X, 1))
    D = g * of_pairs(np.minimum(X / x_max, 1) ** alpha, errors)
    return D @ W_context, D.T @ W, D.sum(axis=1), D.sum(axis=0)


@rejects_pullback(
    loss_as_autograd,
    "The 2 of the square is missing in your gradient, as it is in the authors' program, whose loss has a factor 1/2.",
)
def square_without_its_two(g, *arguments):
    return gradients(g, *arguments, lambda f, e: f * e)


@rejects_pullback(
    loss_as_autograd, "The weights f(X) are missing: each pair pulls with its own."
)
def all_pairs_alike(g, *arguments):
    return gradients(g, *arguments, lambda f, e: 2 * (f > 0) * e)


@rejects_pullback(
    loss_as_differences,
    "You take the weight's square: it stands once before the error.",
)
def weight_twice(g, *arguments):
    return gradients(g, *arguments, lambda f, e: 2 * f**2 * e)


@rejects_pullback(
    loss_as_differences,
    "The gradient that arrives is ignored in your version: it multiplies.",
)
def arriving_gradient_forgotten(g, *arguments):
    return gradients(1.0, *arguments, lambda f, e: 2 * f * e)
