"""Checks of the pullback of dropout."""

import numpy as np
import torch

from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.checks.sampling import or_edge, size, tokens
from transformer_math.gradient.dropout import dropout_vjp


def numbers_and_mask(rng):
    x = tokens(rng, size(rng), size(rng))
    p = or_edge(rng, 0.0, rng.uniform(0.05, 0.95))
    return x, rng.random(x.shape) >= p, p


dropout_as_autograd, dropout_as_differences = check_gradient(
    dropout_vjp,
    equation="eq-dropout-vjp",
    symbols={"return": "y", "kept": "M"},
    function=lambda x, kept, p: torch.where(
        torch.from_numpy(kept), x / (1 - p), torch.zeros_like(x)
    ),
    draw=numbers_and_mask,
    wrt=("x",),
)


@rejects_pullback(
    dropout_as_autograd,
    "Your gradient passes everywhere: where a number was dropped it moved nothing, so its gradient is 0.",
)
def mask_forgotten(dy, x, kept, p):
    return (dy / (1 - p),)


@rejects_pullback(
    dropout_as_autograd,
    "Your pullback draws its mask anew: it has to be the one of the forward pass.",
)
def mask_drawn_anew(dy, x, kept, p):
    drawn = np.random.default_rng(0).random(dy.shape) >= p
    return (dy * drawn / (1 - p),)


@rejects_pullback(
    dropout_as_autograd,
    "The factor 1 / (1 - p) is lost on the way back.",
)
def factor_lost(dy, x, kept, p):
    return (dy * kept,)


@rejects_pullback(
    dropout_as_differences,
    "You multiply by 1 - p on the way back; a factor on the way there is the same factor on the way back, 1 / (1 - p).",
)
def factor_undone(dy, x, kept, p):
    return (dy * kept * (1 - p),)


@rejects_pullback(
    dropout_as_differences,
    "You send the gradient to what was dropped: it belongs to what was kept.",
)
def to_the_dropped(dy, x, kept, p):
    return (dy * ~kept / (1 - p),)


@rejects_pullback(
    dropout_as_differences,
    "You look for what was dropped by `y == 0`, and scale by p: the mask and 1 - p say it.",
)
def scaled_by_p(dy, x, kept, p):
    return (dy * kept / max(p, 1e-300),)
