"""Checks of the gradient of a VQ-VAE, against PyTorch's autograd with what is held fixed detached."""

import numpy as np
import torch

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.gradients import (
    change_pullback,
    doubled,
    negated,
    rejects_pullback,
)
from transformer_math.checks.modalities.vq_vae import (
    frames_and_model,
    loss_in_torch,
    tensors,
)
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import sometimes
from transformer_math.gradient.vq_vae import vq_vae_loss_vjp
from transformer_math.modalities.vq_vae import VqVae


@check(
    vq_vae_loss_vjp,
    equation="eq-vq-vae-loss-vjp",
    wrt=("parameters",),
    symbols={"return": "mathcal:L"},
    oracle="torch.autograd with detach",
)
def vq_vae_pulls_back_as_autograd(vq_vae_loss_vjp, rng):
    X, p = frames_and_model(rng)
    given, beta = sometimes(rng, float(rng.choice([0.0, 0.5, 2.0])), 0.25)
    asked = [x.requires_grad_() for x in tensors(p)]
    loss = loss_in_torch(torch.from_numpy(X), *asked, beta)
    arrives = float(rng.normal())
    found = torch.autograd.grad(loss, asked, torch.tensor(arrives, dtype=torch.float64))
    value, pullback = vq_vae_loss_vjp(X, p, *given)
    (got,) = pullback(arrives)
    wanted = VqVae(*(x.numpy() for x in found))
    return worst((difference(value, loss.item()), difference(got, wanted)))


checked = vq_vae_pulls_back_as_autograd
checked.rejects("Your gradient is twice the one wanted.")(
    change_pullback(vq_vae_loss_vjp, doubled)
)
checked.rejects("Your gradient has the wrong sign.")(
    change_pullback(vq_vae_loss_vjp, negated)
)


def right(dL, X, parameters, beta):
    (found,) = vq_vae_loss_vjp(X, parameters, beta)[1](dL)
    return found


@rejects_pullback(
    checked,
    "The straight-through step is forgotten: your encoder learns from the commitment alone, and never hears what the decoder would need.",
)
def no_way_through(dL, X, parameters, beta):
    g = right(dL, X, parameters, beta)
    only = right(dL, X, VqVae(**{**vars(parameters), "W_d": 0 * parameters.W_d}), beta)
    return (VqVae(only.W_e, only.b_e, g.C, g.W_d, g.b_d),)


@rejects_pullback(
    checked,
    "The straight-through step is taken twice: the encoder gets the decoder’s gradient two times.",
)
def twice_through(dL, X, parameters, beta):
    g = right(dL, X, parameters, beta)
    only = right(dL, X, VqVae(**{**vars(parameters), "W_d": 0 * parameters.W_d}), beta)
    return (VqVae(2 * g.W_e - only.W_e, 2 * g.b_e - only.b_e, g.C, g.W_d, g.b_d),)


@rejects_pullback(
    checked,
    "Codebook and commitment are exchanged: β weighs what moves the encoder; the codes move with weight 1.",
)
def exchanged(dL, X, parameters, beta):
    g = right(dL, X, parameters, beta)
    full = right(dL, X, parameters, 1.0)
    return (VqVae(full.W_e, full.b_e, beta * g.C, g.W_d, g.b_d),)


@rejects_pullback(checked, "The codes get no gradient in your version.")
def codes_forgotten(dL, X, parameters, beta):
    g = right(dL, X, parameters, beta)
    return (VqVae(g.W_e, g.b_e, np.zeros_like(g.C), g.W_d, g.b_d),)


@rejects_pullback(checked, "The encoder gets nothing of the commitment loss.")
def without_commitment(dL, X, parameters, beta):
    g, free = right(dL, X, parameters, beta), right(dL, X, parameters, 0.0)
    return (VqVae(free.W_e, free.b_e, g.C, g.W_d, g.b_d),)
