"""Who calls: somebody outside, whose values are looked at, or a function of the package, whose values were."""

from collections.abc import Callable
from threading import local
from typing import Any


class _Calls(local):
    inside = False  # whether a function of the package is already running


_CALLS = _Calls()


def inside(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """Call a function as one of the package's own, whose calls are not looked at for NaN and infinity."""
    return _calling(True, function, args, kwargs)


def outside(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """Call a function that was passed in: it is not the package's own, and what it calls is looked at."""
    return _calling(False, function, args, kwargs)


def is_inside() -> bool:
    """Whether a function of the package is running, so that values need not be looked at."""
    return _CALLS.inside


def _calling(state: bool, function: Callable, args: tuple, kwargs: dict) -> Any:
    before, _CALLS.inside = _CALLS.inside, state
    try:
        return function(*args, **kwargs)
    finally:
        _CALLS.inside = before
