"""A sound that the reader of a page can play: the browser's own player, and the samples beside it, in the page itself."""

import base64
import io
import wave
from dataclasses import dataclass
from html import escape

import numpy as np

from transformer_math.errors import require
from transformer_math.plots import symbols


@dataclass(frozen=True)
class Sound:
    """A player with a caption; Jupyter and the built page show it alike."""

    data: bytes
    caption: str

    def _repr_html_(self) -> str:
        source = f"data:audio/wav;base64,{base64.b64encode(self.data).decode()}"
        style = "display:block;width:100%;max-width:24rem;margin:0 auto"
        return (
            f'<figure class="picture"><audio controls preload="none" style="{style}" aria-label="{escape(self.caption)}" '
            f'src="{source}"></audio><figcaption>{symbols.html(self.caption)}</figcaption></figure>'
        )


def listen(samples: np.ndarray, rate: int, caption: str) -> Sound:
    """Let the reader play samples from -1 to 1, so many of them a second, a byte for each. What is louder is cut off.

    >>> len(listen(np.zeros(80), 8000, "A hundredth of a second of silence").data)
    124
    """
    require(
        np.ndim(samples) == 1,
        f"samples has shape {np.shape(samples)}; wanted one list of samples. Fix: one channel.",
    )
    require(
        bool(np.isfinite(samples).all()),
        "the samples hold NaN or infinity; wanted numbers from -1 to 1. Fix: look for the step that made it.",
    )
    require(
        isinstance(rate, (int, np.integer)) and rate >= 1,
        f"rate is {rate!r:.40}; wanted a whole number of samples a second, at least 1. Fix: 8000.",
    )
    levels = np.clip(np.rint(128 + 127 * np.asarray(samples)), 0, 255)
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(int(rate))
        file.writeframes(levels.astype(np.uint8).tobytes())
    return Sound(data.getvalue(), caption)
