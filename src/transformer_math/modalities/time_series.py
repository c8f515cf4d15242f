"""Time series: numbers that come one after another. Windows of them are tokens, or each moment gets a vector of its own."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.block.feed_forward import gelu
from transformer_math.contract import Size, contract, requires


@contract
@dataclass(frozen=True)
class ConvBlockParameters:
    """Two convolutions, each with its bias."""

    W_1: Float[np.ndarray, "K d d"]
    b_1: Float[np.ndarray, " d"]
    W_2: Float[np.ndarray, "K d d"]
    b_2: Float[np.ndarray, " d"]


@contract
@dataclass(frozen=True)
class TimeSeriesParameters:
    """The projection of the readings, and a block for each dilation: 1, 2, 4, …"""

    W: Float[np.ndarray, "C d"]
    b: Float[np.ndarray, " d"]
    blocks: tuple[ConvBlockParameters, ...]


@contract
@requires(
    lambda X, width: width <= X.shape[-2],
    lambda X, width: (
        f"a window of {width} is longer than the series, which has {X.shape[-2]} moments. Fix: a smaller width."
    ),
)
def windows(
    X: Float[np.ndarray, "... n C"], width: Size, stride: Size
) -> Float[np.ndarray, "... m d_window"]:
    r"""Cut a series into windows, one every `stride` moments; each is one vector, moment by moment. What is left over is dropped.

        T_iac = X_{i s + a, c}
        i = 0, …, N - 1
        a = 0, …, p - 1
        c = 0, …, C - 1

    Book: eq-windows. Source: Nie et al. (2023), section 3.1, arXiv:2211.14730.

    >>> windows(np.arange(5.0)[:, None], width=3, stride=2)
    array([[0., 1., 2.],
           [2., 3., 4.]])
    """
    starts = np.arange(0, X.shape[-2] - width + 1, stride)
    cut = X[..., starts[:, None] + np.arange(width), :]
    return cut.reshape(*cut.shape[:-2], width * X.shape[-1])


@contract
def masked_projection(
    X: Float[np.ndarray, "... n C"],
    W: Float[np.ndarray, "C d"],
    b: Float[np.ndarray, " d"],
    keep: Bool[np.ndarray, "... n"],
) -> Float[np.ndarray, "... n d"]:
    r"""Project the readings of each moment, and put zeros where a moment is hidden: after the projection, not before it.

        H_tj = m_t (Σ_c X_tc W_cj + b_j)

    Book: eq-masked-projection. Source: Yue et al. (2022), arXiv:2106.10466.

    >>> masked_projection(np.array([[1.0], [2.0]]), W=np.array([[3.0]]), b=np.ones(1), keep=np.array([True, False]))
    array([[4.],
           [0.]])
    """
    return keep[..., None] * (X @ W + b)


@contract
@requires(
    lambda W: len(W) % 2 == 1,
    "the kernel has {W.shape[0]} taps, and none of them is in the middle. Fix: an odd number of taps.",
)
def dilated_convolution(
    X: Float[np.ndarray, "... n d_in"],
    W: Float[np.ndarray, "K d_in d_out"],
    b: Float[np.ndarray, " d_out"],
    dilation: Size,
) -> Float[np.ndarray, "... n d_out"]:
    r"""Each moment reads some moments around it, `dilation` apart; beyond both ends of the series there are zeros.

        conv(X, W, b, r)_tj = b_j + Σ_{k=0}^(K-1) Σ_u [u = t + o_k] Σ_c X_uc W_kcj
        o_k = (k - (K - 1)/2) r
        t = 0, …, n - 1
        k = 0, …, K - 1

    Book: eq-dilated-convolution. Source: Yu and Koltun (2016), arXiv:1511.07122.

    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> dilated_convolution(X, W=np.ones((3, 1, 1)), b=np.zeros(1), dilation=2).ravel()
    array([4., 6., 4., 6.])
    """
    n, side = X.shape[-2], dilation * (len(W) // 2)
    padded = np.pad(X, [(0, 0)] * (X.ndim - 2) + [(side, side), (0, 0)])
    taps = (padded[..., k * dilation : k * dilation + n, :] for k in range(len(W)))
    return b + sum(seen @ W_k for seen, W_k in zip(taps, W))


@contract
def conv_block(
    H: Float[np.ndarray, "... n d"], parameters: ConvBlockParameters, dilation: Size
) -> Float[np.ndarray, "... n d"]:
    r"""What two convolutions make of a series is added to it.

        ConvBlock(H) = H + conv(gelu(conv(gelu(H), W_1, b_1, r)), W_2, b_2, r)

    Book: eq-conv-block. Source: Yue et al. (2022), arXiv:2106.10466.

    >>> still = ConvBlockParameters(np.zeros((3, 1, 1)), np.zeros(1), np.zeros((3, 1, 1)), np.ones(1))
    >>> conv_block(np.array([[1.0], [2.0]]), still, dilation=1)
    array([[2.],
           [3.]])
    """
    p = parameters
    wide = dilated_convolution(gelu(H), p.W_1, p.b_1, dilation)
    return H + dilated_convolution(gelu(wide), p.W_2, p.b_2, dilation)


@contract
def timestamp_vectors(
    X: Float[np.ndarray, "... n C"],
    parameters: TimeSeriesParameters,
    keep: Bool[np.ndarray, "... n"],
) -> Float[np.ndarray, "... n d"]:
    r"""A vector for each moment, from what is around it: projected, masked, then block after block with twice the dilation.

        M_tj = m_t (Σ_c X_tc W_cj + b_j)
        H^(0) = M
        H^(ℓ) = ConvBlock_ℓ(H^(ℓ - 1))
        ℓ = 1, …, L
        TimestampVectors(X) = H^(L)

    Book: eq-timestamp-vectors. Source: Yue et al. (2022), arXiv:2106.10466.

    >>> empty = TimeSeriesParameters(np.array([[2.0]]), np.zeros(1), blocks=())
    >>> timestamp_vectors(np.array([[1.0], [5.0]]), empty, keep=np.array([False, True]))
    array([[ 0.],
           [10.]])
    """
    H = masked_projection(X, parameters.W, parameters.b, keep)
    for l, block in enumerate(parameters.blocks):
        H = conv_block(H, block, dilation=2**l)
    return H


@contract
def receptive_field(kernel: Size, n_blocks: Size) -> int:
    r"""How many moments the vector of one moment comes from, with two convolutions in a block and 1, 2, 4, … as dilations.

        F = 1 + Σ_{ℓ=1}^L 2 (K - 1) 2^(ℓ - 1) = 1 + 2 (K - 1) (2^L - 1)

    Book: eq-receptive-field.

    >>> receptive_field(kernel=3, n_blocks=2)
    13
    """
    return 1 + 2 * (kernel - 1) * (2**n_blocks - 1)
