"""Random sizes and arrays for the cases of checks: odd sizes, single rows and batch axes turn up of themselves.

The last case of every check is the smallest that there is: each size as small as it may be, no leading axes. The one
before it is the longest, in the checks that ask for it: a text of a thousand characters, a temperature near 0.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

# their squares overflow, and vanish; a power of two changes no digit
HUGE, TINY = 2.0**650, 2.0**-650
SIZES = (1, 2, 3, 5, 7, 11)
_LEFT: ContextVar[int] = ContextVar("cases that come after this one", default=2)


@contextmanager
def drawing(number: int, cases: int) -> Iterator[None]:
    """Draw the case of this number of a check that has so many."""
    token = _LEFT.set(cases - 1 - number)
    try:
        yield
    finally:
        _LEFT.reset(token)


def smallest() -> bool:
    """Whether the case that is drawn is the smallest."""
    return _LEFT.get() == 0


def longest() -> bool:
    """Whether the case that is drawn is the longest. No printed formula is run on it: it may leave the range of floats."""
    return _LEFT.get() == 1


def size(rng: np.random.Generator, at_least: int = 1, mostly: int = 1) -> int:
    """One of the small primes or 1; `mostly` this size at least, where a smaller one would hide mistakes."""
    if smallest():
        return at_least
    return int(rng.choice([s for s in SIZES if s >= max(at_least, mostly)]))


def few(rng: np.random.Generator, at_least: int = 1, mostly: int = 1) -> int:
    """A size of 3 at most, for what has many parts: a layer, or a stack of layers."""
    return at_least if smallest() else int(rng.integers(max(at_least, mostly), 4))


def small_batch(rng: np.random.Generator) -> tuple[int, ...]:
    """No, one or two leading axes, of few entries."""
    if smallest():
        return ()
    return tuple(few(rng) for _ in range(rng.integers(3)))


def batch(rng: np.random.Generator) -> tuple[int, ...]:
    """No, one or two leading axes."""
    if smallest():
        return ()
    return tuple(size(rng) for _ in range(rng.integers(3)))


def even(rng: np.random.Generator) -> int:
    """An even size, as positions need it."""
    return 2 * size(rng)


def tokens(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Normal numbers of mixed magnitude in the given shape, after random batch axes."""
    return rng.normal(size=(*batch(rng), *shape)) * 10 ** rng.uniform(-1, 1)


def sometimes(rng: np.random.Generator, value: Any, default: Any) -> tuple[tuple, Any]:
    """An optional argument, given in three cases of four: what to pass on, and the value that then holds."""
    return ((value,), value) if rng.random() < 0.75 else ((), default)


def or_edge(rng: np.random.Generator, edge: Any, value: Any) -> Any:
    """The edge of a domain in one case of five, else a value from inside; never in the smallest case, an edge by itself."""
    return edge if rng.random() < 0.2 and not smallest() else value


def random_mask(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """A mask of all shapes that one head's scores know: every query may attend to something."""
    mask = rng.random((int(rng.choice([n, n, 1])), m)) < 0.6
    mask[:, 0] |= ~mask.any(axis=-1)
    return mask


def mask_for_heads(
    rng: np.random.Generator, lead: tuple[int, ...], n_heads: int, n: int, m: int
) -> np.ndarray:
    """A mask for scores (*lead, n_heads, n, m): one for all, one for each sequence (as padding is), or for each head."""
    if not lead or rng.random() < 0.4:
        return random_mask(rng, n, m)
    heads, rows = [(1, 1), (1, n), (n_heads, n)][rng.integers(3)]
    mask = rng.random((*lead, heads, rows, m)) < 0.6
    mask[..., 0] |= ~mask.any(axis=-1)
    return mask
