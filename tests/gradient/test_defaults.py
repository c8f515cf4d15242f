"""A twin takes of itself what its function takes."""

import inspect
from importlib import import_module

import pytest

from transformer_math import gradient

GROUPS = ("attention", "block", "embedding", "modalities", "model", "output", "position", "training")  # fmt: skip


def defaults(function):
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def shared(twin, function):
    return defaults(twin).keys() & defaults(function).keys()


def pairs():
    """The twins that take something of themselves that their functions take too."""
    groups = [import_module(f"transformer_math.{name}") for name in GROUPS]
    for name, twin in vars(gradient).items():
        function = next((getattr(g, name[:-4]) for g in groups if hasattr(g, name[:-4])), None)  # fmt: skip
        if name.endswith("_vjp") and function and shared(twin, function):
            yield pytest.param(twin, function, id=name)


@pytest.mark.parametrize(("twin", "function"), [*pairs()])
def test_a_twin_has_its_functions_defaults(twin, function):
    for name in shared(twin, function):
        assert defaults(twin)[name] == defaults(function)[name]


def test_there_are_such_twins():
    assert len(list(pairs())) >= 5
