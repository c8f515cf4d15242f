"""Checks of the gradients of word2vec, against PyTorch's autograd and finite differences."""

import numpy as np
import torch

from transformer_math.checks.embedding.negative_sampling import (
    random_cases,
    torch_loss,
)
from transformer_math.checks.embedding.word2vec import random_contexts
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import batch, size
from transformer_math.gradient.word2vec import (
    cbow_context_vjp,
    negative_sampling_loss_vjp,
)


def contexts_and_vectors(rng):
    E = rng.normal(size=(size(rng), size(rng)))
    return random_contexts(rng, len(E), *batch(rng), size(rng)), E


def torch_mean(contexts, E):
    known = torch.from_numpy(contexts >= 0)[..., None]
    rows = E[torch.from_numpy(np.maximum(contexts, 0))]
    return (rows * known).sum(-2) / known.sum(-2)


mean_as_autograd, mean_as_differences = check_gradient(
    cbow_context_vjp,
    equation="eq-cbow-vjp",
    axes={"contexts": "n c", "return": "n d"},
    symbols={"contexts": "A", "E": "E", "return": "H"},
    function=torch_mean,
    draw=contexts_and_vectors,
    wrt=("E",),
)


def spread_back(dH, contexts, E, share):
    dE = np.zeros_like(E)
    for place in np.ndindex(contexts.shape):
        if contexts[place] >= 0:
            dE[contexts[place]] += dH[place[:-1]] * share(contexts[place[:-1]])
    return (dE,)


@rejects_pullback(
    mean_as_autograd,
    "Every word around gets the whole gradient in your version: on the way there it had a share of the mean, so it has on the way back.",
)
def whole_gradient(dH, contexts, E):
    return spread_back(dH, contexts, E, lambda row: 1.0)


@rejects_pullback(
    mean_as_autograd,
    "You divide by the width of the window: divide by how many words there are around the place.",
)
def width_for_number(dH, contexts, E):
    return spread_back(dH, contexts, E, lambda row: 1 / len(row))


@rejects_pullback(
    mean_as_autograd,
    "A word that stands around twice keeps one of its gradients only: `dE[ids] += …` does not add up. Use `np.add.at`.",
)
def last_one_wins(dH, contexts, E):
    known = contexts >= 0
    shares = known / known.sum(axis=-1, keepdims=True)
    rows = (shares[..., None] * dH[..., None, :])[known]
    dE = np.zeros_like(E)
    dE[contexts[known]] += rows
    return (dE,)


loss_as_autograd, loss_as_differences = check_gradient(
    negative_sampling_loss_vjp,
    equation="eq-negative-sampling-vjp",
    symbols={"targets": "t", "negatives": "s", "U": "U", "return": "mathcal:L"},
    function=torch_loss,
    draw=lambda rng: moderate(*random_cases(rng)),
    wrt=("H", "U"),
)


def moderate(H, targets, negatives, U):
    """Vectors of ordinary length: finite differences need a slope that they can see."""
    return np.clip(H, -3, 3), targets, negatives, U


reject_careless_inputs(loss_as_autograd, ("H", "U"))


def pulled_back(gradient, H, targets, negatives, U, of_real, of_invented, share=None):
    """The gradients, case by case, from what real and invented words send back."""

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    dH, dU = np.zeros_like(H), np.zeros_like(U)
    for i, h in enumerate(H):
        sent = [(targets[i], of_real(sigmoid(h @ U[targets[i]])))]
        sent += [(v, of_invented(sigmoid(h @ U[v]))) for v in negatives[i]]
        for v, error in sent:
            error = error * gradient / (share or len(H))
            dH[i] += error * U[v]
            dU[v] += error * h
    return dH, dU


@rejects_pullback(
    loss_as_autograd,
    "Your invented words pull: they are to push away. Their error is σ(x), not σ(x) − 1.",
)
def invented_pull(gradient, *arguments):
    return pulled_back(gradient, *arguments, lambda s: s - 1, lambda s: s - 1)


@rejects_pullback(
    loss_as_autograd,
    "Your real word pushes away: its error is σ(x) − 1, which is negative.",
)
def real_pushes(gradient, *arguments):
    return pulled_back(gradient, *arguments, lambda s: s, lambda s: s)


@rejects_pullback(
    loss_as_autograd,
    "You use the slope of σ: the logarithm takes one factor away, and what remains is σ(x) − 1 and σ(x).",
)
def slope_of_sigma(gradient, *arguments):
    return pulled_back(
        gradient, *arguments, lambda s: -s * (1 - s), lambda s: s * (1 - s)
    )


@rejects_pullback(
    loss_as_autograd,
    "You do not divide by the number of cases: the loss is their mean.",
)
def not_averaged(gradient, *arguments):
    return pulled_back(gradient, *arguments, lambda s: s - 1, lambda s: s, share=1)


@rejects_pullback(
    loss_as_differences,
    "You ignore the invented words in the gradient: each of them pushes.",
)
def invented_ignored(gradient, *arguments):
    return pulled_back(gradient, *arguments, lambda s: s - 1, lambda s: 0 * s)


@rejects_pullback(
    loss_as_differences,
    "The gradient that arrives is ignored in your version: it multiplies.",
)
def arriving_ignored(gradient, *arguments):
    return pulled_back(1.0, *arguments, lambda s: s - 1, lambda s: s)
