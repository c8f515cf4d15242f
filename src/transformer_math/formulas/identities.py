"""Random values for formulas without a label: a comment above each says what its symbols stand for."""

import re
from collections.abc import Iterator
from zlib import crc32

import numpy as np

from transformer_math.formulas.book import WHERE
from transformer_math.formulas.cases import Case

CASES = 12
SIZES = (2, 3, 4, 5, 6)


def identity_cases(values: str) -> Iterator[Case]:
    """Cases for a formula whose two sides must agree, from a description of its symbols.

    The description is a list such as `d = 2 r; X, P: n × d; i, j: place; Pi: permutation of n; a: number`: arrays by their shape
    (each letter is one random size), places and numbers, the ids of n tokens as `ids: n below V`; `numbers` alone where the
    equation has no symbols. Other kinds: `positive` (also `positive × n`), `zeros n`, `rotation of n`,
    `distribution of n`, `first`, `base`. What follows `; where` are formulas, which are run with the equation.
    Raises ValueError for a description that cannot be read.
    """
    for number in range(CASES):
        rng = np.random.default_rng([crc32(values.encode()), number])
        sizes: dict[str, int] = {}
        drawn: dict[str, object] = {}
        for part in values.partition(WHERE)[0].split(";"):
            if part.strip() == "numbers":
                continue  # the equation has no symbols
            if "=" in part:
                name, _, letter = part.partition("=")
                sizes[name.strip()] = size(letter.strip(), sizes, rng)
                continue
            names, _, kind = part.partition(":")
            for name in names.split(","):
                drawn[name.strip()] = draw(kind.strip(), sizes, rng)
        yield sizes | drawn, {}


def draw(kind: str, sizes: dict[str, int], rng: np.random.Generator) -> object:
    """One random value of a kind; sizes that it names for the first time are drawn too."""
    if kind == "place":
        return int(rng.integers(0, 40))
    if kind == "number":
        return float(rng.normal())
    if kind == "base":
        return float(10 ** rng.uniform(1, 4))
    if kind == "positive":
        return float(np.exp(rng.normal()))
    if kind == "first":
        return 0
    if kind.startswith("positive × "):
        return np.exp(
            rng.normal(size=size(kind.removeprefix("positive × "), sizes, rng))
        )
    if kind.startswith("zeros "):
        return np.zeros(size(kind.removeprefix("zeros "), sizes, rng))
    if kind.startswith("rotation of "):
        n = size(kind.removeprefix("rotation of "), sizes, rng)
        return np.linalg.qr(rng.normal(size=(n, n)))[0]
    if kind.startswith("distribution of "):
        n = size(kind.removeprefix("distribution of "), sizes, rng)
        return rng.dirichlet(np.ones(n))
    if kind.startswith("permutation of "):
        n = size(kind.removeprefix("permutation of "), sizes, rng)
        return np.eye(n)[rng.permutation(n)]
    if " below " in kind:
        n, limit = (size(letter, sizes, rng) for letter in kind.split(" below "))
        return rng.integers(limit, size=n)
    axes = [size(letter.strip(), sizes, rng) for letter in kind.split("×")]
    return rng.normal(size=axes)


def size(letter: str, sizes: dict[str, int], rng: np.random.Generator) -> int:
    """The size that a letter stands for; drawn where it comes for the first time. `2 r` is twice r."""
    if letter.isdigit():
        return int(letter)
    found = re.fullmatch(r"(?:(\d+) )?([A-Za-z]\w*)", letter)
    if found is None:
        raise ValueError(
            f"{letter!r} is no size; wanted a letter such as n, d_k or 2 r. "
            "Fix: describe the symbols as in `X, P: n × d; i: place`."
        )
    factor, name = found.groups()
    if name not in sizes:
        sizes[name] = int(rng.choice(SIZES))
    return int(factor or 1) * sizes[name]
