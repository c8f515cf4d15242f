"""Cases for printed formulas: the calls that the checks make, taken apart into what a formula speaks of."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any, get_args

import numpy as np

from transformer_math.checks.recording import Call, try_case
from transformer_math.checks.registry import Check
from transformer_math.formulas.symbols import (
    core,
    layers_as_symbols,
    parameters_as_symbols,
    symbol,
)

Case = tuple[dict[str, Any], dict[str, Any]]  # what is given, what is wanted
MOST_SLICES = 4  # of one call with batch axes


def arguments_of(function: Callable, call: Call) -> dict[str, Any]:
    """The arguments of a call by name, defaults included."""
    bound = inspect.signature(function).bind(*call.arguments, **call.settings)
    bound.apply_defaults()
    return bound.arguments


def calls(check: Check, most: int) -> Iterator[Call]:
    """The calls that a check makes of its function, in the first cases."""
    for number in range(min(check.cases, most)):
        yield from try_case(check, check.target, number).calls


def slices(
    function: Callable,
    call: Call,
    axes: dict[str, list[str]],
    most: int = MOST_SLICES,
) -> Iterator[tuple[dict[str, Any], tuple[Any, ...]]]:
    """One call without its batch axes: arguments by name and outputs, for each place in the batch, `most` at most.

    `axes` names the axes that a formula speaks of where they are not those of the signature, the result's as `return`.
    Where the call has arguments that the formula does not speak of (a mask, another activation), the function is called
    again without them.
    """
    signature, values = inspect.signature(function), arguments_of(function, call)
    parameters, output = signature.parameters, call.output
    beyond = {name for name in values if _beyond(parameters[name], values[name])}
    if beyond:
        values = {name: values[name] for name in values if name not in beyond}
        output = function(**values)
    outputs = output if isinstance(output, tuple) else (output,)
    returned = signature.return_annotation
    kinds = get_args(returned) if isinstance(output, tuple) else (returned,)
    own = {name: core(parameters[name].annotation) for name in values} | axes
    of_results = [core(kind) for kind in kinds]
    last = [own and axes.get("return", own) for own in of_results]
    leads = {
        np.shape(value)[: max(0, np.ndim(value) - len(own[name]))]
        for name, value in values.items()
        if own[name] is not None
    }
    lead = np.broadcast_shapes(*leads) if leads else ()
    for place in islice(np.ndindex(lead), most):
        yield (
            {name: _at(value, own[name], place) for name, value in values.items()},
            tuple(_at(value, letters, place) for value, letters in zip(outputs, last)),
        )


def _beyond(parameter: inspect.Parameter, value: Any) -> bool:
    if parameter.default is None:
        return value is not None
    if parameter.default is inspect.Parameter.empty:
        return False
    return callable(parameter.default) and value is not parameter.default


def _at(value: Any, letters: list[str] | None, place: tuple[int, ...]) -> Any:
    if letters is None or value is None or np.ndim(value) == 0:
        return value
    array = np.asarray(value)
    array = array.reshape((1,) * (len(letters) - array.ndim) + array.shape)
    own = array.ndim - len(letters)
    shape = array.shape[:own]
    wanted = place[len(place) - own :] if own else ()
    return array[tuple(0 if size == 1 else i for i, size in zip(wanted, shape))]


def given(
    function: Callable, arguments: dict[str, Any], axes: dict[str, list[str]]
) -> dict[str, Any]:
    """Arguments as symbols, with the sizes that their annotations name."""
    parameters = inspect.signature(function).parameters
    out: dict[str, Any] = {}
    for name, value in arguments.items():
        letters = axes.get(name, core(parameters[name].annotation))
        if letters is not None and value is not None:
            out |= {
                letter: size
                for letter, size in zip(letters, np.shape(value))
                if letter.isidentifier()
            }
    for name, value in arguments.items():
        if is_dataclass(value):
            out |= _field_sizes(value)
            out |= parameters_as_symbols(value, arguments.get("n_heads", 1))
        elif name == "layers":
            out |= layers_as_symbols(value, arguments["n_heads"])
        elif value is not None and not callable(value):
            out[symbol(name)] = value
    return out


def _field_sizes(tree: Any) -> dict[str, int]:
    own = {field.name: core(field.type) for field in fields(tree)}
    return {
        letter: size
        for name, letters in own.items()
        if letters is not None
        for letter, size in zip(letters, np.shape(getattr(tree, name)))
    }


def defaults(function: Callable) -> dict[str, float]:
    """The numbers that a function takes where none are given, as symbols: what a page states with b = 10000."""
    parameters = inspect.signature(function).parameters.values()
    return {
        symbol(parameter.name): parameter.default
        for parameter in parameters
        if isinstance(parameter.default, float)
    }
