"""A spectrogram: which frequencies sound when. Short windows of a sound, each taken apart into waves, and put together again."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import EvenSize, Size, contract, requires

Waves = Float[np.ndarray, "frames bins"]


@contract
def sine_window(size: EvenSize) -> Float[np.ndarray, " size"]:
    r"""Half a wave, by which a piece of sound fades in and out.

        w_s = sin((π (s + 1/2))/N)
        s = 0, …, N - 1

    Book: eq-sine-window.

    >>> sine_window(4).round(3)
    array([0.383, 0.924, 0.924, 0.383])
    """
    return np.sin(np.pi * (np.arange(size) + 0.5) / size)


@contract
@requires(
    lambda size, hop: hop <= size,
    "hop is {hop} and size {size}: between two windows samples would be left out. Fix: a hop of at most size.",
)
@requires(
    lambda x, size, hop: len(x) >= size and (len(x) - size) % hop == 0,
    lambda x, size, hop: (
        f"x has {len(x)} samples; windows of {size} that move by {hop} do not end with it. "
        "Fix: add zeros, until len(x) is size and a multiple of hop."
    ),
)
def stft(
    x: Float[np.ndarray, " samples"], size: EvenSize, hop: Size
) -> tuple[Waves, Waves]:
    r"""The short-time Fourier transform: how much of each cosine, and of each sine, is in each window of a sound.

        A^c_tf = 1/√N Σ_{s=0}^(N-1) w_s x_{th + s} cos((2 π f s)/N)
        A^s_tf = -1/√N Σ_{s=0}^(N-1) w_s x_{th + s} sin((2 π f s)/N)

    Book: eq-stft. Source: Allen and Rabiner (1977), doi:10.1109/PROC.1977.10770.

    >>> A, B = stft(np.ones(4), size=2, hop=2)
    >>> A.round(3)
    array([[ 1., -0.],
           [ 1., -0.]])
    """
    windows = np.lib.stride_tricks.sliding_window_view(x, size)[::hop]
    waves = np.fft.rfft(windows * sine_window(size)) / np.sqrt(size)
    return waves.real.astype(x.dtype), waves.imag.astype(x.dtype)


@contract
@requires(
    lambda A: A.shape[1] > 1,
    "A has a single frequency; a window of N samples has N / 2 + 1, two at least. Fix: what stft returned.",
)
@requires(
    lambda A, hop: hop <= 2 * (A.shape[1] - 1),
    "hop is {hop}, longer than the window. Fix: the hop with which the sound was taken apart.",
)
def istft(A: Waves, B: Waves, hop: Size) -> Float[np.ndarray, " samples"]:
    r"""Back to a sound: waves to windows, windows over each other, divided by the squares of the windows that meet.

        c_f = 2 - δ_{f, 0} - δ_{f, N/2}
        v_ts = 1/√N Σ_{f=0}^(N/2) c_f A^c_tf cos((2 π f s)/N)
        - 1/√N Σ_{f=0}^(N/2) c_f A^s_tf sin((2 π f s)/N)
        x_u = (Σ_{t=0}^(T-1) Σ_{s=0}^(N-1) δ_{u, th + s} w_s v_ts)/(Σ_{t=0}^(T-1) Σ_{s=0}^(N-1) δ_{u, th +
            s} w_s²)
        s = 0, …, N - 1
        u = 0, …, (T - 1) h + N - 1

    Of waves that no sound has, it gives the sound whose own waves are nearest, in squares.

    Book: eq-istft. Source: Griffin and Lim (1984), equation 6, doi:10.1109/TASSP.1984.1164317.

    >>> x = np.arange(8.0)
    >>> np.allclose(istft(*stft(x, size=4, hop=1), hop=1), x)
    True
    """
    size, frames = 2 * (A.shape[1] - 1), len(A)
    window = sine_window(size)
    windows = np.fft.irfft((A + 1j * B) * np.sqrt(size), size) * window
    summed, squares = np.zeros((2, (frames - 1) * hop + size))
    for t, one in enumerate(windows):
        summed[t * hop : t * hop + size] += one
        squares[t * hop : t * hop + size] += window**2
    return (summed / squares).astype(A.dtype)


@contract
@requires(
    lambda M: M.min() >= 0,
    "M holds a negative number; a magnitude is a length. Fix: np.hypot(A, B), or np.abs.",
)
def with_magnitudes(A: Waves, B: Waves, M: Waves) -> tuple[Waves, Waves]:
    r"""Other magnitudes, the same phases: every wave keeps its place in time and gets the strength that M says.

        D^c_tf = {M_tf if (A^c_tf)² + (A^s_tf)² = 0; (M_tf A^c_tf)/(√((A^c_tf)² + (A^s_tf)²)) otherwise}
        D^s_tf = {0 if (A^c_tf)² + (A^s_tf)² = 0; (M_tf A^s_tf)/(√((A^c_tf)² + (A^s_tf)²)) otherwise}

    Book: eq-with-magnitudes. Source: Griffin and Lim (1984), doi:10.1109/TASSP.1984.1164317.

    >>> with_magnitudes(np.array([[3.0]]), np.array([[4.0]]), M=np.array([[10.0]]))
    (array([[6.]]), array([[8.]]))
    """
    lengths = np.hypot(A, B)
    silent = lengths == 0
    scale = M / np.where(silent, 1, lengths)
    return np.where(silent, M, scale * A), scale * B
