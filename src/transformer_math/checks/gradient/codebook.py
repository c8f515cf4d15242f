"""Checks of the gradients around a codebook: PyTorch's autograd with `detach`, and differences in the one argument that may move."""

import numpy as np
import torch

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.gradients import (
    change_pullback,
    doubled,
    dropped,
    negated,
    rejects_pullback,
)
from transformer_math.checks.modalities.codebook import (
    first_nearest,
    mean_square,
    vectors_and_codes,
)
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, size
from transformer_math.gradient.codebook import (
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
    stop_gradient_vjp,
)

STEP = 1e-6


def tracked(*arrays):
    return [torch.tensor(x, requires_grad=True) for x in arrays]


def compared(twin, inputs, value, tensors, rng):
    """A twin beside a value that PyTorch computed from tensors; what PyTorch found no way to gets 0."""
    shape = tuple(value.shape)
    gradient = rng.normal(size=shape) if shape else float(rng.normal())
    found = torch.autograd.grad(
        value + 0 * sum(t.sum() for t in tensors),
        tensors,
        torch.tensor(gradient, dtype=torch.float64),
    )
    got, pullback = twin(*inputs)
    before = np.copy(gradient)
    gradients = pullback(gradient)
    return worst(
        (
            difference(got, value),
            difference(gradients, tuple(found)),
            difference(gradient, before if shape else float(before)),
        )
    )


@check(
    stop_gradient_vjp,
    equation="eq-stop-gradient-vjp",
    wrt=("x",),
    symbols={"return": "y"},
    oracle="torch.Tensor.detach",
)
def stopping_pulls_back_nothing(stop_gradient_vjp, rng):
    x = rng.normal(size=(*batch(rng), size(rng)))
    tensors = tracked(x)
    return compared(stop_gradient_vjp, (x,), tensors[0].detach(), tensors, rng)


@rejects_pullback(
    stopping_pulls_back_nothing,
    "The gradient passes as if nothing stood there: stopping it means that 0 comes back.",
)
def let_through(dy, x):
    return (dy.copy(),)


@rejects_pullback(
    stopping_pulls_back_nothing,
    "You turn the gradient around; that is gradient reversal. Stopped means 0.",
)
def turned_around(dy, x):
    return (-dy,)


@check(
    quantise_vjp,
    equation="eq-quantise-vjp",
    wrt=("Z", "C"),
    symbols={"return": "Q"},
    oracle="torch.autograd through Z + (Q − Z).detach()",
)
def codes_pull_back_straight_through(quantise_vjp, rng):
    Z, C = vectors_and_codes(rng)
    tensors = Z_, C_ = tracked(Z, C)
    Q = C_[torch.from_numpy(first_nearest(Z, C))]
    value = Z_ + (Q - Z_).detach()
    return compared(quantise_vjp, (Z, C), value, tensors, rng)


straight = codes_pull_back_straight_through
straight.rejects(
    "Your gradient is twice the one wanted: it passes straight through once."
)(change_pullback(quantise_vjp, doubled))
straight.rejects("Your gradient has the wrong sign.")(
    change_pullback(quantise_vjp, negated)
)
straight.rejects(
    "The straight-through step is forgotten: the choice of a code is flat almost everywhere, so its true gradient is 0, and the encoder would learn nothing from the decoder."
)(change_pullback(quantise_vjp, dropped(0)))


@rejects_pullback(
    straight,
    "You send the gradient to the codes that were looked up, as an embedding would; here it goes past them to the vectors.",
)
def as_a_lookup(dQ, Z, C):
    dC = np.zeros_like(C)
    np.add.at(dC, first_nearest(Z, C).ravel(), dQ.reshape(-1, C.shape[1]))
    return np.zeros_like(Z), dC


@rejects_pullback(
    straight,
    "The vectors get theirs, and the codes a gradient, too: in VQ-VAE the decoder does not move the codes; the codebook loss does.",
)
def to_both(dQ, Z, C):
    return dQ.copy(), as_a_lookup(dQ, Z, C)[1]


@rejects_pullback(
    straight,
    "You scale the gradient by how well the code fits; straight through means unchanged.",
)
def scaled_by_fit(dQ, Z, C):
    apart = np.square(Z - C[first_nearest(Z, C)]).sum(-1, keepdims=True)
    return dQ / (1 + apart), np.zeros_like(C)


