"""What the tests of all ideas ask of `modalities/spectrogram`."""

import numpy as np

from transformer_math.modalities import istft, sine_window, stft, with_magnitudes

PREPARES = "it prepares the signal or hears the result; nothing that is learned stands after it"
NO_TWIN = {stft: PREPARES, istft: PREPARES, with_magnitudes: PREPARES}


def one_by_one(x, size, hop):
    s = np.arange(size)
    window = np.sin(np.pi * (2 * s + 1) / (2 * size)) / np.sqrt(size)
    starts = range(0, len(x) - size + 1, hop)
    pieces = np.array([x[start : start + size] * window for start in starts])
    turns = 2 * np.pi * np.outer(s, np.arange(size // 2 + 1)) / size
    return pieces @ np.cos(turns), -pieces @ np.sin(turns)


def by_fft(x, size, hop):
    pieces = np.array([x[t : t + size] for t in range(0, len(x) - size + 1, hop)])
    found = np.fft.fft(pieces * sine_window(size), norm="ortho")[:, : size // 2 + 1]
    return found.real, found.imag


def added_up(A, B, hop):
    size = 2 * (A.shape[1] - 1)
    s = np.arange(size)
    turns = 2 * np.pi * np.outer(np.arange(A.shape[1]), s) / size
    twice = np.full(A.shape[1], 2.0)
    twice[[0, -1]] = 1
    pieces = (twice * A) @ np.cos(turns) - (twice * B) @ np.sin(turns)
    window = np.sin(np.pi * (2 * s + 1) / (2 * size))
    above, below = np.zeros((2, (len(A) - 1) * hop + size))
    for t, piece in enumerate(pieces / np.sqrt(size)):
        np.add.at(above, t * hop + s, window * piece)
        np.add.at(below, t * hop + s, window**2)
    return above / below


RIGHT = [
    (sine_window, lambda n: np.cos(np.pi * (np.arange(n) - (n - 1) / 2) / n)),
    (sine_window, lambda n: [np.sin(np.pi * (s + 0.5) / n) for s in range(n)]),
    (stft, one_by_one),
    (stft, by_fft),
    (istft, added_up),
    (istft, lambda A, B, hop: added_up(A, B, hop).tolist()),
    (
        with_magnitudes,
        lambda A, B, M: (M * np.cos(np.arctan2(B, A)), M * np.sin(np.arctan2(B, A))),
    ),
    (
        with_magnitudes,
        lambda A, B, M: [
            (M * np.exp(1j * np.angle(A + 1j * B))).real,
            (M * np.exp(1j * np.angle(A + 1j * B))).imag,
        ],
    ),
]


def changed_waves(change):
    return lambda x, size, hop: change(*one_by_one(x, size, hop))


WRONG = [
    (sine_window, lambda n: np.ones(n), "it gave"),
    (sine_window, lambda n: np.hanning(n), "it gave"),
    (sine_window, lambda n: np.sin(np.pi * (np.arange(n) + 1) / (n + 1)), "it gave"),
    (sine_window, lambda n: sine_window(n) / n, "it gave"),
    (sine_window, lambda n: np.cos(np.pi * (np.arange(n) + 0.5) / n), "it gave"),
    (stft, changed_waves(lambda A, B: (A, 0 * B)), "it gave"),
    (stft, changed_waves(lambda A, B: (A.T, B.T)), "it gave"),
    (stft, changed_waves(lambda A, B: (A[::-1], B[::-1])), "it gave"),
    (stft, changed_waves(lambda A, B: (A / 2, B / 2)), "it gave"),
    (stft, changed_waves(lambda A, B: A + 1j * B), "it gave"),
    (istft, lambda A, B, hop: added_up(A, -B, hop), "it gave"),
    (istft, lambda A, B, hop: added_up(A, B, hop) / 2, "it gave"),
    (istft, lambda A, B, hop: added_up(A, B, hop)[::-1], "it gave"),
    (istft, lambda A, B, hop: added_up(A[::-1], B[::-1], hop), "it gave"),
    (istft, lambda A, B, hop: added_up(A, B, hop)[1:], "it gave"),
    (with_magnitudes, lambda A, B, M: (A, B), "it gave"),
    (with_magnitudes, lambda A, B, M: with_magnitudes(B, A, M), "it gave"),
    (with_magnitudes, lambda A, B, M: with_magnitudes(A, -B, M), "it gave"),
    (with_magnitudes, lambda A, B, M: with_magnitudes(A, B, M)[::-1], "it gave"),
    (with_magnitudes, lambda A, B, M: with_magnitudes(A, B, M**2), "it gave"),
]

EQUIVALENT = {
    "stft": {
        "len(x) - size → size - len(x)": "What hop divides, it divides with the other sign, too.",
    },
}

EQUIVALENT_FORMULAS = {
    "eq-istft": {
        "s &= 0, \\dots, N + 1": "no sum asks for samples after the end of a window",
    },
}
