"""Checks of spectrograms, against PyTorch's stft and istft, and against energies."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, smallest
from transformer_math.modalities.spectrogram import (
    istft,
    sine_window,
    stft,
    with_magnitudes,
)

N_MAX = 8


@check(
    sine_window,
    equation="eq-sine-window",
    symbols={"size": "N", "return": "w"},
    oracle="Python's math.sin, sample by sample",
)
def window_equals_sines(sine_window, rng):
    n = 2 * size(rng)
    wanted = [math.sin((2 * s + 1) * math.pi / (2 * n)) for s in range(n)]
    return difference(sine_window(n), wanted)


@window_equals_sines.rejects(
    "Your window begins at 0: the first and the last sample of the sound could never be had back. Add a half to s."
)
def begins_at_zero(size):
    return np.sin(np.pi * np.arange(size) / size)


@window_equals_sines.rejects(
    "That is the square of the window, known as Hann's: applied twice, on the way there and back, it would be too much."
)
def hann(size):
    return np.square(sine_window(size))


@window_equals_sines.rejects(
    "You divide by N − 1: the window is then not symmetrical about its middle."
)
def one_less(size):
    return np.sin(np.pi * (np.arange(size) + 0.5) / max(1, size - 1))


def sound(rng):
    """A short sound, and windows that end with it."""
    n = 2 * (1 if smallest() else int(rng.integers(1, N_MAX // 2 + 1)))
    hop = int(rng.integers(1, n + 1))
    frames = 1 if smallest() else int(rng.integers(1, 6))
    return rng.normal(size=n + (frames - 1) * hop), n, hop


@check(
    stft,
    equation="eq-stft",
    symbols={"size": "N", "hop": "h", "return": ("A^c", "A^s")},
    oracle="torch.stft",
)
def waves_equal_torch(stft, rng):
    x, n, hop = sound(rng)
    found = torch.stft(
        *(torch.from_numpy(x), n, hop),
        window=torch.sin(torch.pi * (torch.arange(n).double() + 0.5) / n),
        center=False,
        return_complex=True,
    )
    found = found.mT / math.sqrt(n)
    return difference(stft(x, n, hop), (found.real, found.imag))


waves_equal_torch.excuses(
    "a sound holds one window of two samples at least", "samples = 1"
)
waves_equal_torch.visits("hop = size", lambda size, hop: hop == size)
waves_equal_torch.visits("one window alone", lambda x, size: len(x) == size)


@waves_equal_torch.rejects(
    "Your sines have the other sign: that is the transform with e to the +i, which runs backwards."
)
def conjugated(x, size, hop):
    A, B = stft(x, size, hop)
    return A, -B


@waves_equal_torch.rejects(
    "The window is forgotten: each piece begins and ends with a jump, which sounds like all frequencies."
)
def without_window(x, size, hop):
    pieces = np.lib.stride_tricks.sliding_window_view(x, size)[::hop]
    waves = np.fft.rfft(pieces) / np.sqrt(size)
    return waves.real, waves.imag


@waves_equal_torch.rejects(
    "The factor 1/√N is missing, with which energies stay what they are."
)
def without_root(x, size, hop):
    A, B = stft(x, size, hop)
    return A * np.sqrt(size), B * np.sqrt(size)


@waves_equal_torch.rejects("Sine and cosine have changed places.")
def exchanged(x, size, hop):
    return stft(x, size, hop)[::-1]


@waves_equal_torch.rejects(
    "You return strength and angle; wanted are the shares of cosine and sine."
)
def polar(x, size, hop):
    A, B = stft(x, size, hop)
    return np.hypot(A, B), np.arctan2(B, A)


def waves(rng):
    """Waves, mostly of no sound; in some cases with silence."""
    bins, frames, hop_share = (
        1 + few(rng),
        1 if smallest() else int(rng.integers(1, 5)),
        rng.random(),
    )
    n = 2 * (bins - 1)
    A, B = rng.normal(size=(2, frames, bins))
    return A, B, 1 + int(hop_share * n) if hop_share * n < n - 1e-9 else n


@check(
    istft,
    equation="eq-istft",
    symbols={"A": "A^c", "B": "A^s", "hop": "h", "return": "x"},
    oracle="torch.fft.irfft, and sums sample by sample",
)
def sound_equals_sums(istft, rng):
    A, B, hop = waves(rng)
    n = 2 * (A.shape[1] - 1)
    w = [math.sin((2 * s + 1) * math.pi / (2 * n)) for s in range(n)]
    spectrum = torch.complex(torch.from_numpy(A), torch.from_numpy(B))
    pieces = torch.fft.irfft(spectrum * math.sqrt(n), n).tolist()
    above, below = np.zeros((2, n + (len(A) - 1) * hop))
    for t, piece in enumerate(pieces):
        for s in range(n):
            above[t * hop + s] += piece[s] * w[s]
            below[t * hop + s] += w[s] ** 2
    return difference(istft(A, B, hop), above / below)


sound_equals_sums.excuses("a window has two frequencies at least", "bins = 1")
sound_equals_sums.excuses("A holds waves here, and no shares", "0 in A", "1 in A")
sound_equals_sums.visits(
    "hop as long as the window", lambda A, hop: hop == 2 * (A.shape[1] - 1)
)


def overlapped(A, B, hop, squares=True, again=True):
    n = 2 * (A.shape[1] - 1)
    w = sine_window(n)
    pieces = np.fft.irfft((A + 1j * B) * np.sqrt(n), n) * (w if again else 1)
    above, below = np.zeros((2, n + (len(A) - 1) * hop))
    for t, piece in enumerate(pieces):
        above[t * hop : t * hop + n] += piece
        below[t * hop : t * hop + n] += w**2 if squares else 1
    return above / below


@sound_equals_sums.rejects(
    "You divide by how many windows meet: wanted is the sum of their squares."
)
def divided_by_counts(A, B, hop):
    return overlapped(A, B, hop, squares=False)


@sound_equals_sums.rejects(
    "The window is to be applied again on the way back, before the pieces are laid over each other."
)
def window_once(A, B, hop):
    return overlapped(A, B, hop, again=False)


@sound_equals_sums.rejects(
    "You lay the pieces one after the other: neighbours overlap, and move by hop."
)
def side_by_side(A, B, hop):
    n = 2 * (A.shape[1] - 1)
    long = np.fft.irfft((A + 1j * B) * np.sqrt(n), n) / sine_window(n)
    return long.ravel()[: n + (len(A) - 1) * hop]


@sound_equals_sums.rejects(
    "You leave the sines out: without them every wave begins at its crest."
)
def cosines_alone(A, B, hop):
    return istft(A, 0 * B, hop)


@check(
    with_magnitudes,
    equation="eq-with-magnitudes",
    symbols={"A": "A^c", "B": "A^s", "return": ("D^c", "D^s")},
    oracle="torch.polar and torch.angle",
)
def phases_equal_torch(with_magnitudes, rng):
    A, B, _ = waves(rng)
    if rng.random() < 0.5 and not smallest():
        A, B = np.rint(A) + 0.0, np.rint(B) + 0.0  # silence in some places, and no -0
    M = np.abs(rng.normal(size=A.shape)) * (rng.random(A.shape) < 0.9)
    angle = torch.complex(torch.from_numpy(A), torch.from_numpy(B)).angle()
    wanted = torch.polar(torch.from_numpy(M), angle)
    return difference(with_magnitudes(A, B, M), (wanted.real, wanted.imag))


phases_equal_torch.excuses("a window has two frequencies at least", "bins = 1")
phases_equal_torch.visits("silence", lambda A, B: bool(np.any((A == 0) & (B == 0))))


@phases_equal_torch.rejects(
    "You multiply by M and do not divide by the old strength: a loud wave would become louder still."
)
def multiplied(A, B, M):
    return M * A, M * B


@phases_equal_torch.rejects(
    "You divide by the square of the length; its root is missing."
)
def divided_by_squares(A, B, M):
    squares = np.square(A) + np.square(B)
    scale = M / np.where(squares == 0, 1, squares)
    return np.where(squares == 0, M, scale * A), scale * B


@phases_equal_torch.rejects(
    "Where a wave was silent your version stays silent; it has no phase to keep, and gets M as a cosine."
)
def silent_stays_silent(A, B, M):
    lengths = np.hypot(A, B)
    scale = M / np.where(lengths == 0, 1, lengths)
    return scale * A, scale * B


@phases_equal_torch.rejects(
    "The phases are lost: every wave is a cosine in your version."
)
def without_phases(A, B, M):
    return M, 0 * M
