"""Checks of softmax's pullback."""

import numpy as np
import torch

from transformer_math.attention.softmax import softmax
from transformer_math.checks.compare import difference
from transformer_math.checks.gradient.probabilities import random_logits
from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.gradient.softmax import softmax_vjp

softmax_as_autograd, softmax_as_differences = check_gradient(
    softmax_vjp,
    equation="eq-softmax-vjp",
    symbols={"x": "s", "return": "a"},
    function=lambda x: torch.softmax(x, dim=-1),
    draw=lambda rng: (random_logits(rng),),
)


@rejects_pullback(
    softmax_as_autograd,
    "The sum is missing: subtract from each gradient the mean of its row, weighted by the weights.",
)
def no_competition(dA, x):
    return (softmax(x) * dA,)


@rejects_pullback(
    softmax_as_autograd,
    "You have the diagonal of the Jacobian alone, a(1 − a): raising one score lowers the other weights too.",
)
def diagonal_only(dA, x):
    A = softmax(x)
    return (A * (1 - A) * dA,)


@rejects_pullback(
    softmax_as_autograd,
    "You subtract the plain mean of the row; wanted the mean weighted by the weights, Σ a·da.",
)
def plain_mean(dA, x):
    return (softmax(x) * (dA - dA.mean(axis=-1, keepdims=True)),)


@rejects_pullback(
    softmax_as_autograd,
    "Your sum runs over the rows; every row has a softmax of its own, so sum over the last axis.",
)
def sum_over_rows(dA, x):
    A = softmax(x)
    return (A * (dA - (A * dA).sum(axis=max(-2, -A.ndim), keepdims=True)),)


@rejects_pullback(
    softmax_as_autograd,
    "The factor a_j in front is missing: a score with a small weight changes little.",
)
def factor_in_front_lost(dA, x):
    A = softmax(x)
    return (dA - (A * dA).sum(axis=-1, keepdims=True),)


@rejects_pullback(
    softmax_as_differences,
    "You add the weighted mean; the Jacobian is a_i(δ_ij − a_j), with a minus.",
)
def plus_for_minus(dA, x):
    A = softmax(x)
    return (A * (dA + (A * dA).sum(axis=-1, keepdims=True)),)


@rejects_pullback(
    softmax_as_differences,
    "You pass the gradient on as if softmax were the identity.",
)
def passed_on(dA, x):
    return (np.array(dA),)


@rejects_pullback(
    softmax_as_autograd,
    "You subtract the mean of a·da, which is that over the number of entries; the weights sum to 1 already, so sum.",
)
def mean_for_sum(dA, x):
    A = softmax(x)
    return (A * (dA - (A * dA).mean(axis=-1, keepdims=True)),)


@rejects_pullback(
    softmax_as_autograd,
    "Your sum runs over the whole array; every row has a softmax of its own: axis=-1, keepdims=True.",
)
def sum_over_everything(dA, x):
    A = softmax(x)
    return (A * (dA - (A * dA).sum()),)


@check(
    softmax_vjp,
    equation="eq-softmax-vjp",
    symbols={"x": "s", "return": "a"},
    oracle="torch.autograd",
    cases=6,
    wrt=("x",),
)
def softmax_vjp_knows_no_zero(softmax_vjp, rng):
    """Scores so large that their exponentials overflow."""
    x = rng.normal(size=(size(rng), size(rng, mostly=2))) + 2000
    gradient = rng.normal(size=x.shape)
    moved = torch.from_numpy(x).requires_grad_()
    value = torch.softmax(moved, dim=-1)
    value.backward(torch.from_numpy(gradient))
    got, pullback = softmax_vjp(x)
    return difference([got, pullback(gradient)], [value, (moved.grad,)])


@softmax_vjp_knows_no_zero.rejects(
    "Your exponentials overflow where scores are large: take the largest score of each row away first, or call softmax."
)
def overflowing(x):
    A = np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)
    return A, lambda dA: (A * (dA - (A * dA).sum(axis=-1, keepdims=True)),)
