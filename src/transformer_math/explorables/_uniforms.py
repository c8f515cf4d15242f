"""Random numbers that Python and JavaScript draw alike."""

from collections.abc import Iterator


def uniforms(seed: int) -> Iterator[float]:
    """Numbers in 0..1, by the generator of Park and Miller, which JavaScript computes exactly too.

    >>> [round(u, 4) for u, _ in zip(uniforms(1), range(2))]
    [0.178, 0.457]
    """
    x = 1 + 7919 * seed
    while True:
        x = 48271 * x % (2**31 - 1)
        yield x / (2**31 - 1)
