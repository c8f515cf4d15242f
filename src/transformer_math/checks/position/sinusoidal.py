"""Checks of sinusoidal positions, against the formula evaluated number by number."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import even, or_edge, size, sometimes, tokens
from transformer_math.position.sinusoidal import (
    add_position,
    frequencies,
    position_similarity,
    shift_matrix,
    sinusoidal,
    wavelengths,
)


def random_base(rng):
    """The base as it is passed on, or left to its default, and as it holds."""
    return sometimes(rng, float(10 ** rng.uniform(-1, 5)), 10000.0)


def angle(position, i, d_model, base):
    return position * math.exp(-2 * i / d_model * math.log(base))


def encoding(position, d_model, base):
    """One row of the encoding, from Python's own sine and cosine."""
    return [
        f(angle(position, i, d_model, base))
        for i in range(d_model // 2)
        for f in (math.sin, math.cos)
    ]


@check(
    frequencies,
    equation="eq-frequencies",
    oracle="Python's exp and log, one frequency at a time",
)
def frequencies_equal_closed_form(frequencies, rng):
    d_model, (given, base) = even(rng), random_base(rng)
    return difference(
        frequencies(d_model, *given),
        [angle(1, i, d_model, base) for i in range(d_model // 2)],
    )


@frequencies_equal_closed_form.rejects(
    "Your exponent has the wrong sign: later dimensions turn more slowly, not faster."
)
def positive_exponent(d_model, base=10000.0):
    return base ** (np.arange(0, d_model, 2) / d_model)


@frequencies_equal_closed_form.rejects(
    "Your exponent is i / d_model; wanted 2i / d_model, so that the slowest hand comes near 1 / base."
)
def half_the_exponent(d_model, base=10000.0):
    return base ** (-np.arange(d_model // 2) / d_model)


@frequencies_equal_closed_form.rejects(
    "You divide by d_model/2 − 1, as Tensor2Tensor did; the paper divides 2i by d_model."
)
def reaching_the_base(d_model, base=10000.0):
    half = d_model // 2
    return base ** (-np.arange(half) / max(1, half - 1))


@check(
    wavelengths,
    equation="eq-wavelength",
    oracle="the wave itself: back after one wavelength and not before, opposite after half",
    tolerance=1e-9,
)
def wavelengths_bring_the_wave_back(wavelengths, rng):
    d_model, (given, base) = even(rng), random_base(rng)
    waves = np.asarray(wavelengths(d_model, *given))
    if waves.shape != (d_model // 2,):
        return math.inf
    turned = [
        [angle(wave, i, d_model, base), angle(wave / 2, i, d_model, base)]
        for i, wave in enumerate(waves.tolist())
    ]
    back_and_opposite = [
        [(math.cos(a), math.sin(a)), (math.cos(b), math.sin(b))] for a, b in turned
    ]
    once = difference([a / math.tau for a, _ in turned], [1.0] * len(turned))
    halves = [[(1.0, 0.0), (-1.0, 0.0)]] * len(turned)
    return worst([once, difference(back_and_opposite, halves)])


@wavelengths_bring_the_wave_back.rejects(
    "You forget 2π: a sine of x repeats after 2π, not after 1."
)
def without_two_pi(d_model, base=10000.0):
    return 1 / frequencies(d_model, base)


@wavelengths_bring_the_wave_back.rejects(
    "You multiply by the frequency: the faster the wave, the shorter it is."
)
def times_frequency(d_model, base=10000.0):
    return 2 * np.pi * frequencies(d_model, base)


@wavelengths_bring_the_wave_back.rejects(
    "Your wavelengths are negative: a length is a positive number of positions, 2π / ω_i."
)
def negative_length(d_model, base=10000.0):
    return -2 * np.pi / frequencies(d_model, base)


@wavelengths_bring_the_wave_back.rejects(
    "You give three wavelengths: the wave is back before that. Wanted is the first time."
)
def back_the_third_time(d_model, base=10000.0):
    return 6 * np.pi / frequencies(d_model, base)


@check(
    sinusoidal,
    equation="eq-sinusoidal",
    oracle="Python's sine and cosine, one number at a time",
)
def sinusoidal_equals_closed_form(sinusoidal, rng):
    n, d_model, (given, base) = size(rng), even(rng), random_base(rng)
    return difference(
        sinusoidal(n, d_model, *given),
        [encoding(position, d_model, base) for position in range(n)],
    )


@sinusoidal_equals_closed_form.rejects(
    "All your sines come before all your cosines; the paper lets them alternate: even dimensions sine, odd cosine."
)
def halves(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * frequencies(d_model, base)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


@sinusoidal_equals_closed_form.rejects(
    "Your cosines stand in the even dimensions: sine comes first."
)
def cosine_first(n, d_model, base=10000.0):
    return sinusoidal(n, d_model, base).reshape(n, -1, 2)[..., ::-1].reshape(n, d_model)


@sinusoidal_equals_closed_form.rejects(
    "Your positions start at 1; wanted 0 for the first token."
)
def positions_from_one(n, d_model, base=10000.0):
    return sinusoidal(n + 1, d_model, base)[1:]


@sinusoidal_equals_closed_form.rejects(
    "Each dimension has a frequency of its own; a sine and its cosine must share one: exponent 2⌊j/2⌋ / d_model."
)
def frequency_per_dimension(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * base ** (-np.arange(d_model) / d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))


@sinusoidal_equals_closed_form.rejects(
    "You put sines in the odd dimensions too: two equal numbers say no more than one. A cosine belongs there."
)
def sines_alone(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * frequencies(d_model, base)
    return np.repeat(np.sin(angles), 2, axis=-1)


@sinusoidal_equals_closed_form.rejects(
    "All your waves have the frequency of the first pair, so every pair says the same: ω_i falls with i."
)
def one_frequency(n, d_model, base=10000.0):
    angles = np.arange(n)[:, None] * np.ones(d_model // 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d_model)


@sinusoidal_equals_closed_form.rejects(
    "You divide the position by the frequency: later pairs then turn faster, and they should turn more slowly. Multiply."
)
def divided_by_frequency(n, d_model, base=10000.0):
    return sinusoidal(n, d_model, 1 / base)


@check(add_position, equation="eq-add-position", oracle="torch.add")
def adding_equals_torch(add_position, rng):
    n, d_model = size(rng), size(rng)
    X, P = tokens(rng, n, d_model), rng.normal(size=(n, d_model))
    return difference(
        add_position(X, P), torch.add(torch.from_numpy(X), torch.from_numpy(P))
    )


@adding_equals_torch.rejects("You multiply; the encoding is added.")
def multiplied(X, P):
    return X * P


@adding_equals_torch.rejects(
    "You put the encoding beside the embedding; it is added, and the width stays d_model."
)
def concatenated(X, P):
    return np.concatenate([X, np.broadcast_to(P, X.shape)], axis=-1)


@adding_equals_torch.rejects(
    "Your positions run backwards: row 0 of P belongs to the first token."
)
def backwards(X, P):
    return X + P[::-1]


@check(
    shift_matrix,
    equation="eq-shift-matrix",
    oracle="the encoding k places on, by Python's sine and cosine",
    tolerance=1e-9,
)
def shift_reaches_the_shifted_position(shift_matrix, rng):
    d_model, (given, base) = even(rng), random_base(rng)
    position, whole = float(rng.integers(100)), float(rng.integers(-20, 21))
    k = or_edge(rng, whole, float(rng.uniform(-20, 20)))
    return difference(
        np.asarray(shift_matrix(k, d_model, *given))
        @ encoding(position, d_model, base),
        encoding(position + k, d_model, base),
    )


@shift_reaches_the_shifted_position.rejects(
    "Your matrix shifts backwards: it is the transpose of the one wanted."
)
def shifted_backwards(k, d_model, base=10000.0):
    return shift_matrix(k, d_model, base).T


@shift_reaches_the_shifted_position.rejects(
    "Your angles forget k: the block turns by k ω_i."
)
def one_step_only(k, d_model, base=10000.0):
    return shift_matrix(1, d_model, base)


@shift_reaches_the_shifted_position.rejects(
    "You round k to a whole number of steps: k may lie between two of them, and the block turns by k ω_i."
)
def rounded_steps(k, d_model, base=10000.0):
    return shift_matrix(round(k), d_model, base)


@shift_reaches_the_shifted_position.rejects(
    "You cut k off to a whole number of steps: k may lie between two of them, and the block turns by k ω_i."
)
def whole_steps(k, d_model, base=10000.0):
    return shift_matrix(int(k), d_model, base)


@shift_reaches_the_shifted_position.rejects(
    "All your blocks turn by the same angle; each pair has its own frequency."
)
def one_speed(k, d_model, base=10000.0):
    return np.kron(np.eye(d_model // 2), shift_matrix(k, 2, base))


@check(
    position_similarity,
    equation="eq-position-similarity",
    axes={"offset": "", "return": ""},
    oracle="the dot product of two encodings, somewhere in the text",
    tolerance=1e-9,
)
def similarity_equals_dot_product(position_similarity, rng):
    d_model, (given, base), n = even(rng), random_base(rng), size(rng)
    position, offsets = (
        float(rng.integers(100)),
        rng.integers(-20, 21, size=n).astype(float),
    )
    here = encoding(position, d_model, base)
    wanted = [
        sum(a * b for a, b in zip(here, encoding(position + k, d_model, base)))
        for k in offsets
    ]
    return difference(position_similarity(offsets, d_model, *given), wanted)


@similarity_equals_dot_product.rejects(
    "You sum sines: sin a sin b + cos a cos b is the cosine of the difference."
)
def sum_of_sines(offset, d_model, base=10000.0):
    return np.sin(offset[:, None] * frequencies(d_model, base)).sum(axis=-1)


@similarity_equals_dot_product.rejects(
    "You average; a dot product sums, so at distance 0 it is d_model / 2."
)
def averaged(offset, d_model, base=10000.0):
    return position_similarity(offset, d_model, base) / (d_model / 2)
