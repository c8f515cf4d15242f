"""One factory for checks of gradients: against PyTorch's autograd, against finite differences, with the usual mistakes.

A twin of a function returns `(value, pullback)`. The pullback takes the gradient of a loss with respect to the value,
and returns a tuple: its gradients with respect to the inputs, each of that input's form.
"""

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, is_dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from transformer_math.checks.compare import difference, plain
from transformer_math.checks.recording import AGAIN, Fault, same
from transformer_math.checks.registry import Axes, Check, Symbols, check
from transformer_math.checks.sampling import longest, smallest
from transformer_math.trees import map_leaves, parts

STEP = 2e-6  # of finite differences
LATER = "Your pullback answers for the inputs of a later call: it must keep what it needs of its own."


@dataclass(frozen=True)
class Form:
    """How functions give their gradient: what makes a twin of one, and what makes a wrong version by a change of gradients."""

    twin: Callable[[Callable, Callable], Callable]
    changed: Callable[[Callable, Callable], Callable]


def change_pullback(target: Callable, change: Callable) -> Callable:
    """A twin whose gradients are changed."""

    def wrong(*inputs, **settings):
        value, pullback = target(*inputs, **settings)
        return value, lambda gradient: change(pullback(gradient))

    return _like(target, wrong, change.__name__)


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
    wrt: tuple[str, ...] | None = None,
    cases: int = 40,
    axes: Axes | None = None,
    symbols: Symbols | None = None,
    name: str | None = None,
) -> tuple[Check, Check]:
    """Register two checks of the gradient that `target` gives, and the wrong versions that any gradient can have.

    `function` is the same function in PyTorch, without its gradient; `draw` makes random arguments. Those that are named
    in `wrt`, trees of arrays, have gradients (all, where it is left out); one that `draw` leaves out has its default.
    The checks are called after the target, or after `name`, where it has two formulas.
    `axes` and `symbols` are those of `check`; the value's symbol, `return`, says what the gradient that arrives is called.
    """
    signature = inspect.signature(target)
    names = wrt or tuple(signature.parameters)

    def split(arguments: tuple) -> tuple[dict, Callable]:
        """What has gradients, by name; and the PyTorch function of it alone, everything else as it was drawn."""
        bound = signature.bind(*arguments).arguments
        defaults = {name: signature.parameters[name].default for name in names}
        inputs = {name: bound.get(name, defaults[name]) for name in names}
        return inputs, lambda moved: function(*({**bound, **moved}).values())

    @_once
    def case_of_autograd(rng):
        arguments = draw(rng)
        inputs, of_inputs = split(arguments)
        tensors = as_tensors(inputs)
        asked = [tensor.requires_grad_() for tensor in _leaves_of(tensors)]
        value = of_inputs(tensors)
        gradient = _gradient_like(value, rng)
        found = torch.autograd.grad(
            value,
            asked,
            torch.tensor(gradient, dtype=torch.float64),
            materialize_grads=True,
        )
        next_gradient = map(plain, found)
        gradients = map_leaves(lambda _: next(next_gradient), tuple(inputs.values()))
        return arguments, gradient, [plain(value), gradients]

    def autograd(implementation, rng):
        arguments, gradient, wanted = case_of_autograd(rng)
        twin = form.twin(implementation, function)
        got, pullback = twin(*arguments)
        gradients = _untouched(pullback, gradient)
        if smallest():
            twin(*draw(np.random.default_rng(0)))
            if not same(pullback(gradient), gradients):
                raise Fault(LATER)
        return difference([got, gradients], wanted)

    @_once
    def case_of_differences(rng):
        arguments = draw(rng)
        inputs, of_inputs = split(arguments)
        direction = map_leaves(lambda x: _random_way(x, rng), inputs)
        slope_of_value = _slope(of_inputs, inputs, direction)
        gradient = _gradient_like(slope_of_value, rng)
        ways = tuple(direction.values())
        return arguments, gradient, ways, np.sum(gradient * slope_of_value)

    def finite_differences(implementation, rng):
        arguments, gradient, ways, wanted = case_of_differences(rng)
        _, pullback = form.twin(implementation, function)(*arguments)
        return difference(_inner(pullback(gradient), ways), wanted)

    name, of = name or target.__name__, names if form is PULLBACK else ()
    printed: dict[str, Any] = {"wrt": of, "axes": axes, "symbols": symbols}
    checks = (
        check(target, equation, "torch.autograd", cases, **printed)(
            _named(autograd, f"{name}_pulls_back_as_autograd")
        ),
        check(target, equation, "finite differences", cases, tolerance=1e-7, **printed)(
            _named(finite_differences, f"{name}_follows_finite_differences")
        ),
    )
    for made in checks:
        made.rejects("Your gradient is twice the one wanted.")(
            form.changed(target, doubled)
        )
        made.rejects("Your gradient has the wrong sign.")(form.changed(target, negated))
    return checks


