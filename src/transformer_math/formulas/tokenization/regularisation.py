"""How the formulas of sampling are read."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading, reading
from transformer_math.tokenization.regularisation import (
    last_edge_probabilities,
    sample_segmentation,
)
from transformer_math.tokenization.unigram import lattice

LISTED = (
    12  # characters of a word all of whose segmentations are listed: there are 2^11
)


@reading("eq-backward-sampling")
def ways_back(a, outputs, arguments):
    """The forward sums are those at the same temperature."""
    yield a | {"n": len(a["L"]) - 1}, {"q[]": outputs[0]}


@calls_reading("eq-segmentation-sample")
def shares_of_the_ways(calls):
    """P are the probabilities of all segmentations, p the products of the shares by which the function draws."""
    seen = set()
    for call in calls:
        a = arguments_of(sample_segmentation, call)
        if a["word"] in seen or len(a["word"]) > LISTED:
            continue
        seen.add(a["word"])
        for T in {a["temperature"], 0.7, 3.0}:
            yield _shares_at(lattice(a["word"], a["unigram"]), T), {}


def _shares_at(L: np.ndarray, T: float) -> dict[str, Any]:
    shares = last_edge_probabilities(L, T)
    ways = list(_places(len(L) - 1))
    P = [np.exp(sum(L[edge] for edge in pairwise(way))) for way in ways]
    p = [np.prod([shares[edge] for edge in pairwise(way)]) for way in ways]
    return {"P": P, "p": p, "T": T}


def _places(n: int) -> Iterator[tuple[int, ...]]:
    return (
        (0, *cuts, n) for size in range(n) for cuts in combinations(range(1, n), size)
    )
