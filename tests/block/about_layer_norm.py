"""What the tests of all ideas ask of `block/layer_norm`."""

import numpy as np
from example_values import Z, norm

from transformer_math.block import add_norm, layer_norm, pre_norm, relu, residual

EXAMPLES = {
    pre_norm: {
        "x": Z,
        "sublayer": relu,
        "parameters": norm,
        "eps": 1e-3,
    },
    residual: {"x": Z, "update": Z + 1},
}

RIGHT = [
    (
        layer_norm,
        lambda x, p, eps: (
            p.gamma
            * (x - x.mean(-1, keepdims=True))
            / np.sqrt(x.var(-1, keepdims=True) + eps)
            + p.beta
        ),
    ),
    (
        layer_norm,
        lambda x, p, eps=0.00001: layer_norm(x, p, eps).tolist(),
    ),
    (
        add_norm,
        lambda x, update, p, eps=1e-5: layer_norm(update + x, p, eps),
    ),
    (
        add_norm,
        lambda x, update, p, eps: add_norm(update, x, p, eps),
    ),
    (
        pre_norm,
        lambda x, sublayer, p, eps=1e-5: sublayer(layer_norm(x, p, eps)) + x,
    ),
    (
        pre_norm,
        lambda x, f, p, eps: np.add(x, f(layer_norm(x, p, eps))),
    ),
]

WRONG = [
    (
        layer_norm,
        lambda x, p, eps=1e-05: (
            p.gamma
            * (x - x.mean(-1, keepdims=True))
            / np.sqrt(
                (x * x).mean(-1, keepdims=True) - x.mean(-1, keepdims=True) ** 2 + eps
            )
            + p.beta
        ),
        "Subtract the mean first, then square",
    ),
    (
        layer_norm,
        lambda x, p, eps=1e-05: (
            p.gamma
            * (x - x.mean(-1, keepdims=True))
            / np.linalg.norm(x - x.mean(-1, keepdims=True), axis=-1, keepdims=True)
            + p.beta
        ),
        "You divide by the length of the centred vector,",
    ),
    (
        layer_norm,
        lambda x, p, eps=1e-06: layer_norm(x, p, eps),
        "Your function is right where `eps` is given",
    ),
    (layer_norm, lambda x, p, eps=1e-05: layer_norm(x, p), "You ignore `eps`"),
    (
        layer_norm,
        lambda x, p, eps=1e-05: (
            p.gamma
            * (x - x.mean(-1, keepdims=True))
            / np.sqrt(x.var(-1, keepdims=True) + eps)
        ),
        "You forget β",
    ),
    (
        layer_norm,
        lambda x, p, eps=1e-05: (
            p.gamma
            * (
                (x - x.mean(-1, keepdims=True))
                / np.sqrt(x.var(-1, keepdims=True) + eps)
                + p.beta
            )
        ),
        "You add β before you multiply by γ",
    ),
    (
        layer_norm,
        lambda x, p, eps=1e-05: (
            p.gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + p.beta
        ),
        "You take mean and variance of the whole array",
    ),
    (
        layer_norm,
        lambda x, p, eps=1e-05: (
            p.gamma * (x - x.mean(-1)) / np.sqrt(x.var(-1) + eps) + p.beta
        ),
        "NumPy cannot bring two of your shapes together",
    ),
    (layer_norm, lambda x, p, eps=1e-05: layer_norm(x, p, eps**2), "it gave"),
    (
        layer_norm,
        lambda x, p: layer_norm(x, p),
        "Your function takes 2 of 3 arguments",
    ),
    (add_norm, lambda x, u, p, eps=1e-05: layer_norm(x - u, p, eps), "it gave"),
    (
        add_norm,
        lambda x, u, p, eps=1e-05: layer_norm(x, p, eps) + layer_norm(u, p, eps),
        "it gave",
    ),
    (
        add_norm,
        lambda x, u, p, eps=1e-05: layer_norm(x + u, p),
        "You ignore `eps`",
    ),
    (
        add_norm,
        lambda x, u, p, eps=1e-05: x + layer_norm(x + u, p, eps),
        "You add x once more after normalising",
    ),
    (
        add_norm,
        lambda x, u, p, eps=1e-05: layer_norm(x, p, eps),
        "You forget the update",
    ),
    (
        pre_norm,
        lambda x, f, p, eps=1e-05: x + layer_norm(f(x), p, eps),
        "You normalise what comes out of the sublayer",
    ),
    (
        pre_norm,
        lambda x, f, p, eps=1e-05: f(layer_norm(x, p, eps)),
        "You forget the residual",
    ),
    (
        pre_norm,
        lambda x, f, p, eps=1e-05: x + f(x),
        "You forget to normalise what goes into the sublayer",
    ),
    (pre_norm, lambda x, f, p, eps=1e-05: x + layer_norm(x, p, eps), "it gave"),
    (
        pre_norm,
        lambda x, f, p, eps=1e-05: x + f(layer_norm(x, p)),
        "You ignore `eps`",
    ),
]

EQUIVALENT = {
    "layer_norm": {
        "1e-05 → 2e-05": "The default is read once, when the function is made, and cannot be exchanged while it runs; written into the source, it is refused by the first case of the check.",
    },
}

# ---- what the edits of its formula compute, in NumPy, and what is said of those that are recognised ----


def normed(eps_inside=1e-5, eps_outside=0.0, ddof=0, mean=1.0, power=0.5, gamma=1, beta=1, early=0):  # fmt: skip
    def run(x, p):
        centred = x - mean * x.mean(axis=1, keepdims=True)
        variance = (centred**2).sum(axis=1, keepdims=True) / (x.shape[1] - ddof)
        scaled = centred / ((variance + eps_inside) ** power + eps_outside)
        g, b = (p.gamma if gamma else 1.0), (p.beta if beta else 0.0)
        return {"result": g * (scaled + b) if early else g * scaled + b}

    return run


EDITS = {
    "eq-layer-norm": {
        "": (normed(), None),
        "ε outside the root": (normed(eps_inside=0.0, eps_outside=1e-5), 'ε stands outside'),
        "Divide by d − 1": (normed(ddof=1), 'd_model − 1'),
        "Keep the mean": (normed(mean=0.0), 'RMSNorm'),
        "Without the root": (normed(power=1.0), 'divide by the variance'),
        "Without ε": (normed(eps_inside=0.0), 'leave out ε'),
        "Without γ": (normed(gamma=0), 'forget γ:'),
        "Without β": (normed(beta=0), 'forget β:'),
        "β before γ": (normed(early=1), 'add β before'),
    }
}  # fmt: skip
