"""Checks of the pullbacks of T5's positions."""

import numpy as np
import torch

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.position.t5 import (
    FARTHEST,
    SIDES,
    bucket_by_whole_numbers,
    causal_bucket_by_whole_numbers,
    queries_keys_bias,
    table_and_length,
)
from transformer_math.gradient.t5 import (
    t5_bias_vjp,
    t5_causal_bias_vjp,
    t5_scores_vjp,
)
from transformer_math.position.t5 import t5_bucket, t5_causal_bucket


def torch_bias(by_whole_numbers):
    def bias(table, n, max_distance=128):
        buckets = [
            [by_whole_numbers(j - i, len(table), max_distance) for j in range(n)]
            for i in range(n)
        ]
        return table[torch.tensor(buckets)].movedim(-1, 0)

    return bias


def tables(sides):
    """Draws the arguments of a bias."""
    return lambda rng: table_and_length(rng, sides)[0]


for function, equation, by_whole_numbers, bucket, sides in (
    (t5_bias_vjp, "eq-t5-bias-vjp", bucket_by_whole_numbers, t5_bucket, 2),
    (
        t5_causal_bias_vjp,
        "eq-t5-causal-bias-vjp",
        causal_bucket_by_whole_numbers,
        t5_causal_bucket,
        1,
    ),
):
    as_autograd, as_differences = check_gradient(
        function,
        equation=equation,
        symbols={"table": "T", "max_distance": "D", "return": "B"},
        function=torch_bias(by_whole_numbers),
        draw=tables(sides),
        wrt=("table",),
        cases=16,
    )
    as_autograd.excuses(FARTHEST, "max_distance = 1")
    as_autograd.excuses(SIDES, "N = 1")

    @rejects_pullback(
        as_autograd,
        "Buckets are overwritten in your version: all pairs of one bucket add to it, np.add.at and not +=.",
    )
    def overwritten(dB, table, n, max_distance, bucket=bucket):
        place, dT = np.arange(n), np.zeros_like(table)
        dT[bucket(place - place[:, None], len(table), max_distance)] += np.moveaxis(
            dB, 0, -1
        )
        return (dT,)

    @rejects_pullback(
        as_differences,
        "You average over the pairs of a bucket; the gradient is their sum.",
    )
    def averaged(dB, table, n, max_distance, bucket=bucket, function=function):
        place = np.arange(n)
        buckets = bucket(place - place[:, None], len(table), max_distance)
        counts = np.bincount(buckets.ravel(), minlength=len(table))
        (dT,) = function(table, n, max_distance)[1](dB)
        return (dT / np.maximum(1, counts)[:, None],)


scores_as_autograd, scores_as_differences = check_gradient(
    t5_scores_vjp,
    equation="eq-t5-scores-vjp",
    symbols={"bias": "B", "return": "S"},
    function=lambda Q, K, bias: Q @ K.mT + bias,
    draw=queries_keys_bias,
    cases=20,
)
reject_careless_inputs(scores_as_autograd, ("Q", "K", "bias"))


@rejects_pullback(
    scores_as_differences,
    "You divide by √d_k on the way back; nothing was divided on the way there.",
)
def divided(dS, Q, K, bias):
    dQ, dK, dB = t5_scores_vjp(Q, K, bias)[1](dS)
    root = np.sqrt(Q.shape[-1])
    return dQ / root, dK / root, dB


@rejects_pullback(
    scores_as_differences,
    "Your bias hears one text of the batch only: it served all, and collects from all.",
)
def one_text_alone(dS, Q, K, bias):
    dQ, dK, _ = t5_scores_vjp(Q, K, bias)[1](dS)
    return dQ, dK, dS.reshape(-1, *bias.shape)[0].copy()
