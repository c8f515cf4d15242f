"""Checks of pieces: against PyTorch's windows, numbers written in binary, and a logarithm of the other base."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, or_edge, size, smallest
from transformer_math.modalities.pieces import (
    bit_rate,
    count_pieces,
    signal_to_noise,
)


@check(
    count_pieces,
    equation="eq-count-pieces",
    symbols={"sizes": "N", "piece": "p", "stride": "s", "return": "n"},
    oracle="the windows of torch.Tensor.unfold",
)
def pieces_are_windows(count_pieces, rng):
    axes = few(rng)
    piece, stride, steps = (np.array([few(rng) for _ in range(axes)]) for _ in range(3))
    sizes = piece + stride * (steps - 1)
    windows = torch.zeros(*sizes.tolist())
    for a in range(axes):
        windows = windows.unfold(a, int(piece[a]), int(stride[a]))
    wanted = math.prod(windows.shape[:axes])
    return difference(count_pieces(sizes, piece, stride), wanted)


@pieces_are_windows.rejects(
    "You count the steps and forget the place where the first piece lies: + 1 on every axis."
)
def without_the_first(sizes, piece, stride):
    return math.prod(((sizes - piece) // stride).tolist())


@pieces_are_windows.rejects(
    "You divide the size by the piece: that is right where pieces move by their own size alone. What counts is the stride."
)
def stride_ignored(sizes, piece, stride):
    return math.prod((sizes // piece).tolist())


@pieces_are_windows.rejects(
    "You divide the whole size by the stride: the last piece would reach over the end. Take its own size off first."
)
def over_the_end(sizes, piece, stride):
    return math.prod((sizes // stride).tolist())


@pieces_are_windows.rejects(
    "You add up the axes: for each place on one axis there are all places on the others, so the numbers multiply."
)
def added_up(sizes, piece, stride):
    return int(((sizes - piece) // stride + 1).sum())


@pieces_are_windows.rejects("You count along the first axis alone.")
def first_axis(sizes, piece, stride):
    return int((sizes[0] - piece[0]) // stride[0] + 1)


@check(
    bit_rate,
    equation="eq-bit-rate",
    symbols={"n_codes": "n", "seconds": "tau", "codebook_size": "K", "return": "R"},
    oracle="the digits of all codes, written in binary; torch.log2 between powers of two",
)
def codes_are_digits(bit_rate, rng):
    digits = 0 if smallest() else int(rng.integers(1, 12))
    n, seconds = size(rng), float(or_edge(rng, 1e-3, rng.uniform(0.5, 60)))
    K, written = 2**digits, len(f"{2**digits - 1:b}") if digits else 0
    if digits > 1 and rng.random() < 0.5:
        K = int(rng.integers(K // 2 + 1, K))
        written = torch.log2(torch.tensor(float(K), dtype=torch.float64)).item()
    found = bit_rate(n, seconds, K)
    return difference(found, sum(written for _ in range(n)) / seconds)


@codes_are_digits.rejects(
    "You count the codes and not their bits: a code out of K takes log₂ K of them."
)
def codes_alone(n_codes, seconds, codebook_size):
    return n_codes / seconds


@codes_are_digits.rejects(
    "Your logarithm is the natural one: that gives nats. Bits have the base 2."
)
def in_nats(n_codes, seconds, codebook_size):
    return n_codes / seconds * math.log(codebook_size)


@codes_are_digits.rejects(
    "You multiply by the size of the codebook: twice as many codes cost one bit more, not twice the bits."
)
def size_itself(n_codes, seconds, codebook_size):
    return n_codes / seconds * codebook_size


@codes_are_digits.rejects(
    "You round the logarithm up to whole digits: between powers of two it is a fraction, and each code costs that much."
)
def whole_digits(n_codes, seconds, codebook_size):
    return n_codes / seconds * math.ceil(math.log2(codebook_size))


@codes_are_digits.rejects(
    "You round the logarithm down: between powers of two it is a fraction, and each code costs that much."
)
def rounded_down(n_codes, seconds, codebook_size):
    return n_codes / seconds * math.floor(math.log2(codebook_size))


@codes_are_digits.rejects(
    "You give the bits of the whole signal: wanted a second of it."
)
def of_the_whole(n_codes, seconds, codebook_size):
    return n_codes * math.log2(codebook_size)


@codes_are_digits.rejects(
    "You multiply by the seconds: a longer signal with as many codes costs less a second."
)
def times_seconds(n_codes, seconds, codebook_size):
    return n_codes * seconds * math.log2(codebook_size)


@check(
    signal_to_noise,
    equation="eq-signal-to-noise",
    symbols={"return": "r"},
    oracle="two levels in decibels, each by torch, one taken from the other",
)
def levels_differ(signal_to_noise, rng):
    x = rng.normal(size=size(rng))
    y = x + rng.normal(size=x.shape) * 10 ** float(
        or_edge(rng, -4.0, rng.uniform(-3, 1))
    )
    level = 0.0 if smallest() else float(or_edge(rng, 150.0, rng.uniform(-3, 3)))
    x, y = x * 10**level, y * 10**level
    signal, noise = (
        torch.linalg.vector_norm(torch.from_numpy(z / 10**level)) for z in (x, x - y)
    )
    wanted = 20 * math.log10(signal) - 20 * math.log10(noise)
    return difference(signal_to_noise(x, y), wanted)


@levels_differ.rejects(
    "You take 20 times the logarithm of a ratio of squares: 20 belongs to a ratio of lengths, 10 to one of squares."
)
def twenty(x, y):
    return 2 * signal_to_noise(x, y)


@levels_differ.rejects("Your ratio stands upside down: a better copy must give more.")
def upside_down(x, y):
    return -signal_to_noise(x, y)


@levels_differ.rejects("Your logarithm is the natural one: decibels have the base 10.")
def natural(x, y):
    return signal_to_noise(x, y) * math.log(10)


@levels_differ.rejects(
    "You divide by the energy of the copy: the noise is the difference, x − y."
)
def by_the_copy(x, y):
    return 10 * math.log10(((x / x.max()) ** 2).sum() / ((y / x.max()) ** 2).sum())
