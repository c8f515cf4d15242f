"""Checks of windows, the masked projection, dilated convolutions and the encoder, against PyTorch."""

import numpy as np
import torch

from transformer_math.block.feed_forward import gelu, relu
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, small_batch
from transformer_math.modalities.time_series import (
    ConvBlockParameters,
    TimeSeriesParameters,
    conv_block,
    dilated_convolution,
    masked_projection,
    receptive_field,
    timestamp_vectors,
    windows,
)


def random_series(rng, channels=None, at_least=1):
    """Series with a few channels, after random batch axes."""
    n = size(rng, at_least)
    return rng.normal(size=(*small_batch(rng), n, channels or few(rng)))


@check(
    windows,
    equation="eq-windows",
    symbols={"width": "p", "stride": "s", "return": "T"},
    oracle="torch.Tensor.unfold",
)
def windows_equal_unfold(windows, rng):
    X = random_series(rng)
    width, stride = int(rng.integers(1, X.shape[-2] + 1)), size(rng)
    cut = torch.from_numpy(X).unfold(-2, width, stride).mT
    return difference(windows(X, width, stride), cut.reshape(*cut.shape[:-2], -1))


@windows_equal_unfold.rejects(
    "Your windows do not overlap, whatever the stride: window i begins at moment i times stride."
)
def side_by_side(X, width, stride):
    return windows(X, width, width)


@windows_equal_unfold.rejects(
    "Your windows begin at every moment: the next one begins `stride` moments later."
)
def at_every_moment(X, width, stride):
    return windows(X, width, 1)


@windows_equal_unfold.rejects(
    "The last window is missing in your version: one fits as long as it ends within the series."
)
def last_one_lost(X, width, stride):
    return windows(X, width, stride)[..., :-1, :]


@windows_equal_unfold.rejects(
    "Your vectors hold one channel after the other: wanted moment after moment, each with its channels."
)
def channel_by_channel(X, width, stride):
    T = windows(X, width, stride)
    moments = T.reshape(*T.shape[:-1], width, X.shape[-1])
    return moments.swapaxes(-1, -2).reshape(T.shape)


@windows_equal_unfold.rejects(
    "What is left over at the beginning is dropped in your version: the first window begins with the first moment."
)
def flush_right(X, width, stride):
    over = (X.shape[-2] - width) % stride
    return windows(X[..., over:, :], width, stride)


def series_and_projection(rng):
    """Series, a projection, and which moments stay."""
    X, d = random_series(rng), size(rng)
    W, b = rng.normal(size=(X.shape[-1], d)), rng.normal(size=d)
    return X, W, b, rng.random(X.shape[:-1]) < rng.choice([0.0, 0.5, 1.0])


def torch_masked(X, W, b, keep):
    """PyTorch's linear layer, whose rows are overwritten where a moment is hidden."""
    H = torch.nn.functional.linear(X, W.mT, b)
    return H.masked_fill(~torch.as_tensor(keep).bool()[..., None], 0.0)


@check(
    masked_projection,
    equation="eq-masked-projection",
    symbols={"W": "W", "keep": "m", "return": "H"},
    oracle="torch.nn.functional.linear and masked_fill",
)
def projection_is_masked(masked_projection, rng):
    given = series_and_projection(rng)
    return difference(
        masked_projection(*given), torch_masked(*map(torch.from_numpy, given))
    )


@projection_is_masked.rejects(
    "You hide the readings before the projection: then a hidden moment looks like one with the reading 0, and its bias is left."
)
def readings_hidden(X, W, b, keep):
    return (keep[..., None] * X) @ W + b


@projection_is_masked.rejects(
    "Your mask is turned over: where `keep` is True, the moment stays."
)
def turned_over(X, W, b, keep):
    return masked_projection(X, W, b, ~keep)


@projection_is_masked.rejects(
    "You hide nothing: where `keep` is False, the vector becomes zeros."
)
def nothing_hidden(X, W, b, keep):
    return X @ W + b


@projection_is_masked.rejects(
    "Your bias is missing: it is added before moments are hidden."
)
def without_bias(X, W, b, keep):
    return masked_projection(X, W, 0 * b, keep)


def series_and_kernel(rng):
    """Series, a kernel of one, three or five taps, a bias, and how far apart the taps are."""
    X, d = random_series(rng), size(rng)
    K = 2 * few(rng) - 1
    W, b = rng.normal(size=(K, X.shape[-1], d)), rng.normal(size=d)
    return X, W, b, few(rng)


