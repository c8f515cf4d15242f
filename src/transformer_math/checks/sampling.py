"""Random sizes and arrays for the cases of checks: odd sizes, single rows and batch axes turn up of themselves."""

from typing import Any

import numpy as np

SIZES = (1, 2, 3, 5, 7, 11)


def size(rng: np.random.Generator, at_least: int = 1) -> int:
    """One of the small primes or 1."""
    return int(rng.choice([s for s in SIZES if s >= at_least]))


def few(rng: np.random.Generator, at_least: int = 1) -> int:
    """A size of 3 at most, for what has many parts: a layer, or a stack of layers."""
    return int(rng.integers(at_least, 4))


def small_batch(rng: np.random.Generator) -> tuple[int, ...]:
    """No, one or two leading axes, of few entries."""
    return tuple(few(rng) for _ in range(rng.integers(3)))


def batch(rng: np.random.Generator) -> tuple[int, ...]:
    """No, one or two leading axes."""
    return tuple(size(rng) for _ in range(rng.integers(3)))


def even(rng: np.random.Generator) -> int:
    """An even size, as positions need it."""
    return 2 * size(rng)


def tokens(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Normal numbers of mixed magnitude in the given shape, behind random batch axes."""
    return rng.normal(size=(*batch(rng), *shape)) * 10 ** rng.uniform(-1, 1)


def sometimes(rng: np.random.Generator, value: Any, default: Any) -> tuple[tuple, Any]:
    """An optional argument, given in three cases of four: what to pass on, and the value that then holds."""
    return ((value,), value) if rng.random() < 0.75 else ((), default)


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
