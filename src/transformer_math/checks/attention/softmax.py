"""Checks of softmax, its Jacobian, and entropy."""

import numpy as np
import torch

from transformer_math.attention.softmax import entropy, softmax, softmax_jacobian
from transformer_math.checks.compare import difference
from transformer_math.checks.gradients import JACOBIAN, check_gradient
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, or_edge, size, tokens


def random_scores(rng):
    """Scores from tiny to ±10,000, some of them −∞, never a whole row."""
    x = rng.normal(size=(*batch(rng), size(rng))) * 10 ** rng.uniform(-2, 4)
    x[..., 1:][rng.random(x[..., 1:].shape) < 0.1] = -np.inf
    return x


@check(softmax, equation="eq-softmax", oracle="torch.softmax", cases=80)
def softmax_equals_torch(softmax, rng):
    x = random_scores(rng)
    return difference(softmax(x), torch.softmax(torch.from_numpy(x), dim=-1))


@softmax_equals_torch.rejects(
    "Your columns sum to 1, not your rows: sum over the last axis."
)
def over_the_columns(x):
    return np.exp(x - x.max(axis=-2, keepdims=True)) / np.exp(
        x - x.max(axis=-2, keepdims=True)
    ).sum(axis=-2, keepdims=True)


@softmax_equals_torch.rejects(
    "Your softmax runs down the first axis, axis=0: it runs along the last one, axis=-1."
)
def over_the_first_axis(x):
    powers = np.exp(x - x.max(axis=0, keepdims=True))
    return powers / powers.sum(axis=0, keepdims=True)


@softmax_equals_torch.rejects(
    "Your exp overflows for large scores: take the largest score of the row away first."
)
def without_the_maximum(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


@softmax_equals_torch.rejects(
    "You sum over the whole array: each row needs a sum of its own, axis=-1, keepdims=True."
)
def over_everything(x):
    return np.exp(x - x.max()) / np.exp(x - x.max()).sum()


@softmax_equals_torch.rejects(
    "You divide the scores by their sum: exponentiate them first, since scores may be negative."
)
def without_exponential(x):
    return x / x.sum(axis=-1, keepdims=True)


@softmax_equals_torch.rejects(
    "You take the largest score of the whole array away: where a row lies far below it, every power is 0, and 0/0 is NaN. Take each "
    "row's own, axis=-1."
)
def one_maximum_for_all(x):
    powers = np.exp(x - x.max())
    return powers / powers.sum(axis=-1, keepdims=True)


@softmax_equals_torch.rejects("You take powers of 2; softmax takes powers of e.")
def base_two(x):
    powers = np.exp2(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@softmax_equals_torch.rejects(
    "You halve the scores: that is softmax at temperature 2, whose weights are more even."
)
def at_temperature_two(x):
    powers = np.exp((x - x.max(axis=-1, keepdims=True)) / 2)
    return powers / powers.sum(axis=-1, keepdims=True)


@softmax_equals_torch.rejects(
    "You take the largest score away above the fraction bar alone: the weights no longer sum to 1. Take it away below, too."
)
def maximum_above_only(x):
    highest = x.max(axis=-1, keepdims=True)
    return np.exp(x - highest) / np.exp(x).sum(axis=-1, keepdims=True)


@softmax_equals_torch.rejects("You return the logarithm of the weights: exponentiate.")
def log_softmax(x):
    return np.log(softmax(x))


def scores_far_apart(rng):
    """Scores; sometimes one so far below the others that its weight is 0."""
    scores = tokens(rng, size(rng, mostly=2))
    scores[..., -1] -= or_edge(rng, 2000.0, 0.0)
    return scores


jacobian_equals_autograd, jacobian_equals_finite_differences = check_gradient(
    softmax_jacobian,
    equation="eq-softmax-jacobian",
    symbols={"return": "∂a/∂s[]"},
    function=lambda s: torch.softmax(s, dim=-1),
    draw=lambda rng: (scores_far_apart(rng),),
    form=JACOBIAN,
)


def diagonal(weights):
    return weights[..., None] * np.eye(weights.shape[-1])


@jacobian_equals_autograd.rejects(
    "You have only the diagonal: raising one score lowers every other weight."
)
def diagonal_only(weights):
    return diagonal(weights * (1 - weights))


@jacobian_equals_autograd.rejects(
    "Off the diagonal stands −a_i a_j, a product, not −a_j alone."
)
def factor_forgotten(weights):
    return diagonal(weights) - weights[..., None, :]


@jacobian_equals_finite_differences.rejects(
    "A single weight answers in your version as if the others stood still: −a_i a_j is missing."
)
def no_competition(weights):
    return diagonal(weights)


@check(entropy, equation="eq-entropy", oracle="torch.distributions.Categorical")
def entropy_equals_torch(entropy, rng):
    weights = torch.softmax(torch.from_numpy(random_scores(rng)), dim=-1)
    bits = torch.distributions.Categorical(weights).entropy() / np.log(2)
    return difference(entropy(weights.numpy()), bits)


@entropy_equals_torch.rejects(
    "Your entropy is in nats: bits take the logarithm to base 2."
)
def in_nats(weights):
    return entropy(weights) * np.log(2)


@entropy_equals_torch.rejects(
    "0 · log 0 gives NaN in your version: a weight of 0 adds nothing."
)
def zero_times_log_zero(weights):
    return -(weights * np.log2(weights)).sum(axis=-1)


def with_a_small_number(written, little):
    def wrong(weights):
        return -(weights * np.log2(weights + little)).sum(axis=-1)

    wrong.__name__ = f"with_{written}_added"
    return wrong


for written, little in {"10⁻⁸": 1e-8, "10⁻⁹": 1e-9, "10⁻¹⁰": 1e-10}.items():
    entropy_equals_torch.rejects(
        f"You add {written} before the logarithm, which changes the entropy: take log2 only where the weight is above 0."
    )(with_a_small_number(written, little))


@entropy_equals_torch.rejects(
    "Your entropy is negative: log2 of a probability is, so there is a minus before the sum."
)
def minus_forgotten(weights):
    return -entropy(weights)
