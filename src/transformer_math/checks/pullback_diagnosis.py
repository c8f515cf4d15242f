"""What is wrong with a twin, a function that returns `(value, pullback)`, whatever it computes."""

from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from transformer_math.checks.compare import plain
from transformer_math.checks.recording import ARRIVING, same
from transformer_math.trees import map_leaves, parts

Gradients = list[tuple[Any, tuple]]  # what a pullback gave, and what was wanted


def diagnose_pullback(names: tuple[str, ...], wrong: list) -> str | None:
    """The first diagnosis that fits, of pairs of what came and what was wanted: a value, and gradients of the arguments `names`.

    A pullback that raises stands itself for its gradients.
    """
    if not all(map(_is_twin, [got for got, _ in wrong])):
        return "Wanted two results, the value first, then the pullback, which is a function: `return value, pullback`."
    found = [(got[1], wanted[1]) for got, wanted in wrong if same(got[0], wanted[0])]
    if not found:
        return "The value, your first result, is not right yet: put it in order before the gradients."
    recognisers = (_raising, _no_tuple, _number, _order, _forms, _shapes, _deaf, _which)
    messages = (recognise(names, found) for recognise in recognisers)
    return next((message for message in messages if message is not None), None)


def _is_twin(got: Any) -> bool:
    pair = isinstance(got, (tuple, list)) and len(got) == 2
    return pair and not callable(got[0])


def _all(found: Gradients, fits: Callable[[Any, tuple], bool]) -> bool:
    return all(fits(got, wanted) for got, wanted in found)


def _raising(names: tuple, found: Gradients) -> str | None:
    if any(callable(got) for got, _ in found):
        return "Your pullback ends in an error."
    return None


def _no_tuple(names: tuple, found: Gradients) -> str | None:
    if any(got is None for got, _ in found):
        return (
            "Your pullback returns nothing. Is it written to the end, with a `return`?"
        )
    if all(isinstance(got, (tuple, list)) for got, _ in found):
        return None
    written = "(dx,)`, with its comma" if len(names) == 1 else "dx, …`"
    return f"Your second result must be a function that returns a tuple, with the gradient of {_listed(names)}: `return {written}."


def _number(names: tuple, found: Gradients) -> str | None:
    counts = [len(got) for got, _ in found if len(got) != len(names)]
    if not counts:
        return None
    return f"Your pullback returns {counts[0]} gradient{'s' * (counts[0] != 1)}; wanted {len(names)}, of {_listed(names)}."


def _order(names: tuple, found: Gradients) -> str | None:
    if _all(found, _exchanged):
        return f"Your gradients are right, but in another order; wanted that of the arguments: {_listed(names)}."
    return None


def _exchanged(got: Any, wanted: tuple) -> bool:
    left = list(wanted)
    for one in got:
        place = next((i for i, two in enumerate(left) if same(one, two)), None)
        if place is None:
            return False
        del left[place]
    return True


def _forms(names: tuple, found: Gradients) -> str | None:
    for got, wanted in found:
        for name, one, two in zip(names, got, wanted):
            if one is None:
                return f"Your gradient of `{name}` is None. (`np.add.at` and their like change an array, and return nothing.)"
            if parts(two) is not None and _kind(one) != _kind(two):
                return f"The gradient of `{name}` comes as {_kind(one)}; wanted {_kind(two)}, the form of `{name}` itself."
    return None


def _kind(value: Any) -> str:
    return "tuple or list" if type(value) in (tuple, list) else type(value).__name__


def _shapes(names: tuple, found: Gradients) -> str | None:
    for got, wanted in found:
        for name, one, two in zip(names, got, wanted):
            if parts(two) is None and np.shape(plain(one)) != np.shape(two):
                return _of_shape(name, np.shape(plain(one)), np.shape(two))
    return None


def _of_shape(name: str, got: tuple, wanted: tuple) -> str:
    served = " It served all of these: add its gradients up over the leading axes."
    return (
        f"Your gradient of `{name}` has shape {got}; wanted {wanted}, the shape of `{name}` itself."
        + served * (len(got) > len(wanted))
    )


def _deaf(names: tuple, found: Gradients) -> str | None:
    if _all(found, lambda got, wanted: same(_times(ARRIVING, got), wanted)):
        return "Your pullback ignores the gradient that arrives: each of its own is to be multiplied by that."
    return None


def _times(factor: float, gradients: Any) -> Any:
    return map_leaves(lambda gradient: factor * np.asarray(plain(gradient)), gradients)


def _which(names: tuple, found: Gradients) -> str | None:
    """Which gradients are right throughout, where some are; of parameters, which field."""
    pairs = [(_by_name(names, got), _by_name(names, wanted)) for got, wanted in found]
    every = list(pairs[0][1])
    right = [
        name
        for name in every
        if all(name in got and same(got[name], wanted[name]) for got, wanted in pairs)
    ]
    rest = [name for name in every if name not in right]
    if not right:
        return None
    return f"Right are the value and the gradient of {_listed(right)}; wrong is that of {_listed(rest)}."


def _by_name(names: tuple, gradients: Any) -> dict[str, Any]:
    """Gradients by the name of their argument; those of a dataclass of arrays by the names of its fields."""
    out: dict[str, Any] = {}
    for name, gradient in zip(names, gradients):
        fields = (parts(gradient) or {}) if is_dataclass(gradient) else {}
        if not fields or any(parts(part) is not None for part in fields.values()):
            fields = {"": gradient}
        out |= {f"{name}{field}": part for field, part in fields.items()}
    return out


def _listed(names: tuple | list) -> str:
    return ", ".join(f"`{name}`" for name in names)
