"""What the tests of all ideas ask of `training/objective`."""

import math

import numpy as np
from example_values import ids, normal

from transformer_math.output import log_softmax
from transformer_math.training import (
    begin_and_end,
    bits_per_byte,
    cross_entropy,
    perplexity,
    shift,
)


def by_rows(logits, targets, weights=None, smoothing=0.0):
    rows, chosen = logits.reshape(-1, logits.shape[-1]), targets.ravel()
    w = np.ones(len(rows)) if weights is None else weights.ravel()
    total = 0.0
    for x, t, share in zip(rows, chosen, w):
        log_p = x - np.logaddexp.reduce(x)
        total -= share * ((1 - smoothing) * log_p[t] + smoothing * log_p.mean())
    return total / w.sum()


def with_distributions(logits, targets, weights=None, smoothing=0.0):
    V = logits.shape[-1]
    y = np.full(logits.shape, smoothing / V)
    np.put_along_axis(y, targets[..., None], 1 - smoothing + smoothing / V, axis=-1)
    losses = -np.sum(y * log_softmax(logits), axis=-1)
    return float(np.average(losses, weights=weights))


def every_weight_of_one(logits, targets, weights=None, smoothing=0.0):
    w = None if weights is None else np.where(weights > 0, 1.0, 0.0)
    return cross_entropy(logits, targets, w, smoothing)


def through(log):
    """Cross-entropy from what `log` makes of the logits."""

    def loss(logits, targets, weights=None, smoothing=0.0):
        log_p = log(logits)
        of_target = np.take_along_axis(log_p, targets[..., None], -1)[..., 0]
        losses = -(1 - smoothing) * of_target - smoothing * log_p.mean(-1)
        return float(np.average(losses, weights=weights))

    return loss


def down_the_columns(logits):
    powers = np.exp(logits - logits.max(0))
    return np.log(powers / powers.sum(0))


EXAMPLES = {
    begin_and_end: {"ids": ids, "begin": 8, "end": 9},
    cross_entropy: {
        "logits": normal(3, 11),
        "targets": ids,
        "weights": np.array([1.0, 0.5, 2.0]),
        "smoothing": 0.1,
    },
}

ACCEPTED = {
    cross_entropy: {"logits": {"longer"}, "weights": {"None"}, "smoothing": {"0"}},
    begin_and_end: {"ids": {"longer"}, "begin": {"-1", "0"}, "end": {"-1", "0"}},
    shift: {"ids": {"longer"}},
    perplexity: {"loss": {"0", "1.5"}},
    bits_per_byte: {"loss": {"0", "1.5"}},
}

NO_TWIN = {
    bits_per_byte: "a loss in other words, for people; what is trained on is cross_entropy",
    perplexity: "a loss in other words, for people; what is trained on is cross_entropy",
}

RIGHT = [
    (cross_entropy, by_rows),
    (cross_entropy, with_distributions),
    (bits_per_byte, lambda loss, n, b: loss / math.log(2) * (n / b)),
    (bits_per_byte, lambda loss, n, b: math.log2(math.exp(loss)) * n / b),
    (shift, lambda ids: (ids[..., : ids.shape[-1] - 1], ids[..., 1:].copy())),
    (
        shift,
        lambda ids: tuple(
            np.split(np.concatenate([ids[..., :-1], ids[..., 1:]], -1), 2, -1)
        ),
    ),
]

WRONG = [
    (cross_entropy, every_weight_of_one, "it gave"),
    (cross_entropy, through(down_the_columns), "Your softmax runs down the columns"),
    (
        cross_entropy,
        through(lambda x: np.log(np.exp(log_softmax(x)) + 1e-12)),
        "You add 10⁻¹² to the probabilities",
    ),
    (
        cross_entropy,
        through(lambda x: np.log(np.exp(log_softmax(x)).clip(1e-9))),
        "You raise small probabilities to 10⁻⁹",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.0: (
            cross_entropy(x, t, weights, smoothing) / 2
        ),
        "times 0.5 throughout",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.0: cross_entropy(
            x, t, weights, smoothing / 2
        ),
        "it gave",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.1: cross_entropy(
            x, t, weights, smoothing
        ),
        "Your function is right where `smoothing` is given",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.0: cross_entropy(x, t, None, smoothing),
        "You ignore the weights",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.0: -log_softmax(x).max(axis=-1).mean(),
        "it gave",
    ),
    (bits_per_byte, lambda loss, n, b: loss * n / b, "Your result is in nats"),
    (bits_per_byte, lambda loss, n, b: loss / math.log(2), "That is bits per token"),
    (bits_per_byte, lambda loss, n, b: loss * n / b * math.log(2), "it gave"),
    (bits_per_byte, lambda loss, n, b: math.log2(loss + 1) * n / b, "it gave"),
    (
        bits_per_byte,
        lambda loss, n, b: loss * b / n / math.log(2),
        "the wrong way round",
    ),
    (shift, lambda ids: (ids[..., 1:], ids[..., :-1]), "the wrong way round"),
    (shift, lambda ids: (ids, ids), "it gave"),
    (shift, lambda ids: (ids[..., :-1], ids[..., :-1] + 1), "it gave"),
    (shift, lambda ids: (ids[..., :-1], ids[..., 1:][..., ::-1]), "it gave"),
    (shift, lambda ids: ids[..., 1:], "it gave"),
]

EQUIVALENT = {
    "cross_entropy": {
        "np.take_along_axis(log_p, targets[..., None], axis=-1)[..., 0] → np.take_along_axis(log_p, targets[..., None], axis=-1)[..., -1]": "The last axis has one entry, the first and the last.",
    },
}