def check_one_sided(twin, equation, symbol, moves):
    """A loss of which one side is held fixed: autograd with `detach`, and differences along the other side."""

    def detached(twin, rng):
        Z, C = vectors_and_codes(rng)
        tensors = Z_, C_ = tracked(Z, C)
        Q = C_[torch.from_numpy(first_nearest(Z, C))]
        one, other = (Z_, Q.detach()) if moves == "Z" else (Z_.detach(), Q)
        value = (one - other).square().sum(-1).mean()
        return compared(twin, (Z, C), value, tensors, rng)

    def moved(twin, rng):
        Z, C = vectors_and_codes(rng, ties=0)
        way = {"Z": np.zeros_like(Z), "C": np.zeros_like(C)}
        way[moves] = rng.normal(size=way[moves].shape)
        there, back = (
            mean_square(Z + s * way["Z"], C + s * way["C"]) for s in (STEP, -STEP)
        )
        dZ, dC = twin(Z, C)[1](1.0)
        along = np.sum(dZ * way["Z"]) + np.sum(dC * way["C"])
        return difference(float(along), (there - back) / (2 * STEP))

    made = []
    for case, oracle, close in (
        (detached, "torch.autograd with detach", 1e-10),
        (moved, "finite differences along the side that moves", 1e-7),
    ):
        case.__name__ = f"{twin.__name__}_{case.__name__}"
        found = check(
            twin,
            equation,
            oracle,
            tolerance=close,
            wrt=("Z", "C"),
            symbols={"return": symbol},
        )(case)
        found.rejects("Your gradient is twice the one wanted.")(
            change_pullback(twin, doubled)
        )
        found.rejects("Your gradient has the wrong sign.")(
            change_pullback(twin, negated)
        )
        made.append(found)
    return made


code_detached, code_moved = check_one_sided(
    codebook_loss_vjp, "eq-codebook-loss-vjp", "mathcal:L^code", "C"
)
commit_detached, commit_moved = check_one_sided(
    commitment_loss_vjp, "eq-commitment-loss-vjp", "mathcal:L^commit", "Z"
)


@rejects_pullback(
    code_detached,
    "This is the commitment loss: it moves the vectors. The codebook loss holds them fixed, and moves the codes.",
)
def commitment_for_codebook(dL, Z, C):
    return commitment_loss_vjp(Z, C)[1](dL)


@rejects_pullback(
    code_detached,
    "Nothing is held fixed in your version: both sides move. The gradient of the vectors is stopped.",
)
def nothing_stopped(dL, Z, C):
    return commitment_loss_vjp(Z, C)[1](dL)[0], codebook_loss_vjp(Z, C)[1](dL)[1]


@rejects_pullback(
    code_detached,
    "A code that several vectors chose gets the gradient of the last of them alone: `dC[ids] = …` overwrites. Add them up.",
)
def last_vector_alone(dL, Z, C):
    ids, rows = first_nearest(Z, C).ravel(), Z.reshape(-1, C.shape[1])
    dC = np.zeros_like(C)
    dC[ids] = 2 / len(ids) * dL * (C[ids] - rows)
    return np.zeros_like(Z), dC


@rejects_pullback(
    code_detached,
    "You divide by how many vectors chose the code; the loss is a mean over all n vectors, so divide by n.",
)
def mean_of_its_own(dL, Z, C):
    _, dC = codebook_loss_vjp(Z, C)[1](dL)
    ids = first_nearest(Z, C).ravel()
    counts = np.maximum(np.bincount(ids, minlength=len(C)), 1)
    return np.zeros_like(Z), dC * len(ids) / counts[:, None]


@rejects_pullback(
    code_detached,
    "The gradient that arrives is lost: multiply by dL.",
)
def without_the_arriving(dL, Z, C):
    return codebook_loss_vjp(Z, C)[1](1.0)


@rejects_pullback(
    commit_detached,
    "This is the codebook loss: it moves the codes. The commitment loss holds them fixed, and moves the vectors.",
)
def codebook_for_commitment(dL, Z, C):
    return codebook_loss_vjp(Z, C)[1](dL)


@rejects_pullback(
    commit_detached,
    "Nothing is held fixed in your version: both sides move. The gradient of the codes is stopped.",
)
def nothing_stopped_either(dL, Z, C):
    return nothing_stopped(dL, Z, C)


@rejects_pullback(
    commit_detached,
    "The mean over the vectors is missing: divide by n.",
)
def without_the_mean(dL, Z, C):
    dZ, dC = commitment_loss_vjp(Z, C)[1](dL)
    return dZ * (Z.size // Z.shape[-1]), dC


@rejects_pullback(
    commit_detached,
    "The gradient that arrives is lost: multiply by dL.",
)
def without_the_arriving_either(dL, Z, C):
    return commitment_loss_vjp(Z, C)[1](1.0)


@rejects_pullback(
    commit_detached,
    "You divide by all entries; the loss is a mean of squared lengths, so divide by the number of vectors alone.",
)
def divided_by_entries(dL, Z, C):
    dZ, dC = commitment_loss_vjp(Z, C)[1](dL)
    return dZ / Z.shape[-1], dC
