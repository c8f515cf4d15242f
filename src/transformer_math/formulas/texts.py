"""What formulas about texts speak of: tokens are ids or texts, what a step chooses from is listed."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

MOST_STEPS = 3  # of one training or encoding


def text(letters: str) -> dict[str, str]:
    """A text as a value of a formula."""
    return {"text": letters}


def table(rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """A function of which these values are known: rows of arguments, the value last."""
    return {"table": rows}


def corpus(words: Sequence[Sequence[int]], counts: Sequence[int]) -> dict[str, Any]:
    """x are the tokens of all words, -1 after the end of the shorter ones; n the lengths, c the counts."""
    n = [len(word) for word in words]
    x = np.full((len(words), max(n)), -1)
    for row, word in zip(x, words):
        row[: len(word)] = word
    return {"x": x, "n": n, "c": list(counts)}


def steps(parts: list, value: Callable, best: Callable) -> Iterator[tuple[int, list]]:
    """Where the next merge is, and the value of every pair of neighbours; the caller merges in between."""
    while len(parts) > 1:
        values = [[a, b, value(a, b)] for a, b in pairwise(parts)]
        found = [own for *_, own in values]
        if np.isinf(best(found)):
            return
        yield found.index(best(found)), values


def must_agree(ends: list, output: list) -> None:
    """Raise ValueError where the steps of a reading end in something else than the function gave."""
    if ends != output:
        raise ValueError(
            f"step by step the tokens {ends} come out, the function gives {output}. Fix: the reading, or the function."
        )


def there_and_back(own: str, ids: Sequence[int], back: str) -> dict[str, Any]:
    """What encode and decode make of one text."""
    encode = table([[text(own), list(ids)]])
    return {
        "s": text(own),
        "encode": encode,
        "decode": table([[list(ids), text(back)]]),
    }
