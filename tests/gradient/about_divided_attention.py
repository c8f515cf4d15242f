"""What the tests of all ideas ask of `gradient/divided_attention`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import (
    divided_layer_vjp,
    feed_forward_vjp,
    layer_norm_vjp,
    self_attention_vjp,
)
from transformer_math.modalities import space_mask, time_mask
from transformer_math.modalities.divided_attention import DividedLayerParameters
from transformer_math.trained import film_direction

REFUSED = [
    (
        divided_layer_vjp,
        "do not divide",
        {
            "Z": np.ones((8, 32)),
            "parameters": film_direction.SCHEMES["divided"].new_layer(
                np.random.default_rng(0)
            ),
            "n_heads": 4,
            "frames": 2,
        },
    )
]


def step_by_step(Z, p, n_heads, frames):
    places = (Z.shape[-2] - 1) // frames
    sublayers = (
        lambda U: self_attention_vjp(U, p.time, n_heads, time_mask(frames, places)),
        lambda U: self_attention_vjp(U, p.space, n_heads, space_mask(frames, places)),
        lambda U: feed_forward_vjp(U, p.feed_forward),
    )
    steps = []
    for sublayer, norm in zip(sublayers, (p.norm_1, p.norm_2, p.norm_3)):
        U, to_norm = layer_norm_vjp(Z, norm)
        update, to_update = sublayer(U)
        steps.append((to_norm, to_update))
        Z = Z + update

    def pullback(dZ):
        learned, norms = [], []
        for to_norm, to_update in reversed(steps):
            through, own = to_update(dZ)
            through, dnorm = to_norm(through)
            dZ = dZ + through
            learned.insert(0, own)
            norms.insert(0, dnorm)
        return dZ, DividedLayerParameters(*learned, *norms)

    return Z, pullback


def from_lists(Z, p, n_heads, frames):
    value, pullback = step_by_step(Z, p, n_heads, frames)
    return value.tolist(), pullback


RIGHT = [(divided_layer_vjp, step_by_step), (divided_layer_vjp, from_lists)]

WRONG = [
    (divided_layer_vjp, value_alone(divided_layer_vjp), "value, pullback"),
    (divided_layer_vjp, changing(divided_layer_vjp, lambda dZ, dp: (2 * dZ, dp)), "`Z`"),
    (divided_layer_vjp, changing(divided_layer_vjp, lambda dZ, dp: (-dZ, dp)), "`Z`"),
    (divided_layer_vjp, changing(divided_layer_vjp, lambda dZ, dp: (0 * dZ, dp)), "Z"),
    (
        divided_layer_vjp,
        changing(divided_layer_vjp, lambda dZ, dp: (dZ[..., ::-1, :], dp)),
        "`Z`",
    ),
]  # fmt: skip
