"""Wrong versions that any function can have: an argument that it ignores or turns round."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np


def changing(function: Callable, name: str, change: Callable[[Any], Any]) -> Callable:
    """The function, with one of its arguments changed where it is given."""
    signature = inspect.signature(function)

    def changed(*arguments, **settings):
        bound = signature.bind(*arguments, **settings)
        if bound.arguments.get(name) is not None:
            bound.arguments[name] = change(bound.arguments[name])
        return function(*bound.args, **bound.kwargs)

    changed.__signature__ = signature  # type: ignore[attr-defined]
    changed.__name__ = f"{name}_{change.__name__}"
    return changed


def ignoring(function: Callable, name: str) -> Callable:
    """The function, deaf to one of its arguments."""
    default = inspect.signature(function).parameters[name].default

    def ignored(given):
        return default

    return changing(function, name, ignored)


def inverted(mask: np.ndarray) -> np.ndarray:
    return ~mask


def reject_careless_masks(
    check: Any, part: str = "the attention", name: str = "mask"
) -> None:
    """Two wrong versions for the check of whatever passes a mask on."""
    check.rejects(f"You ignore the {name}: pass it on to {part}.")(
        ignoring(check.target, name)
    )
    check.rejects(f"Your {name} is upside down: True means that attention is allowed.")(
        changing(check.target, name, inverted)
    )


def reject_deafness_to_activation(check: Any, name: str = "activation") -> None:
    """A wrong version for the check of whatever passes an activation on."""
    check.rejects("You always use ReLU: apply the activation that is given.")(
        ignoring(check.target, name)
    )
