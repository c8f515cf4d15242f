"""Cases for printed formulas: the calls that the checks make, taken apart into what a formula speaks of."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice
from typing import Any, get_args

import numpy as np

from transformer_math.checks.recording import Call, try_case
from transformer_math.checks.registry import Check, Symbols
from transformer_math.formulas.sources import GRADIENT, WITH, WITHOUT, note
from transformer_math.formulas.symbols import (
    core,
    layers_as_symbols,
    parameters_as_symbols,
    symbol,
)

Case = tuple[dict[str, Any], dict[str, Any]]  # what is given, what is wanted
Change = Callable[[dict[str, Any]], dict[str, Any]]  # of arguments by name
MOST_CASES = 12  # calls of each check
MOST_SLICES = 4  # of one call with batch axes


_own_signature = cache(inspect.signature)


def signature_of(function: Callable) -> inspect.Signature:
    """What a function takes; read once for all that stands in for it, as a wrong version does."""
    return _own_signature(inspect.unwrap(function))


def arguments_of(function: Callable, call: Call) -> dict[str, Any]:
    """The arguments of a call by name, defaults included."""
    bound = signature_of(function).bind(*call.arguments, **call.settings)
    bound.apply_defaults()
    return bound.arguments


def telling(checks: list[Check]) -> list[Check]:
    """All but those by finite differences: they draw like the ones by automatic differentiation beside them."""
    return [check for check in checks if check.oracle != "finite differences"]


def calls(check: Check, most: int) -> Iterator[Call]:
    """The calls that a check makes of its function, in the first cases."""
    for number in range(min(check.cases, most)):
        yield from try_case(check, check.target, number).calls


class Drawn:
    """The first calls of checks, each drawn once for all who ask; each of them gets random generators of its own."""

    def __init__(self) -> None:
        self._made: dict[str, list[Call]] = {}

    def __call__(self, check: Check) -> list[Call]:
        """The calls that a check makes in its first cases."""
        if check.name not in self._made:
            self._made[check.name] = list(calls(check, MOST_CASES))
        return [_again(call) for call in self._made[check.name]]


def _again(call: Call) -> Call:
    given = (*call.arguments, *call.settings.values())
    if not any(isinstance(one, np.random.Generator) for one in given):
        return call
    return Call(deepcopy(call.arguments), deepcopy(call.settings), call.output)


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
    signature, values = signature_of(function), arguments_of(function, call)
    parameters, output = signature.parameters, call.output
    beyond = {name for name in values if _beyond(parameters[name], values[name])}
    if beyond:
        note(WITHOUT)
        values = {name: values[name] for name in values if name not in beyond}
        output = function(**values)
    outputs = output if isinstance(output, tuple) else (output,)
    returned = signature.return_annotation
    kinds = get_args(returned) if isinstance(output, tuple) else (returned,)
    own = {name: core(parameters[name].annotation) for name in values} | axes
    of_results = [core(kind) for kind in kinds]
    last = [own and axes.get("return", own) for own in of_results]
    leads = {
        np.shape(value)[: max(0, np.ndim(value) - len(axes_of))]
        for name, value in values.items()
        if (axes_of := own[name]) is not None
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
    function: Callable,
    arguments: dict[str, Any],
    axes: dict[str, list[str]],
    symbols: Symbols,
) -> dict[str, Any]:
    """Arguments as symbols, with the sizes that their annotations name."""
    parameters = signature_of(function).parameters
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
            out |= layers_as_symbols(value, arguments["n_heads"], _other(name, symbols))
        elif value is not None and not callable(value):
            out |= _under_its_symbol(name, value, symbols)
    return out


def own_symbol(name: str, symbols: Symbols) -> str | None:
    """The symbol of an argument in a formula that may call it otherwise than the others do; None where it has none."""
    return _other(name, symbols) if name in symbols else symbol(name)


def _other(name: str, symbols: Symbols) -> str | None:
    found = symbols.get(name)
    return found if isinstance(found, str) else None


def _under_its_symbol(name: str, value: Any, symbols: Symbols) -> dict[str, Any]:
    own = own_symbol(name, symbols)
    return {own: value} if own else {}


def wanted(outputs: tuple[Any, ...], symbols: Symbols) -> dict[str, Any]:
    """The results of a function under their symbols; a single one is the formula's `result`."""
    said = symbols.get("return", "result") or ()
    names = (said,) if isinstance(said, str) else said
    return {name: value for name, value in zip(names, outputs) if name}


