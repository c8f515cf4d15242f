"""What the tests of all ideas ask of `output/decoding`."""

import numpy as np
from example_values import ids

from transformer_math.output import beam, greedy, nucleus, probabilities, sample, top_k


def top_k_by_sorting(p, k):
    flat = p.reshape(-1, p.shape[-1])
    out = np.zeros_like(flat)
    for row, kept in zip(flat, out):
        best = sorted(range(len(row)), key=lambda v: (-row[v], v))[:k]
        kept[best] = row[best] / row[best].sum()
    return out.reshape(p.shape)


def nothing_is_left(p, mass):
    order = np.argsort(-p, axis=-1, kind="stable")
    kept = np.take_along_axis(p, order, axis=-1).cumsum(axis=-1) <= mass
    kept = np.where(np.take_along_axis(kept, order.argsort(axis=-1), axis=-1), p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-12)


def nucleus_by_loop(p, mass):
    flat = p.reshape(-1, p.shape[-1])
    out = np.zeros_like(flat)
    for row, kept in zip(flat, out):
        total, best = 0.0, []
        for v in sorted(range(len(row)), key=lambda v: (-row[v], v)):
            if total >= mass:
                break
            best.append(v)
            total += row[v]
        kept[best] = row[best] / row[best].sum()
    return out.reshape(p.shape)


def greedy_by_recursion(next_logits, start, length, end=None):
    if length == 0:
        return start
    token = int(np.argmax(next_logits(start)))
    longer = np.array([*start, token])
    if token == end:
        return longer
    return greedy_by_recursion(next_logits, longer, length - 1, end)


def last_of_equals(next_logits, start, length, end=None):
    ids = start
    for _ in range(length):
        x = next_logits(ids)
        ids = np.append(ids, len(x) - 1 - np.argmax(x[::-1]))
        if ids[-1] == end:
            break
    return ids


def always_eight(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, 8, end, power)


def eight_and_then_cut(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, 8, end, power)[:width]


def best_alone(next_logits, start, length, width, end=None, power=0.0):
    found = beam(next_logits, start, length, width, end, power)
    return [max(found, key=lambda one: one.score)]


def finished_ones_grow(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, None, power)


def without_the_power(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, end)


def always_the_mean(next_logits, start, length, width, end=None, power=0.0):
    return beam(next_logits, start, length, width, end, 1.0)


def same_logits_throughout(next_logits, start, length, end=None):
    return greedy(lambda ids: next_logits(start), start, length, end)


distributions = np.array([[0.6, 0.3, 0.1, 0.0], [0.75, 0.125, 0.0, 0.125]])


def next_logits(ids):
    return np.cos(ids[-1] + np.arange(6.0))


EXAMPLES = {
    nucleus: {"p": distributions, "mass": 0.8},
    sample: {
        "next_logits": next_logits,
        "start": ids,
        "length": 2,
        "rng": np.random.default_rng(0),
        "distribution": probabilities,
        "end": 3,
    },
    top_k: {"p": distributions, "k": 2},
}

ACCEPTED = {
    greedy: {"start": {"longer"}, "end": {"0", "None"}},
    sample: {"start": {"longer"}, "end": {"0", "None"}},
    beam: {"start": {"longer"}, "end": {"0", "None"}, "power": {"0", "1.5"}},
}

NO_TWIN = {
    beam: "chooses among tokens: it jumps where two change places, and serves to write",
    nucleus: "chooses among tokens: it jumps where two change places, and serves to write",
    top_k: "chooses among tokens: it jumps where two change places, and serves to write",
}

OTHER_DEFAULTS = {
    beam: {"power": 1.0},
}

RIGHT = [
    (top_k, top_k_by_sorting),
    (top_k, lambda p, k: top_k(p, k).tolist()),
    (nucleus, nucleus_by_loop),
    (nucleus, lambda p, mass: nucleus(p, mass).tolist()),
    (greedy, greedy_by_recursion),
    (
        greedy,
        lambda f, start, length, end=None: greedy(f, start, length, end).tolist(),
    ),
]

WRONG = [
    (top_k, lambda p, k: np.sort(top_k(p, k), axis=-1), "it gave"),
    (top_k, lambda p, k: np.where(top_k(p, k) > 0, p, 0), "does not sum to 1"),
    (top_k, lambda p, k: top_k(p, k + 1), "it gave"),
    (top_k, lambda p, k: top_k(p, k) > 0, "True and False"),
    (top_k, lambda p, k: p, "it gave"),
    (nucleus, lambda p, mass: nucleus(p, min(1.0, mass + 0.01)), "one token too many"),
    (nucleus, lambda p, mass: np.where(nucleus(p, mass) > 0, p, 0), "sum to 1"),
    (nucleus, nothing_is_left, "where that is the first one nothing is left"),
    (nucleus, lambda p, mass: p, "it gave"),
    (nucleus, lambda p, mass: np.where(p > mass, p, 0), "it gave"),
    (nucleus, lambda p, mass: top_k(p, 1), "it gave"),
    (beam, always_eight, "You ignore `width`"),
    (beam, eight_and_then_cut, "what you return is cut to `width` at the end"),
    (beam, best_alone, "You return the best sequence alone"),
    (beam, finished_ones_grow, "Your sequences grow on after the end token"),
    (beam, without_the_power, "You leave the length out"),
    (beam, always_the_mean, "You always divide by the length"),
    (greedy, last_of_equals, "it gave"),
    (greedy, same_logits_throughout, "it gave"),
    (
        greedy,
        lambda f, start, length, end=None: greedy(f, start, length, end)[len(start) :],
        "You return what was added",
    ),
    (
        greedy,
        lambda f, start, length, end=None: greedy(f, start, length),
        "You write on after the end token",
    ),
    (
        greedy,
        lambda f, start, length: greedy(f, start, length),
        "Your function takes 3 of 4 arguments",
    ),
]
