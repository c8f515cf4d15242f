"""Token ids as they come in: lists, tuples, arrays."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from transformer_math.errors import require


def is_whole(number: Any) -> bool:
    """Whether a value is a whole number, Python's or NumPy's, and no truth value."""
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


def is_numbered(vocabulary: Mapping[Any, Any]) -> bool:
    """Whether the ids of a vocabulary are 0, 1, 2, …, each once."""
    ids = vocabulary.values()
    return all(map(is_whole, ids)) and set(ids) == set(range(len(vocabulary)))


def known_ids(ids: Iterable[int], size: int) -> list[int]:
    """The ids as a list. Raises ValueError unless each is a whole number in 0..size - 1."""
    found = list(ids)
    kinds = set(map(type, found))  # one look at each kind, since texts are long
    odd = next((n for n in found if not is_whole(n)), 0) if kinds - {int} else 0
    require(
        is_whole(odd),
        f"the ids hold {odd!r}; wanted whole numbers. Fix: decode what an encoder gave.",
    )
    ends = (min(found), max(found)) if found else ()
    outside = next((number for number in ends if not 0 <= number < size), None)
    require(
        outside is None,
        f"the id {outside} is outside 0..{size - 1}. Fix: decode with the vocabulary that encoded.",
    )
    return found
