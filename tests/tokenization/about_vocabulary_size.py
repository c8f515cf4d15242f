"""What the tests of all ideas ask of `tokenization/vocabulary_size`."""

from collections import Counter

import numpy as np

from transformer_math.tokenization import fit_power_law, rare_share, zipf_log_likelihood


def two_percent_more(x, y):
    A, beta = fit_power_law(x, y)
    return 1.02 * A, beta


EXAMPLES = {
    fit_power_law: {"x": np.array([1.0, 4.0]), "y": np.array([3.0, 6.0])},
}

ACCEPTED = {
    zipf_log_likelihood: {"exponent": {"1.5"}},
    rare_share: {"counts": {"longer"}},
}

RIGHT = [
    (fit_power_law, lambda x, y: list(fit_power_law(x, y))),
    (
        fit_power_law,
        lambda x, y: (lambda b, a: (float(np.exp(a)), float(b)))(
            *np.polyfit(np.log(x), np.log(y), 1)
        ),
    ),
    (
        zipf_log_likelihood,
        lambda counts, s: float(
            counts
            @ np.log(
                np.arange(1.0, len(counts) + 1) ** -s
                / (np.arange(1.0, len(counts) + 1) ** -s).sum()
            )
        ),
    ),
    (
        zipf_log_likelihood,
        lambda counts, exponent: (
            sum(-exponent * c * np.log(r) for r, c in enumerate(counts, 1))
            - counts.sum()
            * np.log(sum(r**-exponent for r in range(1, len(counts) + 1)))
        ),
    ),
    (rare_share, lambda counts, k: sum(c < k for c in counts) / len(counts)),
    (rare_share, lambda counts, fewest: 1 - float(np.mean(counts >= fewest))),
]

WRONG = [
    (fit_power_law, lambda x, y: fit_power_law(x, y)[::-1], "it gave"),
    (
        fit_power_law,
        lambda x, y: (
            float(np.exp(np.polyfit(np.log10(x), np.log10(y), 1)[1])),
            float(np.polyfit(np.log10(x), np.log10(y), 1)[0]),
        ),
        "it gave",
    ),
    (fit_power_law, lambda x, y: fit_power_law(x, y)[1], "it gave"),
    (fit_power_law, two_percent_more, "it gave"),
    (
        fit_power_law,
        lambda x, y: (fit_power_law(x, y)[0], -fit_power_law(x, y)[1]),
        "it gave",
    ),
    (zipf_log_likelihood, lambda c, s: -zipf_log_likelihood(c, s), "sign"),
    (
        zipf_log_likelihood,
        lambda c, s: zipf_log_likelihood(c, s) / c.sum(),
        "it gave",
    ),
    (zipf_log_likelihood, lambda c, s: zipf_log_likelihood(c, 1.0), "it gave"),
    (
        zipf_log_likelihood,
        lambda c, s: float(
            c
            @ np.log(
                (np.arange(len(c)) + 2.0) ** -s
                / ((np.arange(len(c)) + 2.0) ** -s).sum()
            )
        ),
        "it gave",
    ),
    (
        zipf_log_likelihood,
        lambda c, s: float((c / c.sum()) @ np.log(np.arange(1.0, len(c) + 1) ** -s)),
        "it gave",
    ),
    (rare_share, lambda c, k: float((c > k).mean()), "it gave"),
    (rare_share, lambda c, k: float((c >= k).mean()), "it gave"),
    (rare_share, lambda c, k: 100 * rare_share(c, k), "it gave"),
    (rare_share, lambda c, k: float((c < 5).mean()), "it gave"),
    (
        rare_share,
        lambda c, k: len([v for v, n in Counter(c).items() if v < k]) / len(c),
        "it gave",
    ),
]

EQUIVALENT = {
    "zipf_exponent": {
        "powers @ log_ranks → log_ranks @ powers": "A dot product does not know its order.",
        "counts @ log_ranks → log_ranks @ counts": "A dot product does not know its order.",
        "(0.0, 1.0) → (0.0, 2.0)": "Where the search begins and how far it steps changes how long it takes: it ends where no number lies between two neighbours.",
        "2 * high → 3 * high": "Where the search begins and how far it steps changes how long it takes: it ends where no number lies between two neighbours.",
        "expected(high) > observed → expected(high) >= observed": "Only where the two numbers are the same to the last bit: the exponent is then another one in its last bits.",
        "expected(middle) > observed → expected(middle) >= observed": "Only where the two numbers are the same to the last bit: the exponent is then another one in its last bits.",
    },
    "zipf_log_likelihood": {
        "counts @ log_powers → log_powers @ counts": "A dot product does not know its order.",
    },
    "fit_power_law": {
        "(u - mu) * (v - nu) → (u + mu) * (v - nu)": "The differences from a mean sum to 0, so a constant beside them adds nothing.",
        "v - nu → v + nu": "The differences from a mean sum to 0, so a constant beside them adds nothing.",
    },
}

EQUIVALENT_FORMULAS = {
    "eq-power-law": {
        "(u_i + \\mu)(v_i - \\nu)": "the differences from a mean sum to 0, so a constant beside the other factor adds nothing",
        "(u_i - \\mu)(v_i + \\nu)": "the same, the other way round",
    },
}
