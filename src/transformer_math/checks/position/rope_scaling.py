"""Checks of rotary positions on longer texts: turned vectors, and frequencies plane by plane."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.position.rope import turned
from transformer_math.checks.position.sinusoidal import angle, random_base
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import even, or_edge, size, smallest, sometimes
from transformer_math.position.rope_scaling import (
    interpolated_frequencies,
    ntk_base,
    yarn_frequencies,
    yarn_scale,
)
from transformer_math.position.sinusoidal import frequencies


def some_factor(rng):
    return 1.0 if smallest() else or_edge(rng, 1.0, float(rng.uniform(1.5, 32)))


@check(
    interpolated_frequencies,
    equation="eq-position-interpolation",
    oracle="vectors turned at positions that are divided, by complex multiplication in PyTorch",
    symbols={"factor": "s"},
)
def interpolation_presses_positions(interpolated_frequencies, rng):
    d_k, factor, (given, base) = even(rng), some_factor(rng), random_base(rng)
    positions, x = rng.uniform(0, 60, size=5), rng.normal(size=(5, d_k))
    omega = np.asarray(interpolated_frequencies(d_k, factor, *given))
    if omega.shape != (d_k // 2,):
        return math.inf
    pressed = [
        [angle(p / factor, i, d_k, base) for i in range(d_k // 2)] for p in positions
    ]
    got = turned(x, positions[:, None] * omega)
    return difference(got, turned(x, np.array(pressed)))


@interpolation_presses_positions.rejects(
    "You multiply: the planes turn more slowly on longer texts, each frequency divided by the factor."
)
def stretched_the_wrong_way(d_k, factor, base=10000.0):
    return frequencies(d_k, base) * factor


@interpolation_presses_positions.rejects(
    "You stretch the base: that slows the slow planes alone. Interpolation slows all of them alike."
)
def stretched_base(d_k, factor, base=10000.0):
    return frequencies(d_k, base * factor)


@interpolation_presses_positions.rejects(
    "You add a whole turn to each frequency: nothing of it shows at whole positions, but between them every plane turns faster."
)
def a_turn_faster(d_k, factor, base=10000.0):
    return frequencies(d_k, base) / factor + 2 * np.pi


@interpolation_presses_positions.rejects("You give the frequencies as they were.")
def not_stretched(d_k, factor, base=10000.0):
    return frequencies(d_k, base)


@check(
    ntk_base,
    equation="eq-ntk-base",
    oracle="bisection: the base whose slowest plane turns as with interpolation",
    symbols={"factor": "s"},
    tolerance=1e-9,
)
def ntk_base_equals_bisection(ntk_base, rng):
    d_k, factor, (given, base) = 2 * size(rng, 2), some_factor(rng), random_base(rng)
    wanted = -(d_k - 2) / d_k * math.log(base) - math.log(
        factor
    )  # of the slowest, its logarithm
    low, high = -1000.0, 1000.0  # logarithms of bases
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if -(d_k - 2) / d_k * middle > wanted else (low, middle)
        )
    return difference(math.log(ntk_base(d_k, factor, *given)), low)


@ntk_base_equals_bisection.rejects(
    "Your exponent is missing: with base · factor the slowest plane is slowed by less than the factor. Wanted the power d/(d − 2)."
)
def without_exponent(d_k, factor, base=10000.0):
    return base * factor


@ntk_base_equals_bisection.rejects(
    "Your exponent is turned over: d/(d − 2), which is greater than 1."
)
def exponent_turned_over(d_k, factor, base=10000.0):
    return base * factor ** ((d_k - 2) / d_k)


@ntk_base_equals_bisection.rejects(
    "You raise the base too: only the factor has the exponent."
)
def base_raised(d_k, factor, base=10000.0):
    return (base * factor) ** (d_k / (d_k - 2))


def yarn_by_planes(d_k, factor, trained, base, slow, fast):
    """Plane by plane: which part of it is kept, by the number of its turns in training."""
    found = []
    for i in range(d_k // 2):
        omega = angle(1, i, d_k, base)
        turns = trained / (2 * math.pi / omega)
        if turns < slow:
            kept = 0.0
        elif turns > fast:
            kept = 1.0
        else:
            kept = (turns - slow) / (fast - slow)
        found.append((1 - kept) * omega / factor + kept * omega)
    return found


@check(
    yarn_frequencies,
    equation="eq-yarn-frequencies",
    oracle="the paper's three cases, plane by plane",
    symbols={"factor": "s", "trained": "L", "slow": "alpha", "fast": "beta"},
)
def yarn_equals_cases(yarn_frequencies, rng):
    d_k, factor, (given, base) = even(rng), some_factor(rng), random_base(rng)
    trained = 1 if smallest() else int(rng.integers(1, 4000))
    slow, fast = 1.0, 32.0
    if given:
        own, slow = sometimes(rng, float(rng.uniform(0.1, 3)), 1.0)
        more, fast = (
            sometimes(rng, float(rng.uniform(4, 60)), 32.0) if own else ((), 32.0)
        )
        given = (*given, *own, *more)
    wanted = yarn_by_planes(d_k, factor, trained, base, slow, fast)
    return difference(yarn_frequencies(d_k, factor, trained, *given), wanted)


def mixed(d_k, factor, trained, base, share):
    """Frequencies mixed by another share: the material of wrong versions."""
    omega = frequencies(d_k, base)
    kept = share(trained * omega / (2 * np.pi))
    return kept * omega + (1 - kept) * omega / factor


@yarn_equals_cases.rejects(
    "Your ramp is turned round: fast planes, which made many turns in training, are kept; slow ones are interpolated."
)
def ramp_turned_round(d_k, factor, trained, base=10000.0, slow=1.0, fast=32.0):
    return mixed(
        *(d_k, factor, trained, base),
        lambda turns: 1 - np.clip((turns - slow) / (fast - slow), 0, 1),
    )


@yarn_equals_cases.rejects(
    "You forget 2π: a plane has turned once after 2π / ω positions, not after 1 / ω."
)
def radians_for_turns(d_k, factor, trained, base=10000.0, slow=1.0, fast=32.0):
    return mixed(
        *(d_k, factor, trained, base),
        lambda turns: np.clip((2 * np.pi * turns - slow) / (fast - slow), 0, 1),
    )


@yarn_equals_cases.rejects(
    "Your ramp is not clipped: below slow nothing is kept, above fast everything."
)
def ramp_not_clipped(d_k, factor, trained, base=10000.0, slow=1.0, fast=32.0):
    return mixed(
        *(d_k, factor, trained, base), lambda turns: (turns - slow) / (fast - slow)
    )


@yarn_equals_cases.rejects(
    "You interpolate every plane alike: those that turned often in training keep their speed."
)
def all_interpolated(d_k, factor, trained, base=10000.0, slow=1.0, fast=32.0):
    return interpolated_frequencies(d_k, factor, base)


@check(
    yarn_scale,
    equation="eq-yarn-scale",
    oracle="torch.log",
    symbols={"factor": "s"},
)
def yarn_scale_equals_torch(yarn_scale, rng):
    factor = some_factor(rng)
    logarithm = torch.log(torch.tensor(factor, dtype=torch.float64)).item()
    return difference(yarn_scale(factor), 1 + logarithm / 10)


@yarn_scale_equals_torch.rejects(
    "That is the factor of the scores: queries and keys get its root each, 0.1 ln s + 1."
)
def factor_of_the_scores(factor):
    return (0.1 * math.log(factor) + 1) ** 2


@yarn_scale_equals_torch.rejects("Your logarithm has base 10: wanted the natural one.")
def decimal_logarithm(factor):
    return 0.1 * math.log10(factor) + 1


@yarn_scale_equals_torch.rejects(
    "You give the temperature's inverse root: queries and keys grow with the factor."
)
def shrinking(factor):
    return 1 / (0.1 * math.log(factor) + 1)


for made in (
    interpolation_presses_positions,
    ntk_base_equals_bisection,
    yarn_equals_cases,
    yarn_scale_equals_torch,
):
    made.excuses("texts that become shorter need no other frequencies", "factor < 1")
ntk_base_equals_bisection.excuses(
    "a single plane is the fastest and the slowest at once", "d_k = 2"
)
yarn_equals_cases.excuses(
    "planes that did not come around once are not kept", "fast < 1"
)
