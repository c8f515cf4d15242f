"""What the tests of all ideas ask of `output/min_p`; `tests/abouts.py` explains the names."""

import numpy as np

from transformer_math.output import min_p, min_p_from_logits, nucleus, probabilities

distributions = np.array([[0.6, 0.3, 0.1, 0.0], [0.75, 0.125, 0.0, 0.125]])
logits = np.array([[1.0, 0.3, -np.inf], [2.0, -1.0, 1.9]])

EXAMPLES = {
    min_p: {"p": distributions, "p_base": 0.25},
    min_p_from_logits: {"logits": logits, "p_base": 0.25, "temperature": 2.0},
}

ACCEPTED = {
    min_p: {"p_base": {"0"}},
    min_p_from_logits: {"logits": {"longer"}, "p_base": {"0"}, "temperature": {"1.5"}},
}

NO_TWIN = {
    min_p: "chooses among tokens: it jumps where one comes to the threshold, and serves to write",
    min_p_from_logits: "chooses among tokens: it jumps where one comes to the threshold, and serves to write",
}


def row_by_row(p, p_base):
    flat, rows = p.reshape(-1, p.shape[-1]), []
    for row in flat:
        kept = [x if x >= p_base * max(row) else 0.0 for x in row]
        rows.append([x / sum(kept) for x in kept])
    return np.array(rows).reshape(p.shape)


def by_the_mask(p, p_base):
    out = p.copy()
    out[p / p.max(axis=-1, keepdims=True) < p_base] = 0
    return out / out.sum(axis=-1, keepdims=True)


def through_probabilities(logits, p_base, temperature=1.0):
    return min_p(probabilities(logits, temperature), p_base)


def by_masked_logits(logits, p_base, temperature=1.0):
    best = logits.max(axis=-1, keepdims=True)
    with np.errstate(divide="ignore"):
        stays = (logits - best) / temperature >= np.log(p_base)
    return probabilities(np.where(stays, logits, -np.inf), temperature)


def cut_of_the_logits(logits, p_base, temperature=1.0):
    x = logits / temperature
    return probabilities(np.where(x >= p_base * x.max(), x, -np.inf))


RIGHT = [
    (min_p, row_by_row),
    (min_p, by_the_mask),
    (min_p_from_logits, through_probabilities),
    (min_p_from_logits, by_masked_logits),
]

WRONG = [
    (min_p, lambda p, p_base: p, "it gave"),
    (min_p, lambda p, p_base: nucleus(p, 0.9), "it gave"),
    (min_p, lambda p, p_base: np.where(min_p(p, p_base) > 0, p, 0), "sum to 1"),
    (min_p, lambda p, p_base: min_p(p, p_base) > 0, "True and False"),
    (min_p, lambda p, p_base: np.sort(min_p(p, p_base), axis=-1), "it gave"),
    (min_p, lambda p, p_base: min_p(p, 1 - p_base), "it gave"),
    (min_p_from_logits, lambda x, b, T=1.0: min_p_from_logits(x, b), "temperature"),
    (min_p_from_logits, lambda x, b, T=1.0: min_p_from_logits(x, b, 1 / T), "multiply"),
    (
        min_p_from_logits,
        lambda x, b, T=1.0: min_p(probabilities(x), b),
        "ignore the temperature",
    ),
    (min_p_from_logits, lambda x, b, T=1.0: probabilities(x, T), "it gave"),
    (min_p_from_logits, cut_of_the_logits, "no token is possible there"),
]
