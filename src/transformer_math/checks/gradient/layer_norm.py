"""Checks of the pullbacks of layer normalisation and of the residuals around it."""

from dataclasses import dataclass, replace

import numpy as np
import torch

from transformer_math.block.layer_norm import NormParameters
from transformer_math.checks.block.layer_norm import random_norm
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import size, tokens
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.layer_norm import (
    add_norm_vjp,
    layer_norm_vjp,
    pre_norm_vjp,
    residual_vjp,
)
from transformer_math.trees import map_leaves


def torch_norm(x, p, eps=1e-5):
    return torch.nn.functional.layer_norm(x, p.gamma.shape, p.gamma, p.beta, eps)


def norm_case(rng):
    x, p, given, _ = random_norm(rng)
    return (x, p, *given)


norm_as_autograd, norm_as_differences = check_gradient(
    layer_norm_vjp,
    equation="eq-layer-norm-vjp",
    axes={"x": "n d_model", "return": "n d_model"},
    symbols={"return": "y"},
    function=torch_norm,
    draw=norm_case,
    wrt=("x", "parameters"),
)
reject_careless_inputs(norm_as_autograd, ("x", "parameters"))
norm_as_autograd.rejects(
    "You ignore ε: it stands under the root, on the way back too."
)(ignoring(layer_norm_vjp, "eps"))


def parts(x, eps):
    """The normalised tokens, and the root that they were divided by."""
    centred = x - x.mean(axis=-1, keepdims=True)
    root = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    return centred / root, root


def mean(x):
    return x.mean(axis=-1, keepdims=True)


def of_scale_and_shift(dy, normed):
    rows = tuple(range(dy.ndim - 1))
    return NormParameters((dy * normed).sum(axis=rows), dy.sum(axis=rows))


def of_tokens(g, normed, root):
    return (g - mean(g) - normed * mean(g * normed)) / root


def gradients(dy, x, p, eps, of_tokens=of_tokens):
    """The gradients, with another way to make that of the tokens from g, the normalised tokens and the root."""
    normed, root = parts(x, eps)
    return of_tokens(p.gamma * dy, normed, root), of_scale_and_shift(dy, normed)


@rejects_pullback(
    norm_as_autograd,
    "The mean of g is not subtracted: the mean of x was taken away on the way there, and depends on every entry.",
)
def mean_not_subtracted(dy, x, p, eps):
    return gradients(dy, x, p, eps, lambda g, z, s: (g - z * mean(g * z)) / s)


@rejects_pullback(
    norm_as_autograd,
    "You treat σ as a constant: it depends on every entry, so x̂ times the mean of g·x̂ is subtracted too.",
)
def deviation_held_constant(dy, x, p, eps):
    return gradients(dy, x, p, eps, lambda g, z, s: (g - mean(g)) / s)


@rejects_pullback(
    norm_as_autograd,
    "ε is forgotten on the way back: the root is that of σ² + ε.",
)
def epsilon_forgotten(dy, x, p, eps):
    def bare(root):
        return np.sqrt(np.maximum(root**2 - eps, 1e-30))

    return gradients(dy, x, p, eps, lambda g, z, s: of_tokens(g, z, bare(s)))


@rejects_pullback(
    norm_as_autograd,
    "γ is missing in the gradient of x: it multiplies dy first.",
)
def scale_forgotten(dy, x, p, eps):
    return gradients(dy, x, p, eps, lambda g, z, s: of_tokens(dy, z, s))


@rejects_pullback(
    norm_as_autograd,
    "You do not divide by the root: what was divided by σ on the way there is divided by σ on the way back.",
)
def root_forgotten(dy, x, p, eps):
    return gradients(dy, x, p, eps, lambda g, z, s: of_tokens(g, z, 1.0))


@rejects_pullback(
    norm_as_differences,
    "The gradient of γ is multiplied by x itself; wanted the normalised x̂, which γ met.",
)
def scale_by_raw_tokens(dy, x, p, eps):
    dx, _ = gradients(dy, x, p, eps)
    return dx, of_scale_and_shift(dy, x)


@rejects_pullback(
    norm_as_differences,
    "γ and β get means over the tokens; they served every token, so they get sums.",
)
def means_over_tokens(dy, x, p, eps):
    dx, sums = gradients(dy, x, p, eps)
    n = dy.size // dy.shape[-1]
    return dx, map_leaves(lambda total: total / n, sums)


@rejects_pullback(
    norm_as_autograd,
    "You add x̂ times the mean of g·x̂; it is subtracted, as the mean of g is.",
)
def deviation_added(dy, x, p, eps):
    return gradients(dy, x, p, eps, lambda g, z, s: (g - mean(g) + z * mean(g * z)) / s)


@rejects_pullback(
    norm_as_autograd,
    "You subtract x̂ times the sum of g·x̂; wanted their mean: σ² is a mean over d entries.",
)
def sum_for_mean(dy, x, p, eps):
    return gradients(
        dy,
        x,
        p,
        eps,
        lambda g, z, s: (g - mean(g) - z * (g * z).sum(axis=-1, keepdims=True)) / s,
    )


@rejects_pullback(
    norm_as_autograd,
    "γ gets γ dy x̂ in your version; it met x̂ alone: dγ is the sum of dy x̂, without γ.",
)
def scale_of_itself(dy, x, p, eps):
    dx, dp = gradients(dy, x, p, eps)
    return dx, replace(dp, gamma=p.gamma * dp.gamma)


@rejects_pullback(
    norm_as_autograd,
    "β gets γ dy in your version; it was added after γ: dβ is the sum of dy.",
)
def shift_before_scale(dy, x, p, eps):
    dx, dp = gradients(dy, x, p, eps)
    return dx, replace(dp, beta=p.gamma * dp.beta)


