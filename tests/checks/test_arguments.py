"""Every argument of every checked function is put to the test: given, left out, and not ignored."""

import inspect
from functools import cache

import numpy as np
import pytest
from abouts import told

from transformer_math.checks import all_checks, checks_for
from transformer_math.checks.recording import same, try_case

TARGETS = {
    f"{check.target.__module__.removeprefix('transformer_math.')}.{check.target.__name__}": check.target
    for check in all_checks().values()
}
COSTS = told("COSTS")
OTHER_DEFAULTS = {f.__name__: values for f, values in told("OTHER_DEFAULTS").items()}
OPTIONAL = [
    (name, parameter.name)
    for name, target in TARGETS.items()
    for parameter in inspect.signature(target).parameters.values()
    if parameter.default is not parameter.empty
    and parameter.name not in COSTS.get(target, ())
]

LEFT_OUT = object()


@cache
def calls_of(name):
    """The arguments, by name, of every call that the checks of a function make."""
    signature = inspect.signature(TARGETS[name])
    return [
        signature.bind(*call.arguments, **call.settings)
        for check in checks_for(TARGETS[name])
        for number in range(check.cases)
        for call in try_case(check, TARGETS[name], number).calls
    ]


def caught(name, implementation):
    """Whether some case of some check tells the implementation from a right one by its value."""
    trials = (
        try_case(check, implementation, number)
        for check in checks_for(TARGETS[name])
        for number in range(check.cases)
    )
    return any(trial.exception is None and trial.failed for trial in trials)


@pytest.mark.parametrize("name", TARGETS)
def test_every_argument_takes_different_values(name):
    for parameter in inspect.signature(TARGETS[name]).parameters.values():
        values = [
            call.arguments.get(parameter.name, parameter.default)
            for call in calls_of(name)
        ]
        assert any(not same(value, values[0]) for value in values[1:]), parameter


@pytest.mark.parametrize(("name", "parameter"), OPTIONAL)
def test_every_default_is_left_to_itself_and_replaced(name, parameter):
    default = inspect.signature(TARGETS[name]).parameters[parameter].default
    given = [call.arguments.get(parameter, LEFT_OUT) for call in calls_of(name)]
    assert any(value is LEFT_OUT for value in given)
    assert any(value is not LEFT_OUT and not same(value, default) for value in given)


@pytest.mark.parametrize(("name", "parameter"), OPTIONAL)
def test_whoever_ignores_an_argument_is_found_out(name, parameter):
    target = TARGETS[name]
    signature = inspect.signature(target)

    def deaf(*arguments, **settings):
        bound = signature.bind(*arguments, **settings)
        bound.arguments.pop(parameter, None)
        bound.apply_defaults()
        return target(*bound.args, **bound.kwargs)

    assert caught(name, deaf)


USUAL = {
    "eps": 1e-3,
    "base": 1000.0,
    "activation": np.abs,
    "temperature": 0.9,
    "smoothing": 0.1,
}


def another_default(target, parameter):
    """A value that differs enough from the default: what the idea says, or what is usual for an argument of this name."""
    default = inspect.signature(target).parameters[parameter].default
    usual = USUAL.get(parameter, default * 2 if isinstance(default, float) else None)
    said = OTHER_DEFAULTS.get(target.__name__.removesuffix("_vjp"), {})
    return said.get(parameter, usual)


@pytest.mark.parametrize(("name", "parameter"), OPTIONAL)
def test_whoever_has_another_default_is_found_out(name, parameter):
    target = TARGETS[name]
    signature = inspect.signature(target)
    other = another_default(target, parameter)
    if other is None:
        pytest.skip(f"{parameter} has no other value that would serve")

    def changed(*arguments, **settings):
        bound = signature.bind(*arguments, **settings)
        bound.arguments.setdefault(parameter, other)
        return target(*bound.args, **bound.kwargs)

    assert caught(name, changed)


BATCHED = [
    name
    for name, target in TARGETS.items()
    if any(
        "..." in str(getattr(p.annotation, "dim_str", ""))
        for p in inspect.signature(target).parameters.values()
    )
]


@pytest.mark.parametrize("name", BATCHED)
def test_leading_axes_are_tried(name):
    parameters = inspect.signature(TARGETS[name]).parameters.values()
    first = next(
        p for p in parameters if "..." in str(getattr(p.annotation, "dim_str", ""))
    )
    wanted = len(first.annotation.dim_str.replace("...", "").split())
    axes = {np.ndim(call.arguments[first.name]) - wanted for call in calls_of(name)}
    assert len(axes) >= 2, axes
