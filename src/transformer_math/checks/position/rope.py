"""Checks of rotary positions, against multiplication of complex numbers and a closed form."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.position.sinusoidal import angle, random_base
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import even, size, smallest, tokens
from transformer_math.position.rope import rope, rope_half_split, rotate_pairs
from transformer_math.position.sinusoidal import frequencies, sinusoidal_at


def turned(x, angles):
    """Pairs of neighbours as complex numbers, times e^(i angle), in PyTorch."""
    pairs = torch.view_as_complex(
        torch.from_numpy(x).reshape(*x.shape[:-1], -1, 2).contiguous()
    )
    turn = torch.polar(
        torch.ones(angles.shape, dtype=torch.float64), torch.from_numpy(angles)
    )
    return torch.view_as_real(pairs * turn).flatten(-2)


def rope_angles(positions, d_k, base):
    return np.array(
        [[angle(m, i, d_k, base) for i in range(d_k // 2)] for m in positions]
    )


def random_positions(rng, n):
    return rng.integers(0, 60, size=n).astype(float)


@check(rotate_pairs, equation="eq-rotation", oracle="complex multiplication in PyTorch")
def rotation_equals_complex_product(rotate_pairs, rng):
    n, half = size(rng), size(rng)
    x, angles = tokens(rng, n, 2 * half), rng.uniform(-7, 7, size=(n, half))
    if smallest():
        x, angles = x[0], angles[0]
    return difference(rotate_pairs(x, angles), turned(x, angles))


rotation_equals_complex_product.excuses(
    "a turn takes two numbers, so they come in pairs", "d_k = 1"
)


@rotation_equals_complex_product.rejects(
    "You turn clockwise: the minus stands in the first row, before sin times the second number."
)
def clockwise(x, angles):
    return rotate_pairs(x, -angles)


@rotation_equals_complex_product.rejects(
    "Your pairs are (i, i + d_k/2); wanted neighbours (2i, 2i + 1)."
)
def pairs_half_apart(x, angles):
    first, second = np.split(x, 2, axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate(
        [first * cos - second * sin, first * sin + second * cos], axis=-1
    )


@rotation_equals_complex_product.rejects(
    "Both your signs are plus: that mirrors and stretches; a rotation keeps lengths."
)
def no_minus(x, angles):
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = np.cos(angles), np.sin(angles)
    return np.stack([even * cos + odd * sin, even * sin + odd * cos], axis=-1).reshape(
        x.shape
    )


@check(
    rope,
    equation="eq-rope",
    oracle="complex multiplication in PyTorch",
    axes={"x": "d_k", "positions": "", "return": "d_k"},
    symbols={"x": "x_pos", "positions": "pos", "return": "x'_pos"},
)
def rope_equals_complex_product(rope, rng):
    n, d_k, (given, base) = size(rng), even(rng), random_base(rng)
    x, positions = tokens(rng, n, d_k), random_positions(rng, n)
    return difference(
        rope(x, positions, *given), turned(x, rope_angles(positions, d_k, base))
    )


rope_equals_complex_product.excuses(
    "a turn takes two numbers, so they come in pairs", "d_k = 1"
)


@rope_equals_complex_product.rejects(
    "Your pairs are (i, i + d_k/2), as GPT-NeoX stores them; wanted neighbours (2i, 2i + 1)."
)
def half_split(x, positions, base=10000.0):
    return rope_half_split(x, positions, base)


@rope_equals_complex_product.rejects("You turn clockwise: the angle is +m ω_i.")
def turned_back(x, positions, base=10000.0):
    return rope(x, -positions, base)


@rope_equals_complex_product.rejects(
    "All your pairs turn at the same speed; pair i turns by base^(−2i/d_k) per position."
)
def same_speed(x, positions, base=10000.0):
    return rotate_pairs(x, np.repeat(positions[:, None], x.shape[-1] // 2, axis=1))


@rope_equals_complex_product.rejects("Your exponent is i / d_k; wanted 2i / d_k.")
def half_exponent(x, positions, base=10000.0):
    return rope(x, positions, math.sqrt(base))


@rope_equals_complex_product.rejects(
    "You add the positions as sinusoids; RoPE turns the vector."
)
def added(x, positions, base=10000.0):
    return x + sinusoidal_at(positions, x.shape[-1], base)


@check(
    rope,
    equation="eq-rope-relative",
    oracle="the closed form in the difference of positions, number by number",
    tolerance=1e-9,
)
def rope_sees_only_the_difference(rope, rng):
    d_k, (given, base) = even(rng), random_base(rng)
    q, k, (m, n) = (
        rng.normal(size=d_k),
        rng.normal(size=d_k),
        rng.integers(0, 500, size=2).astype(float),
    )
    turned_q, turned_k = (
        np.asarray(rope(x[None], np.array([at]), *given))[0]
        for x, at in ((q, m), (k, n))
    )
    score = turned_q @ turned_k
    return difference(score, relative_score(q.tolist(), k.tolist(), n - m, base))


def relative_score(q, k, offset, base):
    """The dot product of each pair with the other turned by the offset alone, summed."""
    total = 0.0
    for i in range(len(q) // 2):
        a, (q0, q1), (k0, k1) = (
            angle(offset, i, len(q), base),
            q[2 * i : 2 * i + 2],
            k[2 * i : 2 * i + 2],
        )
        total += (q0 * k0 + q1 * k1) * math.cos(a) + (q1 * k0 - q0 * k1) * math.sin(a)
    return total


@rope_sees_only_the_difference.rejects(
    "Your scores change when both positions move: adding a position does that, turning by it does not."
)
def absolute(x, positions, base=10000.0):
    return x + sinusoidal_at(positions, x.shape[-1], base)


@rope_sees_only_the_difference.rejects(
    "Your angle grows with the square of the position; only a linear angle leaves the difference."
)
def squared_positions(x, positions, base=10000.0):
    return rope(x, positions**2, base)


@rope_sees_only_the_difference.rejects(
    "You turn nothing: the score is q · k, wherever the two tokens stand."
)
def not_turned(x, positions, base=10000.0):
    return x


@rope_sees_only_the_difference.rejects(
    "Your angles have the other sign: the score sees i − j, and wanted is j − i, the key’s position less the query’s."
)
def turned_backwards(x, positions, base=10000.0):
    return rope(x, -positions, base)


@check(
    rope_half_split,
    equation="eq-rope-half-split",
    oracle="complex multiplication in PyTorch, with the dimensions permuted",
    axes={"x": "d_k", "positions": "", "return": "d_k"},
    symbols={"positions": "pos", "return": "x'[]"},
)
def half_split_equals_permuted_rope(rope_half_split, rng):
    n, d_k, (given, base) = size(rng), even(rng), random_base(rng)
    x, positions = tokens(rng, n, d_k), random_positions(rng, n)
    order = np.arange(d_k).reshape(2, -1).T.ravel()
    wanted = turned(x[..., order], rope_angles(positions, d_k, base))[
        ..., np.argsort(order)
    ]
    return difference(rope_half_split(x, positions, *given), wanted)


half_split_equals_permuted_rope.excuses(
    "a turn takes two numbers, so they come in pairs", "d_k = 1"
)


@half_split_equals_permuted_rope.rejects(
    "Your pairs are neighbours; in this layout dimension i goes with i + d_k/2."
)
def neighbours(x, positions, base=10000.0):
    return rope(x, positions, base)


@half_split_equals_permuted_rope.rejects(
    "Your second half has the wrong sign: rotate_half is (−second, first)."
)
def half_sign(x, positions, base=10000.0):
    angles = positions[:, None] * frequencies(x.shape[-1], base)
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate(
        [
            first * np.cos(angles) + second * np.sin(angles),
            second * np.cos(angles) - first * np.sin(angles),
        ],
        axis=-1,
    )