def rejects_pullback(checked: Check, message: str) -> Callable[[Callable], Callable]:
    """Register a wrong version of a twin by its pullback alone: a function of the gradient and of the twin's arguments."""

    def register(pull: Callable) -> Callable:
        signature = inspect.signature(checked.target)

        def wrong(*arguments, **settings):
            bound = signature.bind(*arguments, **settings)
            bound.apply_defaults()
            value, _ = checked.target(*arguments, **settings)
            return value, lambda gradient: pull(gradient, *bound.arguments.values())

        checked.rejects(message)(_like(checked.target, wrong, pull.__name__))
        return pull

    return register


def reject_careless_inputs(
    checked: Check, names: tuple[str, ...], matrices: tuple[str, ...] = ()
) -> None:
    """Two wrong versions for each input of a twin: its gradient forgotten, or a matrix's gradient transposed."""
    for number, name in enumerate(names):
        checked.rejects(
            f"The gradient with respect to {name} is missing in your version: it is not 0."
        )(change_pullback(checked.target, _named(dropped(number), f"{name}_forgotten")))
        if name in matrices:
            checked.rejects(
                f"Your gradient with respect to {name} is transposed: it has the shape of {name}."
            )(
                change_pullback(
                    checked.target, _named(transposed(number), f"{name}_transposed")
                )
            )


def _once(case: Callable[[np.random.Generator], tuple]) -> Callable:
    """The same case for every implementation, made once: the oracle costs more than what it judges."""
    made = {}

    def remembered(rng: np.random.Generator) -> tuple:
        which = rng.bit_generator.state["state"]["state"], smallest(), longest()
        if which not in made:
            made[which] = case(rng)
        return deepcopy(made[which])

    return remembered


def _named(function: Callable, name: str) -> Callable:
    function.__name__ = name
    return function


def _like(target: Callable, function: Callable, name: str) -> Callable:
    function.__signature__ = inspect.signature(target)  # type: ignore[attr-defined]
    return _named(function, name)


def _untouched(pullback: Callable, gradient: Any) -> tuple:
    kept = np.copy(gradient)
    gradients = deepcopy(pullback(gradient))
    if not same(gradient, kept):
        raise Fault(
            "Your pullback changes the gradient that it is given. Make a new array: `g = g * a` instead of `g *= a`."
        )
    if not same(pullback(gradient), gradients):
        raise Fault(AGAIN)
    return gradients


def _inner(gradients: Any, ways: Any) -> Any:
    """The slope along a direction, by the gradients: a sum of products over two trees of one form."""
    if isinstance(ways, np.ndarray) or (of_ways := parts(ways)) is None:
        return np.sum(np.asarray(plain(gradients)) * ways)
    pairs = zip((parts(gradients) or {}).values(), of_ways.values(), strict=True)
    return sum(_inner(one, way) for one, way in pairs)


def _gradient_like(value: Any, rng: np.random.Generator) -> Any:
    return rng.normal(size=tuple(value.shape)) if value.ndim else float(rng.normal())


def _random_way(x: Any, rng: np.random.Generator) -> np.ndarray:
    """A direction to move in; −∞ stays where it is."""
    return np.where(np.isfinite(x), rng.normal(size=np.shape(x)), 0.0)


def _slope(function: Callable, inputs: dict, direction: dict) -> np.ndarray:
    """The slope of a function's value along a direction, from four points: the error is of the order of STEP⁴."""
    near, far = (
        _across(function, inputs, direction, step) for step in (STEP, 2 * STEP)
    )
    return np.asarray((8 * near - far) / (12 * STEP))


def _across(
    function: Callable, inputs: dict, direction: dict, step: float
) -> np.ndarray:
    def at(shift: float) -> np.ndarray:
        moved = map_leaves(lambda x, way: x + shift * way, inputs, direction)
        return function(as_tensors(moved)).numpy()

    there, back = at(step), at(-step)
    # −∞ stays where it is, and NaN would come of the difference
    return np.subtract(there, back, out=np.zeros_like(there), where=there != back)


def as_tensors(tree: Any) -> Any:
    """A tree of arrays as one of tensors; a dataclass, which would refuse them, becomes a namespace."""
    found = parts(tree)
    if found is None:
        return torch.tensor(tree, dtype=torch.float64)
    children = {step: as_tensors(part) for step, part in found.items()}
    if is_dataclass(tree):
        return SimpleNamespace(
            **{step.removeprefix("."): child for step, child in children.items()}
        )
    if isinstance(tree, dict):
        return dict(zip(tree, children.values()))
    return tuple(children.values())


def _leaves_of(tensors: Any) -> list[torch.Tensor]:
    if isinstance(tensors, torch.Tensor):
        return [tensors]
    if isinstance(tensors, SimpleNamespace):
        tensors = vars(tensors)
    inside = tensors.values() if isinstance(tensors, dict) else tensors
    return [leaf for part in inside for leaf in _leaves_of(part)]
