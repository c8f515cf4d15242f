"""What the figure of codes computes in JavaScript gives the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math.modalities import (
    code_perplexity,
    decode,
    istft,
    sine_window,
    stft,
    with_magnitudes,
)
from transformer_math.modalities.vq_vae import VqVae
from transformer_math.trained.sound_codes import heard


def searched(M, guess, steps, n, hop):
    """Griffin and Lim's search for phases."""
    x = istft(*with_magnitudes(*guess, M), hop)
    for _ in range(steps - 1):
        x = istft(*with_magnitudes(*stft(x, n, hop), M), hop)
    return x


def cases(rng):
    k, m, d, v = (int(n) for n in rng.integers(1, 7, size=4))
    ids = rng.integers(k, size=int(rng.integers(1, 30)))
    yield "perplexity", [ids, k], code_perplexity(ids, k)
    C, W, b = rng.normal(size=(k, d)), rng.normal(size=(m * d, v)), rng.normal(size=v)
    model = VqVae(np.zeros((v, m * d)), np.zeros(m * d), C, W, b)
    frame = rng.integers(k, size=(1, m))
    yield "decode", [frame[0], C, W, b], decode(frame, model)[0]
    n = 2 ** int(rng.integers(1, 5))
    yield "sineWindow", [n], sine_window(n)
    hop, frames = int(rng.integers(1, n + 1)), int(rng.integers(1, 5))
    x = rng.normal(size=n + (frames - 1) * hop)
    A, B = stft(x, n, hop)
    yield "stft", [x, n, hop], [A, B]
    A, B = rng.normal(size=(2, *A.shape)) * (rng.random(A.shape) < 0.8)
    yield "istft", [A, B, hop], istft(A, B, hop)
    M = np.abs(rng.normal(size=A.shape))
    yield "withMagnitudes", [A, B, M], list(with_magnitudes(A, B, M))
    steps = int(rng.integers(1, 4))
    yield "searched", [M, [A, B], steps, hop], searched(M, (A, B), steps, n, hop)
    x, cut = rng.normal(size=int(rng.integers(20, 90))), int(rng.integers(1, 8))
    level, fade = float(rng.uniform(0.05, 0.5)), int(rng.integers(1, 40))
    yield "heard", [x, cut, level, fade], heard(x, cut, level, fade)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(11)
    many = [case for _ in range(200) for case in cases(rng)]
    assert_parity(tmp_path, "modalities/codes.js", many)
