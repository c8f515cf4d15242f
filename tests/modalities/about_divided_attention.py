"""What the tests of all ideas ask of `modalities/divided_attention`; `tests/abouts.py` explains the names."""

from dataclasses import replace

import numpy as np

from transformer_math.attention import attention, multi_head_attention
from transformer_math.block import feed_forward, layer_norm
from transformer_math.modalities import (
    divided_layer,
    space_attention,
    space_mask,
    time_attention,
    time_mask,
)

ACCEPTED = {  # values of another width
    space_attention: {"V": {"longer"}},
    time_attention: {"V": {"longer"}},
}

NO_TWIN = {
    space_attention: "it is attention under space_mask, number by number; attention_vjp with that mask is its gradient",
    time_attention: "it is attention under time_mask, number by number; attention_vjp with that mask is its gradient",
}


def by_remainder(frames, places):
    number = np.arange(frames * places)
    M = np.ones((1 + len(number),) * 2, dtype=bool)
    M[1:, 1:] = (number[:, None] - number) % places == 0
    return M


def by_blocks(frames, places):
    M = np.ones((1 + frames * places,) * 2, dtype=bool)
    M[1:, 1:] = np.kron(np.eye(frames), np.ones((places, places))) > 0
    return M


def places_of(Q, frames):
    return (Q.shape[-2] - 1) // frames


def masked_to_space(Q, K, V, frames):
    return attention(Q, K, V, by_blocks(frames, places_of(Q, frames)))[0]


def masked_to_time(Q, K, V, frames):
    return attention(Q, K, V, by_remainder(frames, places_of(Q, frames)))[0]


def frame_after_frame(Q, K, V, frames):
    N, out = places_of(Q, frames), [attention(Q[..., :1, :], K, V)[0]]
    for t in range(frames):
        own = [0, *range(1 + t * N, 1 + (t + 1) * N)]
        out.append(attention(Q[..., own[1:], :], K[..., own, :], V[..., own, :])[0])
    return np.concatenate(out, axis=-2)


def place_after_place(Q, K, V, frames):
    N, out = places_of(Q, frames), np.zeros(V.shape)
    out[..., :1, :] = attention(Q[..., :1, :], K, V)[0]
    for i in range(N):
        own = [0, *range(1 + i, 1 + frames * N, N)]
        found = attention(Q[..., own[1:], :], K[..., own, :], V[..., own, :])[0]
        out[..., own[1:], :] = found
    return out


def in_a_loop(Z, p, n_heads, frames):
    for attend, norm, mask in (
        (p.time, p.norm_1, time_mask),
        (p.space, p.norm_2, space_mask),
    ):
        U, M = layer_norm(Z, norm), mask(frames, places_of(Z, frames))
        Z = Z + multi_head_attention(U, U, attend, n_heads, M)[0]
    return Z + feed_forward(layer_norm(Z, p.norm_3), p.feed_forward)


RIGHT = [
    (time_mask, by_remainder),
    (time_mask, lambda F, N: by_remainder(F, N).tolist()),
    (space_mask, by_blocks),
    (space_mask, lambda F, N: by_blocks(F, N).tolist()),
    (space_attention, masked_to_space),
    (space_attention, frame_after_frame),
    (time_attention, masked_to_time),
    (time_attention, place_after_place),
    (divided_layer, in_a_loop),
    (divided_layer, lambda *arguments: in_a_loop(*arguments).tolist()),
]

WRONG = [
    (time_mask, lambda F, N: by_blocks(F, N), "mask of space"),
    (time_mask, lambda F, N: by_remainder(F, N)[1:, 1:], "class token"),
    (time_mask, lambda F, N: np.tri(1 + F * N, dtype=bool), "it gave"),
    (time_mask, lambda F, N: by_remainder(F, N) & by_blocks(F, N), "it gave"),
    (time_mask, lambda F, N: by_remainder(F, N)[::-1], "it gave"),
    (space_attention, lambda Q, K, V, F: attention(Q, K, V)[0], "joint"),
    (space_attention, lambda Q, K, V, F: masked_to_time(Q, K, V, F), "along time"),
    (space_attention, lambda Q, K, V, F: masked_to_space(K, Q, V, F), "it gave"),
    (space_attention, lambda Q, K, V, F: 2 * masked_to_space(Q, K, V, F), "it gave"),
    (
        space_attention,
        lambda Q, K, V, F: masked_to_space(Q, K, V, F)[..., ::-1, :],
        "it gave",
    ),
    (
        divided_layer,
        lambda Z, p, H, F: in_a_loop(Z, replace(p, time=p.space, space=p.time), H, F),
        "it gave",
    ),
    (divided_layer, lambda Z, p, H, F: in_a_loop(Z, p, H, F) - Z, "it gave"),
    (
        divided_layer,
        lambda Z, p, H, F: in_a_loop(Z, replace(p, space=p.time), H, F),
        "projections",
    ),
    (
        divided_layer,
        lambda Z, p, H, F: in_a_loop(Z, replace(p, norm_3=p.norm_2), H, F),
        "it gave",
    ),
    (divided_layer, lambda Z, p, H, F: layer_norm(in_a_loop(Z, p, H, F), p.norm_3), "it gave"),
]  # fmt: skip

EQUIVALENT_FORMULAS = {
    "eq-time-mask": {"\\delta_{ji}": "two places agree in either order"},
    "eq-untubelets": {
        "m + 1 \\\\": "no frame of X asks for a time after the last",
        "\\tau + 1 \\\\": "no frame of X asks for one after a tubelet's last",
    },
}

EQUIVALENT = {
    "divided_layer": {
        "(Z.shape[-2] - 1) % frames → (1 - Z.shape[-2]) % frames": "A number is divided where its negative is.",
    },
}
