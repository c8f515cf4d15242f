"""What people write who solve the exercises on training and on the language model."""

import math

import numpy as np

from transformer_math.model import encoder_layer_flops, logits_flops
from transformer_math.output import log_softmax
from transformer_math.trained.kneser_ney import kneser_ney, kneser_ney_discount
from transformer_math.training import (
    adam_step,
    bits_per_byte,
    clip_by_norm,
    cosine_schedule,
    cross_entropy,
    global_norm,
    inverse_root_schedule,
    shift,
    training_flops,
)
from transformer_math.trees import map_leaves


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


def adam_by_hand(
    p, g, state, rate, beta_1=0.9, beta_2=0.98, eps=1e-9, weight_decay=0.0
):
    t = state.step + 1
    m = map_leaves(lambda m, g: m + (1 - beta_1) * (g - m), state.m, g)
    v = map_leaves(lambda v, g: v + (1 - beta_2) * (g * g - v), state.v, g)
    correction = math.sqrt(1 - beta_2**t) / (1 - beta_1**t)

    def moved(theta, m, v):
        root = np.sqrt(v) + eps * math.sqrt(1 - beta_2**t)
        return theta * (1 - rate * weight_decay) - rate * correction * m / root

    return map_leaves(moved, p, m, v), type(state)(t, m, v)


def changed_adam(change):
    def adam(p, g, state, rate, beta_1=0.9, beta_2=0.98, eps=1e-9, weight_decay=0.0):
        return change(p, g, state, rate, beta_1, beta_2, eps, weight_decay)

    return adam


RIGHT = [
    (cross_entropy, by_rows),
    (cross_entropy, with_distributions),
    (bits_per_byte, lambda loss, n, b: loss / math.log(2) * (n / b)),
    (bits_per_byte, lambda loss, n, b: math.log2(math.exp(loss)) * n / b),
    (shift, lambda ids: (ids[..., : ids.shape[-1] - 1], ids[..., 1:].copy())),
    (shift, lambda ids: tuple(np.split(np.concatenate([ids[..., :-1], ids[..., 1:]], -1), 2, -1))),
    (inverse_root_schedule, lambda t, d, w: min(t**-0.5, t / w**1.5) / d**0.5),
    (
        inverse_root_schedule,
        lambda t, d, w: (t / w if t < w else math.sqrt(w / t)) / math.sqrt(d * w),
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x / max(1.0, global_norm(g) / c), g),
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / global_norm(g)), g),
    ),
    (adam_step, adam_by_hand),
    (adam_step, changed_adam(lambda *a: adam_step(*a))),
    (
        training_flops,
        lambda n, d, f, N, V: 3 * (N * encoder_layer_flops(n, d, f) + logits_flops(n, d, V)),
    ),
    (
        training_flops,
        lambda n, d, f, N, V: 6 * n * d * (N * (4 * d + 2 * n + 2 * f) + V),
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: (
            peak * t / w if t < w else peak * math.cos(math.pi / 2 * (t - w) / (T - w)) ** 2
        ),
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: peak * min(
            t / w, (1 + math.cos(math.pi * max(t - w, 0) / (T - w))) / 2
        ),
    ),
    (kneser_ney, lambda c, C, N, D, p: np.maximum(c - D, 0) / C + D * N / C * p),
    (kneser_ney, lambda c, C, N, D, p: ((c - D) * (c > D) + D * N * p) / C),
    (
        kneser_ney_discount,
        lambda c: float(1 / (1 + 2 * np.sum(c == 2) / max(np.sum(c == 1), 1))),
    ),
    (
        kneser_ney_discount,
        lambda c: sum(c == 1) / (sum(c == 1) + 2 * sum(c == 2)),
    ),
]  # fmt: skip

