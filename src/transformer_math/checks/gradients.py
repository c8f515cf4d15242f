"""One factory for checks of gradients: against PyTorch's autograd, against finite differences, with the usual mistakes.

A twin of a function returns `(value, pullback)`. The pullback takes the gradient of a loss with respect to the value,
and returns a tuple: its gradients with respect to the inputs, each of that input's form.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import Check, check
from transformer_math.trees import leaves, map_leaves

STEP = 1e-5  # of finite differences: their error is of the order of its square


@dataclass(frozen=True)
class Form:
    """How functions give their gradient: what makes a twin of one, and what makes a wrong version by a change of gradients."""

    twin: Callable[[Callable, Callable], Callable]
    changed: Callable[[Callable, Callable], Callable]


def change_pullback(target: Callable, change: Callable) -> Callable:
    """A twin whose gradients are changed."""

    def wrong(*inputs):
        value, pullback = target(*inputs)
        return value, lambda gradient: change(pullback(gradient))

    return _named(wrong, change.__name__)


def twin_of_jacobian(jacobian: Callable, function: Callable) -> Callable:
    """The twin of a function whose Jacobian is computed from its value, as softmax's is from the weights."""

    def twin(x):
        value = function(torch.from_numpy(x)).numpy()
        return value, lambda gradient: (
            np.einsum("...i,...ij->...j", gradient, jacobian(value)),
        )

    return twin


def change_jacobian(target: Callable, change: Callable) -> Callable:
    """A Jacobian that is changed."""

    def wrong(value):
        return change((target(value),))[0]

    return _named(wrong, change.__name__)


PULLBACK = Form(lambda implementation, function: implementation, change_pullback)
JACOBIAN = Form(twin_of_jacobian, change_jacobian)


def doubled(gradients: tuple) -> tuple:
    return map_leaves(lambda gradient: 2 * gradient, gradients)


def negated(gradients: tuple) -> tuple:
    return map_leaves(lambda gradient: -gradient, gradients)


def dropped(number: int) -> Callable[[tuple], tuple]:
    def drop(gradients: tuple) -> tuple:
        rest = list(gradients)
        rest[number] = map_leaves(np.zeros_like, rest[number])
        return tuple(rest)

    return drop


def transposed(number: int) -> Callable[[tuple], tuple]:
    def transpose(gradients: tuple) -> tuple:
        rest = list(gradients)
        rest[number] = np.swapaxes(rest[number], -1, -2)
        return tuple(rest)

    return transpose


def check_gradient(
    target: Callable,
    equation: str,
    function: Callable,
    draw: Callable[[np.random.Generator], tuple],
    form: Form = PULLBACK,
) -> tuple[Check, Check]:
    """Register two checks of the gradient that `target` gives, and the wrong versions that any gradient can have.

    `function` is the same function in PyTorch, without its gradient; `draw` makes random inputs, trees of arrays.
    """

    def autograd(implementation, rng):
        inputs = draw(rng)
        tensors = map_leaves(lambda x: torch.from_numpy(x).requires_grad_(), inputs)
        value = function(*tensors)
        gradient = rng.normal(size=tuple(value.shape))
        found = torch.autograd.grad(
            value, list(leaves(tensors).values()), torch.from_numpy(gradient)
        )
        got, pullback = form.twin(implementation, function)(*inputs)
        return difference([got, *leaves(pullback(gradient)).values()], [value, *found])

    def finite_differences(implementation, rng):
        inputs = draw(rng)
        direction = map_leaves(lambda x: rng.normal(size=x.shape), inputs)
        there, back = (
            _moved(function, inputs, direction, step) for step in (STEP, -STEP)
        )
        gradient = rng.normal(size=there.shape)
        _, pullback = form.twin(implementation, function)(*inputs)
        slopes = map_leaves(
            lambda found, way: np.sum(found * way), pullback(gradient), direction
        )
        return difference(
            sum(leaves(slopes).values()), np.sum(gradient * (there - back)) / (2 * STEP)
        )

    name = target.__name__
    checks = (
        check(target, equation, "torch.autograd")(
            _named(autograd, f"{name}_pulls_back_as_autograd")
        ),
        check(target, equation, "finite differences", tolerance=1e-7)(
            _named(finite_differences, f"{name}_follows_finite_differences")
        ),
    )
    for made in checks:
        made.rejects("Your gradient is twice the one wanted.")(
            form.changed(target, doubled)
        )
        made.rejects("Your gradient has the wrong sign.")(form.changed(target, negated))
    return checks


def reject_careless_inputs(
    checked: Check, names: tuple[str, ...], matrices: tuple[str, ...] = ()
) -> None:
    """Two wrong versions for each input of a twin: its gradient forgotten, or a matrix's gradient transposed."""
    for number, name in enumerate(names):
        checked.rejects(
            f"The gradient with respect to {name} is missing in your version: it is not 0."
        )(change_pullback(checked.target, dropped(number)))
        if name in matrices:
            checked.rejects(
                f"Your gradient with respect to {name} is transposed: it has the shape of {name}."
            )(change_pullback(checked.target, transposed(number)))


def _named(function: Callable, name: str) -> Callable:
    function.__name__ = name
    return function


def _moved(
    function: Callable, inputs: tuple, direction: tuple, step: float
) -> np.ndarray:
    moved = map_leaves(
        lambda x, way: torch.from_numpy(x + step * way), inputs, direction
    )
    return function(*moved).numpy()
