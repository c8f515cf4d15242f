"""Checks of the last projection and of the probabilities."""

import numpy as np
import torch

from transformer_math.attention.softmax import softmax
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, or_edge, size, sometimes, tokens
from transformer_math.output.probabilities import log_softmax, logits, probabilities


@check(
    logits,
    equation="eq-logits",
    axes={"Z": "n d_model", "return": "n V"},
    symbols={"Z": "Z_out"},
    oracle="torch.nn.functional.linear",
)
def logits_equal_torch(logits, rng):
    d_model, vocab_size = size(rng), size(rng)
    Z, W = tokens(rng, d_model), rng.normal(size=(d_model, vocab_size))
    given, b = sometimes(rng, rng.normal(size=vocab_size), np.zeros(vocab_size))
    return difference(
        logits(Z, W, *given),
        torch.nn.functional.linear(*map(torch.from_numpy, (Z, W.T.copy(), b))),
    )


@logits_equal_torch.rejects(
    "You return probabilities: logits are the scores before softmax."
)
def already_softmaxed(Z, W_out, b_out=0.0):
    return softmax(Z @ W_out + b_out)


@logits_equal_torch.rejects(
    "You multiply by the transpose; W_out has a column for each token, (d_model, V)."
)
def transposed(Z, W_out, b_out=0.0):
    return Z @ W_out.reshape(W_out.shape[::-1]).T + b_out


@logits_equal_torch.rejects("You forget the bias.")
def no_bias(Z, W_out, b_out=0.0):
    return Z @ W_out


@check(
    probabilities,
    equation="eq-temperature",
    axes={"logits": "n V", "return": "n V"},
    oracle="torch.softmax of logits / T",
    cases=60,
)
def probabilities_equal_torch(probabilities, rng):
    scores = tokens(rng, size(rng))
    scores[..., 1:][
        rng.random(scores[..., 1:].shape) < or_edge(rng, 0.3, 0.0)
    ] = -np.inf
    given, temperature = sometimes(rng, float(10 ** rng.uniform(-1, 1)), 1.0)
    if longest():
        given, temperature = (1e-3,), 1e-3
    return difference(
        probabilities(scores, *given),
        torch.softmax(torch.from_numpy(scores) / temperature, dim=-1),
    )


@probabilities_equal_torch.rejects(
    "You multiply by the temperature: a hot model is a flat one, so logits are divided."
)
def multiplied(logits, temperature=1.0):
    return softmax(logits * temperature)


@probabilities_equal_torch.rejects(
    "You divide the probabilities; the temperature divides the logits, before softmax."
)
def divided_afterwards(logits, temperature=1.0):
    return softmax(logits) / temperature


@probabilities_equal_torch.rejects(
    "Your positions share one distribution: softmax runs over the vocabulary, the last axis."
)
def over_positions(logits, temperature=1.0):
    return np.swapaxes(softmax(np.swapaxes(logits, -1, -2) / temperature), -1, -2)


@probabilities_equal_torch.rejects(
    "Your softmax runs down the first axis, axis=0: it runs over the vocabulary, axis=-1."
)
def over_the_first_axis(logits, temperature=1.0):
    powers = np.exp((logits - logits.max(axis=0, keepdims=True)) / temperature)
    return powers / powers.sum(axis=0, keepdims=True)


@probabilities_equal_torch.rejects("You ignore the temperature.")
def temperature_ignored(logits, temperature=1.0):
    return softmax(logits)


@check(log_softmax, equation="eq-log-softmax", oracle="torch.log_softmax")
def log_softmax_equals_torch(log_softmax, rng):
    x = 10 ** rng.uniform(-1, 3) * tokens(rng, size(rng, mostly=2))
    if rng.random() < 0.3 and x.shape[-1] > 1:
        x[..., 0] = -np.inf
    return difference(log_softmax(x), torch.log_softmax(torch.from_numpy(x), dim=-1))


@log_softmax_equals_torch.rejects(
    "You take the logarithm after softmax: its small numbers are 0 by then, and their logarithm is −∞."
)
def logarithm_afterwards(x):
    return np.log(softmax(x))


@log_softmax_equals_torch.rejects(
    "You add a small number to the probabilities before the logarithm, which changes the result: take the logarithm of the sum of powers away from x."
)
def small_number_added(x):
    return np.log(softmax(x) + 1e-9)


@log_softmax_equals_torch.rejects(
    "Your exponentials overflow: take the row's largest score away first."
)
def overflowing(x):
    return x - np.log(np.exp(x).sum(axis=-1, keepdims=True))


@log_softmax_equals_torch.rejects(
    "You sum over the positions: each row is normalised by itself, over the vocabulary."
)
def normalised_over_positions(x):
    return np.swapaxes(log_softmax(np.swapaxes(x, -1, -2)), -1, -2)


@log_softmax_equals_torch.rejects(
    "You sum along the first axis, axis=0: each row is normalised by itself, along the last one, axis=-1, keepdims=True."
)
def normalised_along_the_first_axis(x):
    highest = x.max(axis=0)
    return x - highest - np.log(np.exp(x - highest).sum(axis=0))


@log_softmax_equals_torch.rejects(
    "You take the largest score away and stop there: the logarithm of the sum is missing."
)
def sum_forgotten(x):
    return x - x.max(axis=-1, keepdims=True)
