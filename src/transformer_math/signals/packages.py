"""The npm packages that the signals come from: every `Package` that a module of this folder names."""

from importlib import import_module
from pathlib import Path

from transformer_math.fetched import Package


def packages() -> list[Package]:
    """All of them, in the order of their modules."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
    modules = [import_module(f"{__package__}.{name}") for name in names]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Package)
    ]
