"""Attention in a film: among all tokens, within each frame, along each place, or first the one and then the other."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.attention.cost import projection_flops, score_flops
from transformer_math.attention.multi_head import (
    AttentionParameters,
    multi_head_attention,
)
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.block.feed_forward import FeedForwardParameters, feed_forward
from transformer_math.block.layer_norm import NormParameters, pre_norm
from transformer_math.contract import Size, contract, requires
from transformer_math.shapes import Tokens

Queries = Float[np.ndarray, "*batch n d_k"]
Values = Float[np.ndarray, "*batch n d_v"]


@contract
def space_mask(frames: Size, places: Size) -> Bool[np.ndarray, "n n"]:
    r"""Let each patch see the patches of its own frame, and the class token; the class token sees all.

        M_tiuj = δ_tu
        t = 0, …, F - 1
        i = 0, …, N - 1
        u = 0, …, F - 1
        j = 0, …, N - 1

    Book: eq-space-mask. Source: Bertasius, Wang and Torresani (2021), equation 6, arXiv:2102.05095.

    >>> space_mask(frames=2, places=1).astype(int)
    array([[1, 1, 1],
           [1, 1, 0],
           [1, 0, 1]])
    """
    frame = np.repeat(np.arange(frames), places)
    M = np.ones((1 + len(frame), 1 + len(frame)), dtype=bool)
    M[1:, 1:] = frame[:, None] == frame
    return M


@contract
def time_mask(frames: Size, places: Size) -> Bool[np.ndarray, "n n"]:
    r"""Let each patch see the patches at its own place in all frames, and the class token; the class token sees all.

        M_tiuj = δ_ij
        t = 0, …, F - 1
        i = 0, …, N - 1
        u = 0, …, F - 1
        j = 0, …, N - 1

    Book: eq-time-mask. Source: Bertasius, Wang and Torresani (2021), section 3, arXiv:2102.05095.

    >>> time_mask(frames=1, places=2).astype(int)
    array([[1, 1, 1],
           [1, 1, 0],
           [1, 0, 1]])
    """
    place = np.tile(np.arange(places), frames)
    M = np.ones((1 + len(place), 1 + len(place)), dtype=bool)
    M[1:, 1:] = place[:, None] == place
    return M


_in_frames = requires(
    lambda Q, frames: Q.shape[-2] > 1 and (Q.shape[-2] - 1) % frames == 0,
    lambda Q, frames: (
        f"there are {Q.shape[-2]} tokens: a class token and {Q.shape[-2] - 1} patches, which do not divide into "
        f"{frames} frames. Fix: the number of frames that was cut, and the class token in front."
    ),
)


@contract
@_in_frames
def space_attention(Q: Queries, K: Queries, V: Values, frames: Size) -> Values:
    r"""Each frame by itself: its patches attend to each other and to the class token.

        O_t = attention(Q_t, [k^class; K_t], [v^class; V_t])
        t = 0, …, F - 1
        o^class = attention(q^class, K^all, V^all)

    Book: eq-space-attention. Source: Bertasius, Wang and Torresani (2021), equation 6, arXiv:2102.05095.

    >>> space_attention(np.zeros((3, 1)), np.zeros((3, 1)), np.array([[3.0], [9.0], [0.0]]), frames=2)
    array([[4. ],
           [6. ],
           [1.5]])
    """
    patches = np.arange(1, Q.shape[-2]).reshape(frames, -1)  # frame by frame
    seen = np.pad(patches, ((0, 0), (1, 0)))  # and the class token, number 0
    O, _ = attention(Q[..., patches, :], K[..., seen, :], V[..., seen, :])
    of_class, _ = attention(Q[..., :1, :], K, V)
    of_patches = O.reshape(*V.shape[:-2], -1, V.shape[-1])
    return np.concatenate([of_class, of_patches], axis=-2)


@contract
@_in_frames
def time_attention(Q: Queries, K: Queries, V: Values, frames: Size) -> Values:
    r"""Each place by itself: its patches attend to each other, from the first frame to the last, and to the class token.

        O_i = attention(Q_i, [k^class; K_i], [v^class; V_i])
        i = 0, …, N - 1
        o^class = attention(q^class, K^all, V^all)

    Book: eq-time-attention. Source: Bertasius, Wang and Torresani (2021), section 3, arXiv:2102.05095.

    >>> time_attention(np.zeros((3, 1)), np.zeros((3, 1)), np.array([[3.0], [9.0], [0.0]]), frames=2)
    array([[4.],
           [4.],
           [4.]])
    """
    patches = np.arange(1, Q.shape[-2]).reshape(frames, -1).T  # place by place
    seen = np.pad(patches, ((0, 0), (1, 0)))  # and the class token, number 0
    O, _ = attention(Q[..., patches, :], K[..., seen, :], V[..., seen, :])
    of_class, _ = attention(Q[..., :1, :], K, V)
    of_patches = O.swapaxes(-3, -2).reshape(*V.shape[:-2], -1, V.shape[-1])
    return np.concatenate([of_class, of_patches], axis=-2)


@contract
def two_steps(
    first: Bool[np.ndarray, "n n"], then: Bool[np.ndarray, "n n"]
) -> Bool[np.ndarray, "n n"]:
    r"""From which tokens something can have come to each one, after a step under one mask and a step under another.

        R_ij = (Σ_k M'_ik M_kj > 0)

    Book: eq-two-steps.

    >>> two_steps(np.array([[True, False], [True, True]]), then=np.array([[False, True], [False, True]])).astype(int)
    array([[1, 1],
           [1, 1]])
    """
    return then @ first


@contract
@dataclass(frozen=True)
class DividedLayerParameters:
    """What a layer learns: an attention along time and one in space, a feed-forward network, and a normalisation before each."""

    time: AttentionParameters
    space: AttentionParameters
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters
    norm_3: NormParameters


@contract
@requires(
    lambda Z, frames: Z.shape[-2] > 1 and (Z.shape[-2] - 1) % frames == 0,
    lambda Z, frames: (
        f"there are {Z.shape[-2]} tokens: a class token and {Z.shape[-2] - 1} patches, which do not divide into "
        f"{frames} frames. Fix: the number of frames that was cut, and the class token in front."
    ),
)
def divided_layer(
    Z: Tokens, parameters: DividedLayerParameters, n_heads: Size, frames: Size
) -> Tokens:
    r"""Attend along time, then in space, each with projections of its own and a residual around it; then feed forward.

        Z' = Z + Time(LayerNorm_1(Z))
        Z'' = Z' + Space(LayerNorm_2(Z'))
        Z_out = Z'' + FFN(LayerNorm_3(Z''))
        DividedLayer(Z) = Z_out

    Book: eq-divided-layer. Source: Bertasius, Wang and Torresani (2021), section 3, arXiv:2102.05095.
    """
    p, places = parameters, (Z.shape[-2] - 1) // frames
    M_time, M_space = time_mask(frames, places), space_mask(frames, places)
    Z = pre_norm(
        Z, lambda U: multi_head_attention(U, U, p.time, n_heads, M_time)[0], p.norm_1
    )
    Z = pre_norm(
        Z, lambda U: multi_head_attention(U, U, p.space, n_heads, M_space)[0], p.norm_2
    )
    return pre_norm(Z, lambda U: feed_forward(U, p.feed_forward), p.norm_3)


_in_groups = requires(
    lambda frames, places, group: frames * places % group == 0,
    lambda frames, places, group: (
        f"{frames} frames of {places} patches do not divide into groups of {group}. "
        "Fix: the places in space, the frames along time, their product in joint attention."
    ),
)


@contract
@_in_groups
def step_pairs(frames: Size, places: Size, group: Size) -> int:
    r"""How many pairs of query and key a step compares: each patch meets its group and the class token, which meets all.

        pairs = N F (g + 1) + N F + 1

    A group holds the patches of a frame, those of a place, or all; divided attention takes two steps.
    Book: eq-step-pairs. Source: Bertasius, Wang and Torresani (2021), section 3, arXiv:2102.05095.

    >>> step_pairs(frames=2, places=3, group=3), step_pairs(frames=2, places=3, group=6)
    (31, 49)
    """
    patches = places * frames
    return patches * (group + 1) + patches + 1


@contract
@_in_groups
def step_flops(frames: Size, places: Size, group: Size, d_model: Size) -> int:
    r"""The floating-point operations of a step: four projections of all tokens, and the two products of its pairs.

        FLOPs = 8 n d_model² + 4 d_model (N F (g + 1) + n)
        n = N F + 1

    Book: eq-step-flops.

    >>> step_flops(frames=8, places=196, group=196, d_model=768)
    8357219328
    """
    n, pairs = places * frames + 1, step_pairs(frames, places, group)
    return projection_flops(n, n, d_model) + score_flops(1, pairs, d_model)
