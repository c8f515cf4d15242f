"""How the formulas of spectrograms are read: they name the length of a window, and how many there are."""

import numpy as np

from transformer_math.formulas.reading import reading
from transformer_math.modalities.spectrogram import sine_window


@reading("eq-stft")
def waves_by_window(a, outputs, arguments):
    """The window is that of its own formula."""
    N, frames = arguments["size"], np.arange(len(outputs[0]))
    known = {"x": arguments["x"], "w": sine_window(N), "N": N, "h": arguments["hop"]}
    yield known | {"T": len(frames)}, dict(zip(("A^c", "A^s"), outputs))


@reading("eq-istft")
def sound_by_window(a, outputs, arguments):
    """The same names, the other way."""
    T, bins = arguments["A"].shape
    N = 2 * (bins - 1)
    known = {"A^c": arguments["A"], "A^s": arguments["B"]}
    sizes = {"w": sine_window(N), "N": N, "h": arguments["hop"], "T": T}
    yield known | sizes, {"x": outputs[0]}
