"""Checks of one neuron's loss."""

import numpy as np
import torch

from transformer_math.block.neuron import neuron_loss
from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, or_edge, size


def one_neuron(rng):
    """What it reads, its weights and bias; a target between no and yes, or one of them. Once it is so sure that p is 0 or 1, and e^z or e^−z is beyond floats."""
    scale = 400.0 if longest() else rng.choice([0.1, 1.0, 3.0])
    x, w = rng.normal(size=(2, size(rng)))
    b = (
        rng.choice([1e4, -1e4])
        if longest()
        else or_edge(rng, 0.0, scale * rng.normal())
    )
    return x, scale * w, float(b), float(rng.choice([0, 1, rng.random()]))


def neurons(rng):
    """One neuron; where it is sure, four: sure of yes, and of no, each of them right and wrong."""
    x, w, b, t = one_neuron(rng)
    if not longest():
        return [(x, w, b, t)]
    return [(x, w, bias, target) for bias in (b, -b) for target in (0.0, 1.0)]


def torch_loss(x, w, b, t):
    z = torch.as_tensor(w) @ torch.as_tensor(x) + torch.as_tensor(
        b, dtype=torch.float64
    )
    wanted = torch.tensor(float(t), dtype=torch.float64)
    return torch.nn.functional.binary_cross_entropy_with_logits(z, wanted)


@check(
    neuron_loss,
    equation="eq-neuron",
    oracle="torch.nn.functional.binary_cross_entropy_with_logits",
    symbols={"return": "mathcal:L"},
)
def neuron_equals_torch(neuron_loss, rng):
    return worst(
        difference(neuron_loss(*one), torch_loss(*one)) for one in neurons(rng)
    )


def loss_from(p, t):
    with np.errstate(all="ignore"):
        return -t * np.log(p) - (1 - t) * np.log(1 - p)


@neuron_equals_torch.rejects(
    "Your loss is infinite or NaN where p is rounded to 0 or 1: use ln(1 + e^z) − t z, by np.logaddexp(0, z)."
)
def by_a_rounded_probability(x, w, b, t):
    return float(loss_from((1 + np.tanh((w @ x + b) / 2)) / 2, t))


@neuron_equals_torch.rejects(
    "Your e^(−z) is infinite where z is far below 0: use ln(1 + e^z) − t z, by np.logaddexp(0, z)."
)
def by_the_logarithm_of_a_sum(x, w, b, t):
    z = w @ x + b
    with np.errstate(all="ignore"):
        return float(np.log1p(np.exp(-z)) + (1 - t) * z)


@neuron_equals_torch.rejects(
    "You keep p away from 0 and 1, and with it the surprise below a bound: it has none. Use ln(1 + e^z) − t z."
)
def by_a_clipped_probability(x, w, b, t):
    p = (1 + np.tanh((w @ x + b) / 2)) / 2
    return float(loss_from(np.clip(p, 1e-15, 1 - 1e-15), t))


@neuron_equals_torch.rejects("You forget the bias: z = w·x + b.")
def without_bias(x, w, b, t):
    return neuron_loss(x, w, 0.0, t)


@neuron_equals_torch.rejects(
    "The target is turned round: t belongs to ln p, 1 − t to ln(1 − p)."
)
def target_turned(x, w, b, t):
    return neuron_loss(x, w, b, 1 - t)


@neuron_equals_torch.rejects(
    "You leave out the second term: where t is below 1, a p that is too large costs, too."
)
def first_term_alone(x, w, b, t):
    z = w @ x + b
    return float(t * np.logaddexp(0, -z))


@neuron_equals_torch.rejects(
    "The sign is missing: a logarithm of a probability is negative, a surprise is not."
)
def negative(x, w, b, t):
    return -neuron_loss(x, w, b, t)


@neuron_equals_torch.rejects("You give bits: wanted nats, the natural logarithm.")
def in_bits(x, w, b, t):
    return neuron_loss(x, w, b, t) / np.log(2)
