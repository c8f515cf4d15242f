"""What the tests of all ideas ask of `tokenization/comparison`."""

import numpy as np

from transformer_math.tokenization import (
    bits_per_character,
    renyi_efficiency,
    renyi_entropy,
)

EXAMPLES = {
    renyi_entropy: {"p": np.array([0.0, 1.0, 0.0]), "alpha": 2.0},
}

ACCEPTED = {
    renyi_efficiency: {"alpha": {"1.5"}, "counts": {"longer"}},
    renyi_entropy: {"alpha": {"1.5"}, "p": {"longer"}},
    bits_per_character: {"counts": {"longer"}},
}


def by_the_largest(p, alpha):
    if alpha == 1:
        return -sum(x * np.log2(x) for x in p if x)
    rest = np.log2(sum((x / max(p)) ** alpha for x in p))
    return (alpha * np.log2(max(p)) + rest) / (1 - alpha)


RIGHT = [
    (renyi_entropy, by_the_largest),
    (renyi_entropy, lambda p, a: renyi_entropy(np.sort(p), a)),
    (
        renyi_efficiency,
        lambda counts, alpha=2.5: (
            renyi_entropy(counts / counts.sum(), alpha) / np.log2(len(counts))
        ),
    ),
    (renyi_efficiency, lambda counts, alpha: renyi_efficiency(2 * counts, alpha)),
    (
        bits_per_character,
        lambda counts, n: sum(c * np.log2(sum(counts) / c) for c in counts if c) / n,
    ),
    (
        bits_per_character,
        lambda counts, n_characters: (
            renyi_entropy(counts / counts.sum(), 1.0) * counts.sum() / n_characters
        ),
    ),
]

WRONG = [
    (
        renyi_entropy,
        lambda p, alpha: (
            -sum(x * np.log2(x) for x in p if x)
            if alpha == 1
            else np.log2(sum(x**alpha for x in p)) / (1 - alpha)
        ),
        "At a large α all your powers are 0",
    ),
    (renyi_entropy, lambda p, a: renyi_entropy(p, 2.5), "it gave"),
    (renyi_entropy, lambda p, a: float(-np.log2((p**a).sum())), "it gave"),
    (renyi_entropy, lambda p, a: float(-np.log2(p.max())), "it gave"),
    (renyi_entropy, lambda p, a: renyi_entropy(p, a) / np.log2(len(p)), "it gave"),
    (renyi_entropy, lambda p, a: 2 ** renyi_entropy(p, a), "it gave"),
    (renyi_efficiency, lambda c, a=2.5: renyi_efficiency(c), "alpha"),
    (renyi_efficiency, lambda c, a=2.5: renyi_efficiency(c, 1.0), "it gave"),
    (renyi_efficiency, lambda c, a=2.0: renyi_efficiency(c, a), "it gave"),
    (renyi_efficiency, lambda c, a=2.5: 1 - renyi_efficiency(c, a), "it gave"),
    (
        renyi_efficiency,
        lambda c, a=2.5: renyi_entropy(c / c.sum(), a) / np.log2(c.sum() + 2),
        "it gave",
    ),
    (bits_per_character, lambda c, n: -bits_per_character(c, n), "sign"),
    (bits_per_character, lambda c, n: n * bits_per_character(c, n), "it gave"),
    (bits_per_character, lambda c, n: 8 * bits_per_character(c, n), "it gave"),
    (
        bits_per_character,
        lambda c, n: float(-(c[c > 0] * np.log2(c[c > 0] / n)).sum() / n),
        "it gave",
    ),
    (
        bits_per_character,
        lambda c, n: renyi_entropy(c / c.sum(), 2.0) * c.sum() / n,
        "it gave",
    ),
]

EQUIVALENT = {
    "renyi_entropy": {
        "abs(alpha - 1) < NEAR → abs(alpha - 1) <= NEAR": "Both formulas are right where they meet.",
        "abs(p.sum() - 1) < 1e-06 → abs(p.sum() - 1) <= 1e-06": "A sum exactly at the bound, which is a rough one, is as good as one just below it.",
        "used @ np.expm1((alpha - 1) * np.log(used)) → np.expm1((alpha - 1) * np.log(used)) @ used": "A dot product does not know its order.",
    },
}
