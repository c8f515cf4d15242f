"""Checks of gates on heads: against PyTorch's attention, head by head, and against autograd."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.trained.ablation import gate_heads, gate_slopes


@check(
    gate_heads,
    equation="eq-gated-heads",
    oracle="torch.einsum of gates, outputs of heads and their matrices",
)
def gated_equals_einsum(gate_heads, rng):
    H, d_v, d_model, n = (size(rng) for _ in range(4))
    W_O, O = rng.normal(size=(H * d_v, d_model)), rng.normal(size=(H, n, d_v))
    gates = rng.choice([0.0, 1.0, rng.normal()], size=H)
    wanted = torch.einsum(
        "h,hnv,hvd->nd",
        *map(torch.from_numpy, (gates, O, W_O.reshape(H, d_v, d_model))),
    )
    side_by_side = np.swapaxes(O, 0, 1).reshape(n, H * d_v)
    return difference(side_by_side @ gate_heads(W_O, gates), wanted)


@gated_equals_einsum.rejects(
    "You gate neighbouring rows in turn; the rows of one head stand together: np.repeat, not np.tile."
)
def gates_in_turn(W_O, gates):
    return np.tile(gates, len(W_O) // len(gates))[:, None] * W_O


@gated_equals_einsum.rejects(
    "Your gates are the wrong way round: 1 leaves a head as it is, 0 removes it."
)
def closed_for_open(W_O, gates):
    return gate_heads(W_O, 1 - gates)


@gated_equals_einsum.rejects("You ignore the gates.")
def ungated(W_O, gates):
    return W_O.copy()


@gated_equals_einsum.rejects(
    "You share the gates out as softmax would; each head has a gate of its own, whatever the others are."
)
def shared_out(W_O, gates):
    return gate_heads(W_O, gates / max(np.abs(gates).sum(), 1e-9))


@gated_equals_einsum.rejects(
    "You open or close heads altogether; a gate of 0.5 lets half through."
)
def open_or_closed(W_O, gates):
    return gate_heads(W_O, (gates != 0).astype(float))


@check(
    gate_slopes,
    equation="eq-gate-slopes",
    oracle="torch.autograd with a gate on each head",
)
def slopes_equal_autograd(gate_slopes, rng):
    H, d_v, d_model, n = (size(rng) for _ in range(4))
    W_O, O = rng.normal(size=(H * d_v, d_model)), rng.normal(size=(H, n, d_v))
    wanted = torch.from_numpy(rng.normal(size=(n, d_model)))
    W = torch.from_numpy(W_O).requires_grad_()
    gates = torch.ones(H, dtype=torch.float64, requires_grad=True)
    heads = torch.from_numpy(O) @ W.view(H, d_v, d_model)
    loss = (((gates[:, None, None] * heads).sum(0) - wanted) ** 2).sum()
    dW, slopes = torch.autograd.grad(loss, [W, gates])
    return difference(gate_slopes(W_O, dW.numpy(), H), slopes)


@slopes_equal_autograd.rejects(
    "You add up the gradient alone; a gate scales the matrix, so each entry of the gradient counts as much as the matrix has there."
)
def gradient_alone(W_O, gradient, n_heads):
    return gradient.reshape(n_heads, -1).sum(axis=1)


@slopes_equal_autograd.rejects(
    "You take absolute values before you add: a head's entries may cancel each other."
)
def absolute_entries(W_O, gradient, n_heads):
    return np.abs(W_O * gradient).reshape(n_heads, -1).sum(axis=1)


@slopes_equal_autograd.rejects(
    "You take each head's share from the columns; a head has rows of W_O, its columns are all heads' alike."
)
def neighbouring_rows(W_O, gradient, n_heads):
    return (W_O * gradient).reshape(-1, n_heads, W_O.shape[1]).sum(axis=(0, 2))


@slopes_equal_autograd.rejects(
    "You take the mean; a slope is the sum over the head's entries."
)
def mean_of_entries(W_O, gradient, n_heads):
    return (W_O * gradient).reshape(n_heads, -1).mean(axis=1)
