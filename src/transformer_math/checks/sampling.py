"""Random sizes and arrays for the cases of checks: odd sizes, single rows and batch axes turn up of themselves."""

import numpy as np

SIZES = (1, 2, 3, 5, 7, 11)


def size(rng: np.random.Generator, at_least: int = 1) -> int:
    """One of the small primes or 1."""
    return int(rng.choice([s for s in SIZES if s >= at_least]))


def batch(rng: np.random.Generator) -> tuple[int, ...]:
    """No, one or two leading axes."""
    return tuple(size(rng) for _ in range(rng.integers(3)))


def even(rng: np.random.Generator) -> int:
    """An even size, as positions need it."""
    return 2 * size(rng)


def tokens(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Normal numbers of mixed magnitude in the given shape, behind random batch axes."""
    return rng.normal(size=(*batch(rng), *shape)) * 10 ** rng.uniform(-1, 1)
