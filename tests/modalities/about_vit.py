"""What the tests of all ideas ask of `modalities/vit`; `tests/abouts.py` explains the names."""

import numpy as np
from example_values import model, norm, normal, vector

from transformer_math.attention import causal_mask
from transformer_math.block import encoder_layer_pre_norm, layer_norm
from transformer_math.modalities import (
    ViTParameters,
    accuracy,
    attention_rollout,
    vit_attention,
    vit_input,
    vit_logits,
)

EXAMPLES = {
    vit_attention: {
        "X": normal(2, 4, 1),
        "patch_size": 2,
        "parameters": ViTParameters(
            E=normal(4, 4),
            x_class=vector,
            P=normal(3, 4),
            layers=model.layers,
            norm=norm,
            W_out=normal(4, 5),
            b_out=normal(5),
        ),
        "n_heads": 2,
        "mask": causal_mask(3),
    },
}

ACCEPTED = {
    vit_logits: {"X": {"longer"}},
    vit_attention: {"X": {"longer"}},
    accuracy: {"logits": {"longer"}},  # more classes
}

NO_TWIN = {
    vit_attention: "it looks at a model; vit_logits_vjp has the gradients of what it computes on the way",
    attention_rollout: "it looks at a model, and nothing learns through it",
    accuracy: "it jumps, and is flat in between; what is trained is the cross-entropy",
}


def row_by_row(A):
    """From the last layer down: the row of a token, times the matrix of one layer after the other."""
    n = A.shape[-1]
    rows = np.broadcast_to(np.eye(n), (*A.shape[:-4], n, n))
    for l in reversed(range(A.shape[-4])):
        rows = rows @ (0.5 * np.eye(n) + 0.5 * A[..., l, :, :, :].mean(axis=-3))
    return rows


def layer_by_layer(X, patch_size, p, n_heads, mask=None):
    Z = vit_input(X, patch_size, p.E, p.x_class, p.P)
    for layer in p.layers:
        Z = encoder_layer_pre_norm(Z, layer, n_heads, mask)
    return layer_norm(Z[..., 0, :], p.norm) @ p.W_out + p.b_out


RIGHT = [
    (attention_rollout, row_by_row),
    (attention_rollout, lambda A: row_by_row(A).tolist()),
    (vit_logits, layer_by_layer),
    (vit_logits, lambda *arguments: layer_by_layer(*arguments).tolist()),
    (accuracy, lambda logits, y: float(np.mean(np.argmax(logits, axis=1) == y))),
    (
        accuracy,
        lambda logits, y: (
            sum(int(row.tolist().index(row.max()) == k) for row, k in zip(logits, y))
            / len(y)
        ),
    ),
]

WRONG = [
    (attention_rollout, lambda A: row_by_row(A)[..., ::-1], "it gave"),
    (attention_rollout, lambda A: row_by_row(A) ** 2, "it gave"),
    (attention_rollout, lambda A: row_by_row(A[..., :1, :, :]), "it gave"),
    (attention_rollout, lambda A: A.mean(axis=(-4, -3)), "it gave"),
    (attention_rollout, lambda A: row_by_row(A) / 2, "times 0.5"),
    (vit_logits, lambda *a: -layer_by_layer(*a), "sign"),
    (vit_logits, lambda *a: layer_by_layer(*a)[..., ::-1], "it gave"),
    (vit_logits, lambda X, *a: layer_by_layer(0 * X, *a), "it gave"),
    (vit_logits, lambda X, *a: layer_by_layer(X / 16, *a), "it gave"),
    (
        vit_logits,
        lambda *a: np.exp(layer_by_layer(*a)),
        "it gave",
    ),
    (accuracy, lambda logits, y: 100 * row_share(logits, y), "it gave"),
    (accuracy, lambda logits, y: row_share(logits, y) ** 2, "it gave"),
    (accuracy, lambda logits, y: row_share(np.abs(logits), y), "it gave"),
    (accuracy, lambda logits, y: row_share(logits[::-1], y), "it gave"),
    (accuracy, lambda logits, y: 1.0, "it gave"),
]


def row_share(logits, y):
    return float(np.mean(np.argmax(logits, axis=1) == y))


EQUIVALENT = {
    "accuracy": {
        "labels.max() < logits.shape[-1] → labels.max() < logits.shape[1]": "The scores are a matrix: its last axis is 1.",
    },
}