@rejects_pullback(
    norm_as_autograd,
    "The gradient of γ is missing in your version: it is not 0.",
)
def scale_missing(dy, x, p, eps):
    dx, dp = gradients(dy, x, p, eps)
    return dx, replace(dp, gamma=0 * dp.gamma)


@rejects_pullback(
    norm_as_autograd,
    "The gradient of β is missing in your version: it is not 0.",
)
def shift_missing(dy, x, p, eps):
    dx, dp = gradients(dy, x, p, eps)
    return dx, replace(dp, beta=0 * dp.beta)


residual_as_autograd, residual_as_differences = check_gradient(
    residual_vjp,
    equation="eq-residual-vjp",
    symbols={"update": "u", "return": "y"},
    function=lambda x, update: x + update,
    draw=lambda rng: (x := tokens(rng, size(rng)), rng.normal(size=x.shape)),
)
reject_careless_inputs(residual_as_autograd, ("x", "update"))


@rejects_pullback(
    residual_as_differences,
    "You divide the gradient between the two summands; each gets the whole.",
)
def halved(dy, x, update):
    return dy / 2, dy / 2


def add_norm_case(rng):
    x, *rest = norm_case(rng)
    return (x, rng.normal(size=x.shape), *rest)


add_norm_as_autograd, add_norm_as_differences = check_gradient(
    add_norm_vjp,
    equation="eq-add-norm-vjp",
    axes={"x": "n d_model", "update": "n d_model", "return": "n d_model"},
    symbols={"x": "Z", "return": "Z'"},
    function=lambda x, update, *rest: torch_norm(x + update, *rest),
    draw=add_norm_case,
    wrt=("x", "update", "parameters"),
)
reject_careless_inputs(add_norm_as_autograd, ("x", "update", "parameters"))
add_norm_as_autograd.rejects("You ignore ε: pass it on to the normalisation.")(
    ignoring(add_norm_vjp, "eps")
)


@rejects_pullback(
    add_norm_as_autograd,
    "Your residual goes around the normalisation; in post-norm the sum itself is normalised, and both summands pull back through it.",
)
def around_the_norm(dy, x, update, p, eps):
    _, pullback = layer_norm_vjp(x + update, p, eps)
    dx, *rest = pullback(dy)
    return dy + dx, dx, *rest


@rejects_pullback(
    add_norm_as_differences,
    "You normalise the update alone on the way back; what was normalised is the sum.",
)
def norm_of_the_update(dy, x, update, p, eps):
    dx, *rest = layer_norm_vjp(update, p, eps)[1](dy)
    return dx, dx, *rest


@rejects_pullback(
    add_norm_as_autograd,
    "You share the gradient out among the two summands; a sum hands each of them the whole of it.",
)
def shared_out(dy, x, update, p, eps):
    dx, *rest = layer_norm_vjp(x + update, p, eps)[1](dy)
    return dx / 2, dx / 2, *rest


@rejects_pullback(
    add_norm_as_autograd,
    "The gradient of both summands goes around the normalisation as well; in post-norm there is no way around it.",
)
def both_around_the_norm(dy, x, update, p, eps):
    dx, *rest = layer_norm_vjp(x + update, p, eps)[1](dy)
    return dy + dx, dy + dx, *rest


@rejects_pullback(
    add_norm_as_autograd,
    "The gradient of x is dy in your version, as if x were added after the normalisation; it is normalised with the update.",
)
def only_around_the_norm(dy, x, update, p, eps):
    dx, *rest = layer_norm_vjp(x + update, p, eps)[1](dy)
    return np.array(dy), dx, *rest


@dataclass(frozen=True)
class Linear:
    """A sublayer with a matrix of its own, as a twin."""

    W: np.ndarray

    def __call__(self, x):
        return x @ self.W, lambda dy: (dy @ self.W.T,)


def pre_norm_case(rng):
    x, p, *given = norm_case(rng)
    W = rng.normal(size=(x.shape[-1], x.shape[-1]))
    return (x, Linear(W), p, *given)


pre_norm_as_autograd, pre_norm_as_differences = check_gradient(
    pre_norm_vjp,
    equation="eq-pre-norm-vjp",
    axes={"x": "n d_model", "return": "n d_model"},
    symbols={"x": "Z", "return": "Z'"},
    function=lambda x, sublayer, *rest: (
        x + torch_norm(x, *rest) @ torch.from_numpy(sublayer.W)
    ),
    draw=pre_norm_case,
    wrt=("x", "parameters"),
)
reject_careless_inputs(pre_norm_as_autograd, ("x", "parameters"))
pre_norm_as_autograd.rejects("You ignore ε: pass it on to the normalisation.")(
    ignoring(pre_norm_vjp, "eps")
)


def through_norm(dy, x, sublayer, p, eps):
    normed, norm = layer_norm_vjp(x, p, eps)
    return norm(*sublayer(normed)[1](dy))


@rejects_pullback(
    pre_norm_as_autograd,
    "The residual's own path is lost: the gradient also passes untouched, beside the sublayer.",
)
def own_path_lost(dy, x, sublayer, p, eps):
    return through_norm(dy, x, sublayer, p, eps)


@rejects_pullback(
    pre_norm_as_autograd,
    "Your gradient passes the normalisation without the sublayer.",
)
def sublayer_skipped(dy, x, sublayer, p, eps):
    dx, *rest = layer_norm_vjp(x, p, eps)[1](dy)
    return dy + dx, *rest


@rejects_pullback(
    pre_norm_as_differences,
    "Your gradient passes the sublayer without the normalisation before it.",
)
def norm_skipped(dy, x, sublayer, p, eps):
    _, *rest = through_norm(dy, x, sublayer, p, eps)
    return dy + sublayer(x)[1](dy)[0], *rest
