"""One valid call of every public function of the package, with every argument given, defaults included.

It is the first ordinary call that a check makes of its function. Where no check makes one, the idea says one in its
`about_<idea>.py`; a twin takes what its function takes.
"""

import inspect
import os
from collections.abc import Sized
from importlib import import_module

import numpy as np
from abouts import told

from transformer_math import gradient
from transformer_math.checks import checks_for, ideas
from transformer_math.checks.recording import Call, try_case
from transformer_math.trees import leaves

GROUPS = sorted({idea.split(".")[0] for idea in ideas()} - {"trained"})
MACHINERY = {
    f"transformer_math.training.{name}" for name in ("loop", "command", "parallel")
}
TRIED = os.environ.get("TRIED", "").split()  # names that `make try` asks about
TWINS = [getattr(gradient, name) for name in gradient.__all__]
TWIN_OF_A_FUNCTION = gradient.gelu_vjp  # for an argument that is a function


def public_functions() -> list:
    """Every public function that the groups offer by name, those apart that take a task to train."""
    groups = [import_module(f"transformer_math.{group}") for group in GROUPS]
    offered = [getattr(group, name) for group in groups for name in group.__all__]
    functions = {f for f in offered if inspect.isroutine(f)}
    kept = {f for f in functions if f.__module__ not in MACHINERY}
    return sorted(kept, key=lambda f: (f.__module__, f.__name__))


def example(function) -> dict | None:
    """A valid call: as its idea says it, as its function is called whose twin it is, or as a check makes it."""
    if function in SAID:
        return SAID[function]
    return of_twin(function) if function in FUNCTION_OF else derived(function)


def of_twin(twin) -> dict | None:
    """The example of the function whose twin it is; where that takes a function, the twin takes a twin."""
    arguments = example(FUNCTION_OF[twin])
    return arguments and {
        name: arguments.get(name, TWIN_OF_A_FUNCTION)
        for name in inspect.signature(twin).parameters
    }


def derived(function) -> dict | None:
    """The first ordinary call that a check makes of its function, by name and with the defaults."""
    calls = (
        named(function, call)
        for check in checks_for(function)
        for number in range(check.cases)
        for call in try_case(check, function, number).calls
    )
    return next(filter(is_ordinary, calls), None)


def named(function, call: Call) -> dict:
    """The arguments of a call by name, with the defaults."""
    bound = inspect.signature(function).bind(*call.arguments, **call.settings)
    bound.apply_defaults()
    return bound.arguments


def is_ordinary(arguments: dict) -> bool:
    """Whether something is given for every argument, and arrays are no edge: no single row, no huge number."""
    arrays = [
        x
        for value in arguments.values()
        for x in leaves(value).values()
        if isinstance(x, np.ndarray)
    ]
    given = all(value is not None and size(value) for value in arguments.values())
    return given and all(min(x.shape, default=2) > 1 and is_moderate(x) for x in arrays)


def size(value) -> int:
    """How many entries a text or a collection holds; of anything else, 1."""
    return len(value) if isinstance(value, Sized) else 1


def is_moderate(x: np.ndarray) -> bool:
    """Whether an array holds no number that eight bits cannot hold, minus infinity apart."""
    return x.dtype.kind != "f" or not np.any((x != -np.inf) & ~(np.abs(x) < 100))


def is_tried(function) -> bool:
    """Whether its name is asked about; where no name is given, every function is."""
    return not TRIED or any(name in function.__name__ for name in TRIED)


SAID = told("EXAMPLES")
FUNCTION_OF = {
    twin: function
    for twin in TWINS
    for function in public_functions()
    if twin.__name__ == f"{function.__name__}_vjp"
}
EXAMPLES = {
    f: found
    for f in filter(is_tried, public_functions())
    if (found := example(f)) is not None
}
