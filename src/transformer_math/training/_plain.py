"""A task in plain words, to be compared with the one that a checkpoint was made for."""

from dataclasses import fields, is_dataclass
from typing import Any


def plain(value: Any) -> Any:
    """What JSON can hold of a value: fields by name, functions and other objects by the name that they have in the code.

    >>> plain({"rate": 0.1, "form": (len, None)})
    {'rate': 0.1, 'form': ['len', None]}
    """
    if is_dataclass(value) and not isinstance(value, type):
        found = {
            field.name: plain(getattr(value, field.name)) for field in fields(value)
        }
        return {"is": type(value).__qualname__, **found}
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if callable(value):
        return value.__qualname__
    is_plain = value is None or isinstance(value, bool | int | float | str)
    return value if is_plain else type(value).__qualname__