WRONG = [
    (cross_entropy, every_weight_of_one, "it gave"),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.0: cross_entropy(x, t, weights, smoothing) / 2,
        "times 0.5 throughout",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.0: cross_entropy(x, t, weights, smoothing / 2),
        "it gave",
    ),
    (
        cross_entropy,
        lambda x, t, weights=None, smoothing=0.1: cross_entropy(x, t, weights, smoothing),
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
    (bits_per_byte, lambda loss, n, b: loss * b / n / math.log(2), "the wrong way round"),
    (shift, lambda ids: (ids[..., 1:], ids[..., :-1]), "the wrong way round"),
    (shift, lambda ids: (ids, ids), "it gave"),
    (shift, lambda ids: (ids[..., :-1], ids[..., :-1] + 1), "it gave"),
    (shift, lambda ids: (ids[..., :-1], ids[..., 1:][..., ::-1]), "it gave"),
    (shift, lambda ids: ids[..., 1:], "it gave"),
    (inverse_root_schedule, lambda t, d, w: d**-0.5 * t**-0.5, "You have no warm-up"),
    (inverse_root_schedule, lambda t, d, w: min(t**-0.5, t * w**-1.5), "You lack the factor"),
    (inverse_root_schedule, lambda t, d, w: min(1 / t, t / w**2) / d**0.5, "it gave"),
    (inverse_root_schedule, lambda t, d, w: min(t**-0.5, t * w**-1.5) / d, "it gave"),
    (
        inverse_root_schedule,
        lambda t, d, w: inverse_root_schedule(t + 1, d, w),
        "it gave",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * c / global_norm(g), g),
        "You always make the gradients that long",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: np.clip(x, -c, c), g),
        "You cut every number by itself",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / global_norm(g) ** 2), g),
        "it gave",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / np.abs(x).max()), g),
        "it gave",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * max(1.0, c / global_norm(g)), g),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(lambda p, g, s, rate, *rest: adam_step(p, g, s, 2 * rate, *rest)),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(lambda p, g, s, rate, b1, b2, eps, decay: adam_step(p, g, s, rate, b2, b1, eps, decay)),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(lambda p, g, s, rate, b1, b2, eps, decay: adam_step(p, g, s, rate, b1, b2, eps)),
        "You ignore",
    ),
    (
        adam_step,
        changed_adam(lambda p, g, s, rate, b1, b2, eps, decay: adam_step(p, g, s, rate, b1, b2, 1e-8, decay)),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(lambda p, g, s, rate, *rest: (adam_step(p, g, s, rate, *rest)[0], s)),
        "it gave",
    ),
    (training_flops, lambda *sizes: training_flops(*sizes) // 3, "You count the forward pass alone"),
    (training_flops, lambda n, d, f, N, V: training_flops(1, d, f, N, V) * n, "it gave"),
    (training_flops, lambda n, d, f, N, V: training_flops(n, d, 4 * d, N, V), "it gave"),
    (training_flops, lambda n, d, f, N, V: training_flops(n, d, f, 1, V), "You count a single layer"),
    (training_flops, lambda *sizes: training_flops(*sizes) // 2, "it gave"),
    (
        cosine_schedule,
        lambda t, peak, w, T: peak * (1 + math.cos(math.pi * t / T)) / 2,
        "it gave",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: cosine_schedule(t, 1.0, w, T),
        "You ignore the peak",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: peak * t / w if t < w else peak,
        "it gave",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: cosine_schedule(t, 2 * peak, w, T),
        "times 2 throughout",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: peak * t / w if t < w else peak * math.cos(math.pi / 2 * (t - w) / (T - w)),
        "it gave",
    ),
    (kneser_ney, lambda c, C, N, D, p: c / C, "it gave"),
    (kneser_ney, lambda c, C, N, D, p: np.maximum(c - D, 0) / C, "sum to less than 1"),
    (kneser_ney, lambda c, C, N, D, p: np.maximum(c - D, 0) / C + D * p, "it gave"),
    (kneser_ney, lambda c, C, N, D, p: (c - D + D * N * p) / C, "A count of 0 becomes"),
    (kneser_ney, lambda c, C, N, D, p: kneser_ney(c, C, N, 0.5, p), "it gave"),
    (kneser_ney_discount, lambda c: float((c == 1).mean()), "You divide by all n-grams"),
    (kneser_ney_discount, lambda c: 0.75, "it gave"),
    (kneser_ney_discount, lambda c: float(np.sum(c == 1) / np.sum(c <= 2)), "seen twice once"),
    (kneser_ney_discount, lambda c: float(np.sum(c == 1) / (np.sum(c == 1) + 2 * np.sum(c >= 2))), "it gave"),
    (kneser_ney_discount, lambda c: 1 - kneser_ney_discount(c), "it gave"),
]  # fmt: skip
