"""Checks of AdaGrad, against PyTorch's."""

from dataclasses import dataclass

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import or_edge, size, sometimes
from transformer_math.training.adagrad import adagrad_step
from transformer_math.trees import map_leaves


@dataclass(frozen=True)
class Layer:
    """A class of parameters, as models have them."""

    W: np.ndarray
    b: np.ndarray


FORMS = (
    lambda W, b: {"W": W, "b": b},
    lambda W, b: [W, (b,)],
    lambda W, b: {"layers": [{"W": W}, {"b": b}]},
    Layer,
)


@check(
    adagrad_step,
    equation="eq-adagrad",
    oracle="torch.optim.Adagrad, in the middle of its run",
)
def adagrad_step_equals_torch(adagrad_step, rng):
    tree = FORMS[rng.integers(len(FORMS))]
    start = [rng.normal(size=(size(rng), size(rng))), rng.normal(size=size(rng))]
    tensors = [torch.from_numpy(x.copy()).requires_grad_() for x in start]
    rate = or_edge(rng, 0.0, float(rng.uniform(0.01, 0.5)))
    given, eps = sometimes(rng, float(10 ** rng.uniform(-9, 0.5)), 1e-10)
    first = or_edge(rng, 0.0, float(rng.uniform(0.1, 2)))
    optimiser = torch.optim.Adagrad(
        tensors, lr=rate, eps=eps, initial_accumulator_value=first
    )
    for _ in range(rng.integers(1, 4)):
        start = [t.detach().numpy().copy() for t in tensors]
        sums = [optimiser.state[t]["sum"].numpy().copy() for t in tensors]
        gradients = [rng.normal(size=x.shape) for x in start]
        for tensor, gradient in zip(tensors, gradients):
            tensor.grad = torch.from_numpy(gradient.copy())
        optimiser.step()
    after = tree(*(optimiser.state[t]["sum"] for t in tensors))
    given_trees = tree(*start), tree(*gradients), tree(*sums)
    got = adagrad_step(*given_trees, rate, *given)
    return difference(got, (tree(*(t.detach() for t in tensors)), after))


def variant(divisor, sums=lambda s, g: s + g * g, sign=-1):
    """AdaGrad with another divisor of (sum before, sum after, eps), another sum, or another sign."""

    def adagrad(parameters, gradients, squares, learning_rate, eps=1e-10):
        after = map_leaves(sums, squares, gradients)

        def moved(theta, g, before, s):
            with np.errstate(divide="ignore", invalid="ignore"):
                return theta + sign * learning_rate * g / divisor(before, s, eps)

        return map_leaves(moved, parameters, gradients, squares, after), after

    return adagrad


WRONG = {
    "You divide by the root of the sum before this step; the gradient of this step is in it already.": (
        "one_step_behind",
        variant(lambda before, s, eps: np.sqrt(before) + eps),
    ),
    "You divide by the sum itself; wanted its root.": (
        "without_root",
        variant(lambda before, s, eps: s + eps),
    ),
    "Your ε stands inside the root: it is added to the root, outside.": (
        "eps_inside_the_root",
        variant(lambda before, s, eps: np.sqrt(s + eps)),
    ),
    "You add up the gradients; wanted their squares.": (
        "sum_of_gradients",
        variant(lambda before, s, eps: np.sqrt(np.abs(s)) + eps, lambda s, g: s + g),
    ),
    "You keep a running mean, as RMSProp does; AdaGrad's sum forgets nothing.": (
        "running_mean",
        variant(
            lambda before, s, eps: np.sqrt(s) + eps,
            lambda s, g: 0.9 * s + 0.1 * g * g,
        ),
    ),
    "You divide nothing: this is plain gradient descent.": (
        "undivided",
        variant(lambda before, s, eps: 1.0),
    ),
    "You step uphill: the step goes against the gradient.": (
        "uphill_step",
        variant(lambda before, s, eps: np.sqrt(s) + eps, sign=1),
    ),
}
for message, (name, version) in WRONG.items():
    version.__name__ = name
    adagrad_step_equals_torch.rejects(message)(version)


@adagrad_step_equals_torch.rejects(
    "You go over the keys of one dict: parameters are trees, of dicts, lists, tuples and classes in one another. Use map_leaves.",
    raises=True,
)
def one_dict_alone(parameters, gradients, squares, learning_rate, eps=1e-10):
    sums = {name: squares[name] + gradients[name] ** 2 for name in parameters}
    new = {
        name: parameters[name]
        - learning_rate * gradients[name] / (np.sqrt(sums[name]) + eps)
        for name in parameters
    }
    return new, sums
