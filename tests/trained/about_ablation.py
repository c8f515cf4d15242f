"""What the tests of all ideas ask of `trained/ablation`."""

import numpy as np

from transformer_math.trained.ablation import gate_heads, gate_slopes

RIGHT = [
    (
        gate_heads,
        lambda W, g: np.concatenate([x * w for x, w in zip(g, np.split(W, len(g)))]),
    ),
    (gate_heads, lambda W, g: np.kron(np.diag(g), np.eye(len(W) // len(g))) @ W),
    (
        gate_slopes,
        lambda W, G, H: [np.vdot(w, g) for w, g in zip(np.split(W, H), np.split(G, H))],
    ),
    (gate_slopes, lambda W, G, H: (W * G).sum(axis=1).reshape(H, -1).sum(axis=1)),
]

WRONG = [
    (gate_heads, lambda W, g: W * g.mean(), "it gave"),
    (
        gate_heads,
        lambda W, g: np.repeat(g > 0, len(W) // len(g))[:, None] * W,
        "it gave",
    ),
    (gate_slopes, lambda W, G, H: (W + G).reshape(H, -1).sum(1), "it gave"),
    (
        gate_slopes,
        lambda W, G, H: G.reshape(H, -1).sum(1),
        "You add up the gradient alone",
    ),
    (gate_heads, lambda W, g: W, "You ignore the gates"),
    (
        gate_heads,
        lambda W, g: np.tile(g, len(W) // len(g))[:, None] * W,
        "You gate neighbouring rows in turn",
    ),
    (
        gate_heads,
        lambda W, g: np.repeat(g**2, len(W) // len(g))[:, None] * W,
        "it gave",
    ),
    (gate_slopes, lambda W, G, H: -(W * G).reshape(H, -1).sum(1), "sign"),
    (gate_slopes, lambda W, G, H: (W * G).reshape(H, -1).mean(1), "You take the mean"),
    (gate_slopes, lambda W, G, H: np.abs((W * G).reshape(H, -1).sum(1)), "it gave"),
]