def plain_cases(
    check: Check, made: Iterable[Call], most: int, change: Change | None = None
) -> Iterator[Case]:
    """The function's arguments are the formula's symbols, its results the formula's values; `change` gives it others."""
    axes = letters(check)
    for call in made:
        for arguments, outputs in slices(check.target, call, axes, most):
            if change is not None:
                note(WITH)
                arguments = change(arguments)
                output = check.target(**arguments)
                outputs = output if isinstance(output, tuple) else (output,)
            known = given(check.target, arguments, axes, check.symbols)
            yield known, wanted(outputs, check.symbols)


def letters(check: Check) -> dict[str, list[str]]:
    """The axes that the formula of a check speaks of, where they are not those of the signature."""
    return {name: text.split() for name, text in check.axes.items()}


def pulled_back(function: Callable, arguments: dict[str, Any]) -> tuple:
    """The value of a twin, a random gradient of its form, and the gradients that the pullback makes of it."""
    note(GRADIENT)
    value, pullback = function(**arguments)
    shape = np.shape(value)
    rng = np.random.default_rng([9, *shape])
    gradient = rng.normal(size=shape) if shape else 1.5
    return value, gradient, pullback(gradient)


def gradient_cases(
    check: Check, made: Iterable[Call], most: int, change: Change | None = None
) -> Iterator[Case]:
    """A random gradient goes in under the value's symbol, and those of the inputs come out under theirs, each after a d."""
    axes = letters(check)
    for call in made:
        for arguments, _ in slices(check.target, call, axes, most):
            if change is not None:
                note(WITH)
                arguments = change(arguments)
            gradient, gradients = _gradients_at(check.target, arguments)
            known = given(check.target, arguments, axes, check.symbols)
            found = zip(check.wrt, gradients, strict=True)
            n_heads = arguments.get("n_heads", 1)
            goes_in = {f"d{check.symbols['return']}": gradient}
            yield known | goes_in, _gradients(dict(found), n_heads, check.symbols)


def _gradients_at(function: Callable, arguments: dict[str, Any]) -> tuple[Any, Any]:
    """The gradient that goes in and those that come out; for a formula of one number, of an array of one."""
    if not any(isinstance(value, np.floating) for value in arguments.values()):
        return pulled_back(function, arguments)[1:]
    one = {
        name: np.reshape(value, 1) if isinstance(value, np.generic) else value
        for name, value in arguments.items()
    }
    _, (gradient,), gradients = pulled_back(function, one)
    return gradient, [found.item() for found in gradients]


def _gradients(found: dict[str, Any], n_heads: int, symbols: Symbols) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in found.items():
        if is_dataclass(value):
            out |= parameters_as_symbols(value, n_heads)
        elif name == "layers":
            out |= layers_as_symbols(value, n_heads, _other(name, symbols))
        else:
            out |= _under_its_symbol(name, value, symbols)
    return with_d(out)


def with_d(tree: dict[str, Any]) -> dict[str, Any]:
    """A tree of gradients with the names of its arrays after a d; the sizes in it have none."""
    out: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            out[name] = {"parameters": with_d(value["parameters"])}
        elif not isinstance(value, int):
            out[f"d{name}"] = value
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
    parameters = signature_of(function).parameters.values()
    return {
        symbol(parameter.name): parameter.default
        for parameter in parameters
        if isinstance(parameter.default, float)
    }
