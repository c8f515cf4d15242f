"""Three seconds of speech from codes: choose how many there are, see the spectrogram and the codebook, and listen."""

import json

import numpy as np

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Weights, Whole
from transformer_math.modalities import code_perplexity
from transformer_math.quantised import pack
from transformer_math.signals.sound import RATE
from transformer_math.trained import sound_codes as trained

FIRST = trained.KEPT + trained.APART  # the frame where the last three seconds begin
FRAMES = 374
LETTER = 256  # a code's number travels as a letter so far after the first


def packed_codes() -> bytes:
    """The frames of the last three seconds, their phases, and for every size of the codebook the decoder and the ids."""
    _, mean, deviation = trained.frames()
    A, B = (part[FIRST:] for part in trained.waves())
    numbers = {
        "mean": float(mean),
        "deviation": float(deviation),
        "floor": trained.FLOOR,
        "hop": trained.HOP,
        "rate": RATE,
        "cut": trained.SIZE - trained.HOP,
        "level": trained.LEVEL,
        "fade": trained.FADE,
    }
    contents = {
        "numbers": json.dumps(numbers),
        "frames": trained.held_out(),
        "phases": np.arctan2(B, A),
    }
    for bits, k in enumerate(trained.SIZES, 1):
        model = trained.models()[k]
        _, ids = trained.rebuilt(trained.held_out(), model)
        contents |= {
            f"ids {bits}": "".join(chr(LETTER + i) for i in ids.ravel()),
            f"C {bits}": model.C,
            f"W {bits}": model.W_d,
            f"b {bits}": model.b_d[None],
            f"map {bits}": widest(model.C),
        }
    return pack(contents)


def widest(C: np.ndarray) -> np.ndarray:
    """The codes in their two widest directions, from -1 to 1."""
    apart = C - C.mean(axis=0)
    flat = apart @ np.linalg.svd(apart, full_matrices=False)[2][:2].T
    return flat / np.abs(flat).max()


class CodebookExplorable(Explorable):
    """Codes of so many `bits`, and the `frame` of the last three seconds that is picked.

    >>> bool(CodebookExplorable(bits=3).ids.max() < 8)
    True
    """

    bits = Whole(6, low=1, high=8)
    frame = Whole(60, low=0, high=FRAMES - 1)
    codes = Weights(packed_codes)

    @property
    def ids(self) -> np.ndarray:
        """The codes of every frame."""
        return trained.rebuilt(trained.held_out(), trained.models()[2**self.bits])[1]

    @property
    def error(self) -> float:
        """How far the rebuilt spectrogram is from the true one, in decibels."""
        X, model = trained.held_out(), trained.models()[2**self.bits]
        return trained.decibels(X, trained.rebuilt(X, model)[0])

    def description(self) -> str:
        """How many codes, how many of them in use, and the error."""
        k = 2**self.bits
        own = ", ".join(map(str, self.ids[self.frame]))
        return (
            f"{k} codes, as many in use as {code_perplexity(self.ids, k):.1f} equally frequent ones; error {self.error:.1f} dB. "
            f"The codes of frame {self.frame} are {own}."
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "998px", "526px"

    def still(self) -> str:
        """The codes by their two widest directions, each as large as it is often chosen."""
        k = 2**self.bits
        counts = np.bincount(self.ids.ravel(), minlength=k)
        places = widest(trained.models()[k].C)
        dots = "".join(
            _svg.tag(
                "circle",
                cx=round(320 + 130 * float(x), 1),
                cy=round(144 - 130 * float(y), 1),
                r=round(2 + 30 * float(np.sqrt(n / counts.sum())), 1),
                fill=palette.ROLES["key"],
                fill_opacity=0.5,
            )
            for (x, y), n in zip(places, counts)
        )
        return _svg.picture(640, 288, dots)
