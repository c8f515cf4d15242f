"""Checks of the pullbacks of logits, probabilities and their logarithms."""

import numpy as np
import torch

from transformer_math.attention.softmax import softmax
from transformer_math.checks.gradient.projections import (
    bias_gradient,
    flat,
    tokens_matrix_bias,
)
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import longest, or_edge, size, sometimes, tokens
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.probabilities import (
    log_softmax_vjp,
    logits_vjp,
    probabilities_vjp,
)
from transformer_math.gradient.softmax import softmax_vjp

logits_as_autograd, logits_as_differences = check_gradient(
    logits_vjp,
    equation="eq-logits-vjp",
    axes={"Z": "n d_model", "return": "n V"},
    symbols={"Z": "Z_out", "return": "logits"},
    function=lambda Z, W, b: torch.nn.functional.linear(Z, W.T) + b,
    draw=tokens_matrix_bias,
)
reject_careless_inputs(logits_as_autograd, ("Z", "W_out"))


@rejects_pullback(
    logits_as_autograd,
    "Your W_out gets the mean over the positions; all went through it, so their gradients add up.",
)
def mean_over_positions(dlogits, Z, W, b):
    dW = flat(Z).T @ flat(dlogits) / len(flat(Z))
    return dlogits @ W.T, dW, bias_gradient(dlogits, b)


@rejects_pullback(
    logits_as_differences,
    "The gradient of the bias is missing in your version: it is the sum over the positions.",
)
def logits_bias_forgotten(dlogits, Z, W, b):
    return dlogits @ W.T, flat(Z).T @ flat(dlogits), 0 * bias_gradient(dlogits, b)


COLD = 0.01  # a temperature near 0


def finite_logits(rng):
    return tokens(rng, size(rng, mostly=2))


def random_logits(rng):
    x = finite_logits(rng)
    x[..., 1:][rng.random(x[..., 1:].shape) < or_edge(rng, 0.3, 0.0)] = -np.inf
    return x


def logits_and_temperature(rng):
    if longest():
        return COLD * random_logits(rng), COLD
    given, _ = sometimes(rng, float(10 ** rng.uniform(-1, 1)), 1.0)
    return (random_logits(rng), *given)


probabilities_as_autograd, probabilities_as_differences = check_gradient(
    probabilities_vjp,
    equation="eq-temperature-vjp",
    axes={"logits": "n V", "return": "n V"},
    symbols={"return": "p"},
    function=lambda x, temperature=1.0: torch.softmax(x / temperature, dim=-1),
    draw=logits_and_temperature,
    wrt=("logits",),
    cases=12,
)
probabilities_as_autograd.rejects(
    "You ignore the temperature: the logits were divided by it, and so is their gradient."
)(ignoring(probabilities_vjp, "temperature"))


@rejects_pullback(
    probabilities_as_autograd,
    "The temperature is lost on the way back: the logits were divided by it, so their gradient is too.",
)
def temperature_lost(dp, logits, temperature):
    return softmax_vjp(logits / temperature)[1](dp)


@rejects_pullback(
    probabilities_as_differences,
    "You multiply by the temperature; what was divided on the way there is divided on the way back.",
)
def temperature_undone(dp, logits, temperature):
    (dscaled,) = softmax_vjp(logits / temperature)[1](dp)
    return (dscaled * temperature,)


@rejects_pullback(
    probabilities_as_differences,
    "The temperature is missing in your probabilities on the way back: they are those of logits / T.",
)
def probabilities_of_temperature_one(dp, logits, temperature):
    (dscaled,) = softmax_vjp(logits)[1](dp)
    return (dscaled / temperature,)


log_as_autograd, log_as_differences = check_gradient(
    log_softmax_vjp,
    equation="eq-log-softmax-vjp",
    axes={"x": "V", "return": "V"},
    symbols={"return": "l"},
    function=lambda x: torch.log_softmax(x, dim=-1),
    draw=lambda rng: (finite_logits(rng),),
    cases=12,
)
log_as_autograd.excuses("its value there is −∞, which has no slope", "-inf in x")


@rejects_pullback(
    log_as_autograd,
    "The sum is missing: raising one logit lowers the logarithms of all others.",
)
def log_without_competition(dlog_p, x):
    return (np.array(dlog_p),)


@rejects_pullback(
    log_as_autograd,
    "You have softmax's pullback; wanted that of its logarithm, dl − p·Σ dl.",
)
def that_of_softmax(dlog_p, x):
    return softmax_vjp(x)[1](dlog_p)


@rejects_pullback(
    log_as_differences,
    "You subtract the weighted mean from all alike; each gets its own share of the plain sum.",
)
def weighted_mean_subtracted(dlog_p, x):
    return (dlog_p - (softmax(x) * dlog_p).sum(axis=-1, keepdims=True),)


@rejects_pullback(
    log_as_differences,
    "You multiply by the logarithms; the sum is shared out by the probabilities.",
)
def shared_by_logarithms(dlog_p, x):
    log_p = log_softmax_vjp(x)[0]
    return (dlog_p - log_p * dlog_p.sum(axis=-1, keepdims=True),)
