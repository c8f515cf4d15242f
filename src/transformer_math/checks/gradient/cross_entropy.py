"""Checks of the pullback of cross-entropy: p − y."""

import numpy as np
import torch

from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.checks.sampling import size, tokens
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.cross_entropy import cross_entropy_vjp


def predictions(rng):
    """Logits and targets, with weights (some 0, as for padding) and smoothing in some cases."""
    logits = tokens(rng, size(rng), size(rng, mostly=2))
    targets = rng.integers(logits.shape[-1], size=logits.shape[:-1])
    weights = rng.random(targets.shape) * (rng.random(targets.shape) < 0.7)
    weights.flat[0] += 0.1
    weights = [None, weights][rng.integers(2)]
    given = [(), (weights,), (weights, rng.random())][rng.integers(3)]
    return (logits, targets, *given)


def torch_cross_entropy(logits, targets, weights=None, smoothing=0.0):
    losses = torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]),
        torch.from_numpy(targets).reshape(-1),
        reduction="none",
        label_smoothing=smoothing,
    )
    shares = torch.ones_like(losses) if weights is None else torch.from_numpy(weights)
    return (losses * shares.reshape(-1)).sum() / shares.sum()


loss_as_autograd, loss_as_differences = check_gradient(
    cross_entropy_vjp,
    equation="eq-cross-entropy-vjp",
    axes={"logits": "n V", "targets": "n", "weights": "n"},
    symbols={"targets": "t", "weights": "w", "return": "mathcal:L"},
    function=torch_cross_entropy,
    draw=predictions,
    wrt=("logits",),
)
loss_as_autograd.excuses(
    "a single position is a row of one: its target is no array", "no leading axes"
)
loss_as_autograd.excuses(
    "weights are no probabilities: what counts is their ratio", "1 in weights"
)
for name, message in (
    ("weights", "You ignore the weights: a position with weight 0 does not count."),
    (
        "smoothing",
        "You ignore the smoothing: a part of each target goes to all tokens.",
    ),
):
    loss_as_autograd.rejects(message)(ignoring(cross_entropy_vjp, name))


def gradient_of_logits(g, logits, targets, weights, smoothing, of_row):
    """g times each row's share times what `of_row` makes of probabilities and targets."""
    p = torch.softmax(torch.from_numpy(logits), dim=-1).numpy()
    V = logits.shape[-1]
    y = (1 - smoothing) * np.eye(V)[targets] + smoothing / V
    w = np.ones(targets.shape) if weights is None else weights
    return (g * (w / w.sum())[..., None] * of_row(p, y),)


@rejects_pullback(
    loss_as_autograd,
    "You return p alone: the target is missing, p − y.",
)
def without_targets(g, *arguments):
    return gradient_of_logits(g, *arguments, lambda p, y: p)


@rejects_pullback(
    loss_as_autograd,
    "You subtract where nothing is to be subtracted: y is 1 at the target and 0 elsewhere, not 1 everywhere.",
)
def one_everywhere(g, *arguments):
    return gradient_of_logits(g, *arguments, lambda p, y: p - 1)


@rejects_pullback(
    loss_as_autograd,
    "You have the gradient with respect to the probabilities, −y/p; wanted that of the logits, after the softmax: p − y.",
)
def of_the_probabilities(g, *arguments):
    return gradient_of_logits(g, *arguments, lambda p, y: -y / p)


@rejects_pullback(
    loss_as_autograd,
    "You do not divide by the number of positions (or the sum of their weights): the loss is a mean.",
)
def sum_for_mean(g, logits, targets, weights, smoothing):
    total = targets.size if weights is None else weights.sum()
    return gradient_of_logits(
        g * total, logits, targets, weights, smoothing, lambda p, y: p - y
    )


@rejects_pullback(
    loss_as_differences,
    "You divide by the size of the vocabulary too: the mean is over positions, the sum over tokens.",
)
def mean_over_the_vocabulary(g, *arguments):
    return gradient_of_logits(g, *arguments, lambda p, y: (p - y) / p.shape[-1])


@rejects_pullback(
    loss_as_differences,
    "The gradient that arrives is ignored in your version: it multiplies.",
)
def arriving_gradient_ignored(g, *arguments):
    return gradient_of_logits(1.0, *arguments, lambda p, y: p - y)