def torch_convolution(X, W, b, dilation):
    """PyTorch's convolution, which wants channels first and pads both ends with zeros."""
    dilation = int(dilation)
    flat = X.reshape(-1, *X.shape[-2:]).mT
    side = dilation * (len(W) // 2)
    Y = torch.nn.functional.conv1d(
        flat, W.permute(2, 1, 0), b, padding=side, dilation=dilation
    )
    return Y.mT.reshape(*X.shape[:-1], -1)


@check(
    dilated_convolution,
    equation="eq-dilated-convolution",
    symbols={"W": "W", "dilation": "r"},
    oracle="torch.nn.functional.conv1d",
)
def convolution_equals_conv1d(dilated_convolution, rng):
    X, W, b, dilation = series_and_kernel(rng)
    tensors = map(torch.from_numpy, (X, W, b))
    return difference(
        dilated_convolution(X, W, b, dilation), torch_convolution(*tensors, dilation)
    )


@convolution_equals_conv1d.rejects(
    "Your kernel is turned over: tap 0 reads the earliest moment. (That is a convolution as mathematicians define it; networks correlate.)"
)
def kernel_turned(X, W, b, dilation):
    return dilated_convolution(X, W[::-1], b, dilation)


@convolution_equals_conv1d.rejects(
    "Your taps are side by side: they should be `dilation` moments apart."
)
def not_dilated(X, W, b, dilation):
    return dilated_convolution(X, W, b, 1)


@convolution_equals_conv1d.rejects(
    "Your convolution is causal: its last tap reads the moment itself. Here the middle one does."
)
def causal(X, W, b, dilation):
    side = dilation * (len(W) // 2)
    Y = dilated_convolution(np.pad(X, _ends(X, side, 0)), W, b, dilation)
    return Y[..., : X.shape[-2], :]


@convolution_equals_conv1d.rejects(
    "Your series is a ring: beyond its ends there are zeros, not the moments from the other end."
)
def ring(X, W, b, dilation):
    half = len(W) // 2
    return b + sum(
        np.roll(X, -(k - half) * dilation, axis=-2) @ W_k for k, W_k in enumerate(W)
    )


@convolution_equals_conv1d.rejects(
    "Beyond the ends you repeat the last reading: wanted zeros."
)
def ends_repeated(X, W, b, dilation):
    side = dilation * (len(W) // 2)
    Y = dilated_convolution(
        np.pad(X, _ends(X, side, side), mode="edge"), W, b, dilation
    )
    return Y[..., side : side + X.shape[-2], :]


def _ends(X, before, after):
    return [(0, 0)] * (X.ndim - 2) + [(before, after), (0, 0)]


def random_block(rng, d):
    """A block's parameters."""
    K = 2 * few(rng) - 1
    shapes = (K, d, d), (d,), (K, d, d), (d,)
    return ConvBlockParameters(*(rng.normal(size=shape) / 2 for shape in shapes))


def torch_block(H, block, dilation):
    """The block with PyTorch's convolution and GELU."""
    W_1, b_1, W_2, b_2 = (
        torch.as_tensor(p) for p in (block.W_1, block.b_1, block.W_2, block.b_2)
    )
    wide = torch_convolution(torch.nn.functional.gelu(H), W_1, b_1, dilation)
    return H + torch_convolution(torch.nn.functional.gelu(wide), W_2, b_2, dilation)


@check(
    conv_block,
    equation="eq-conv-block",
    symbols={"dilation": "r"},
    oracle="torch.nn.functional.conv1d and gelu",
    cases=25,
)
def block_equals_torch(conv_block, rng):
    H = random_series(rng)
    block, dilation = random_block(rng, H.shape[-1]), few(rng)
    return difference(
        conv_block(H, block, dilation),
        torch_block(torch.from_numpy(H), block, dilation),
    )


@block_equals_torch.rejects(
    "The block’s input is not added to what the convolutions make of it."
)
def nothing_added(H, parameters, dilation):
    return conv_block(H, parameters, dilation) - H


@block_equals_torch.rejects(
    "You activate after each convolution; here GELU stands before each."
)
def activated_behind(H, parameters, dilation):
    p = parameters
    wide = gelu(dilated_convolution(H, p.W_1, p.b_1, dilation))
    return H + gelu(dilated_convolution(wide, p.W_2, p.b_2, dilation))


@block_equals_torch.rejects("You use one convolution twice: there are two.")
def one_convolution(H, parameters, dilation):
    p = parameters
    return conv_block(H, ConvBlockParameters(p.W_1, p.b_1, p.W_1, p.b_1), dilation)


@block_equals_torch.rejects("You activate with ReLU; wanted GELU.")
def with_relu(H, parameters, dilation):
    p = parameters
    wide = dilated_convolution(relu(H), p.W_1, p.b_1, dilation)
    return H + dilated_convolution(relu(wide), p.W_2, p.b_2, dilation)


@block_equals_torch.rejects(
    "Your second convolution is not dilated: both have the block’s dilation."
)
def second_not_dilated(H, parameters, dilation):
    p = parameters
    wide = dilated_convolution(gelu(H), p.W_1, p.b_1, dilation)
    return H + dilated_convolution(gelu(wide), p.W_2, p.b_2, 1)


@check(
    timestamp_vectors,
    equation="eq-timestamp-vectors",
    oracle="torch.nn.functional.conv1d, linear and masked_fill",
    cases=25,
)
def vectors_equal_torch(timestamp_vectors, rng):
    X, W, b, keep = series_and_projection(rng)
    blocks = tuple(random_block(rng, len(b)) for _ in range(few(rng)))
    H = torch_masked(*map(torch.from_numpy, (X, W, b, keep)))
    for l, block in enumerate(blocks):
        H = torch_block(H, block, 2**l)
    return difference(timestamp_vectors(X, TimeSeriesParameters(W, b, blocks), keep), H)


@vectors_equal_torch.rejects(
    "You hide moments after the convolutions: by then each has told its neighbours what it is. Hide them right after the projection."
)
def hidden_after_the_convolutions(X, parameters, keep):
    return keep[..., None] * timestamp_vectors(X, parameters, np.ones_like(keep))


@vectors_equal_torch.rejects(
    "All your blocks have dilation 1: it doubles from block to block."
)
def never_dilated(X, parameters, keep):
    H = masked_projection(X, parameters.W, parameters.b, keep)
    for block in parameters.blocks:
        H = conv_block(H, block, 1)
    return H


@vectors_equal_torch.rejects(
    "Your dilations grow by 1 in each block: 1, 2, 3, …; they double: 1, 2, 4, …"
)
def dilation_by_one(X, parameters, keep):
    H = masked_projection(X, parameters.W, parameters.b, keep)
    for l, block in enumerate(parameters.blocks):
        H = conv_block(H, block, l + 1)
    return H


@vectors_equal_torch.rejects("You go through the blocks from the last to the first.")
def blocks_backwards(X, parameters, keep):
    p = parameters
    return timestamp_vectors(X, TimeSeriesParameters(p.W, p.b, p.blocks[::-1]), keep)


@vectors_equal_torch.rejects(
    "You hide the readings and not their vectors: the bias is left, and 0 is a reading like any other."
)
def hidden_before_the_projection(X, parameters, keep):
    return timestamp_vectors(keep[..., None] * X, parameters, np.ones_like(keep))


@check(
    receptive_field,
    equation="eq-receptive-field",
    symbols={"kernel": "K", "n_blocks": "L", "return": "F"},
    oracle="counting the moments that feel an impulse, in torch.nn.functional.conv1d",
)
def field_is_counted(receptive_field, rng):
    kernel, n_blocks = 2 * few(rng) - 1, size(rng) % 6 or 1
    n = 2 * 2 * (kernel - 1) * 2**n_blocks + 1
    seen = torch.zeros(1, 1, n, dtype=torch.float64)
    seen[0, 0, n // 2] = 1
    for l in range(n_blocks):
        for _ in range(2):
            taps = torch.ones(1, 1, kernel, dtype=torch.float64)
            side = 2**l * (kernel // 2)
            seen = torch.nn.functional.conv1d(seen, taps, padding=side, dilation=2**l)
            seen = (seen > 0).double()
    return difference(receptive_field(kernel, n_blocks), int(seen.sum()))


@field_is_counted.rejects("You count one convolution in each block: there are two.")
def one_each(kernel, n_blocks):
    return 1 + (kernel - 1) * (2**n_blocks - 1)


@field_is_counted.rejects(
    "You multiply the widths of the kernels: each convolution adds (kernel − 1) times its dilation."
)
def multiplied(kernel, n_blocks):
    return kernel ** (2 * n_blocks)


@field_is_counted.rejects("The moment itself is not counted in your version.")
def not_itself(kernel, n_blocks):
    return receptive_field(kernel, n_blocks) - 1


@field_is_counted.rejects(
    "Your dilations do not double: 1 + 2 + 4 + … is 2 to the number of blocks, less 1."
)
def undilated(kernel, n_blocks):
    return 1 + 2 * (kernel - 1) * n_blocks
