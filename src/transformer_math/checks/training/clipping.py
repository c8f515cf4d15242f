"""Checks of the length of the gradients, and of its bound."""

import numpy as np
import torch

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.edges import squares_overflow, squares_vanish
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import HUGE, TINY, longest, size, smallest
from transformer_math.training.clipping import clip_by_norm, global_norm
from transformer_math.trees import leaves, map_leaves


def drawn(rng):
    scale = 10 ** rng.uniform(-1, 1)
    shapes = {"W": (size(rng), size(rng)), "b": (size(rng),)}
    return {name: scale * rng.normal(size=shape) for name, shape in shapes.items()}


def times(scale, tree):
    return map_leaves(lambda g: scale * g, tree)


def tensors_of(gradients):
    tensors = [torch.zeros(g.shape, dtype=torch.float64) for g in gradients.values()]
    for tensor, gradient in zip(tensors, gradients.values()):
        tensor.grad = torch.from_numpy(gradient.copy())
    return tensors


@check(global_norm, equation="eq-global-norm", oracle="torch.nn.utils.clip_grad_norm_")
def norm_equals_torch(global_norm, rng):
    gradients = drawn(rng)
    wanted = torch.nn.utils.clip_grad_norm_(tensors_of(gradients), 1.0)
    return worst(
        difference(global_norm(times(scale, gradients)) / scale, float(wanted))
        for scale in ((HUGE, TINY) if longest() else (1.0,))
    )


norm_equals_torch.visits(
    "squares that overflow", lambda gradients: squares_overflow(gradients)
)
norm_equals_torch.visits(
    "squares that vanish", lambda gradients: squares_vanish(gradients)
)


@norm_equals_torch.rejects(
    "You forget the root: the length is the root of the sum of squares."
)
def squared(gradients):
    return sum(float((g * g).sum()) for g in leaves(gradients).values())


@norm_equals_torch.rejects(
    "You add the lengths of the arrays: their squares add, and the root comes last."
)
def added(gradients):
    return sum(float(np.linalg.norm(g)) for g in leaves(gradients).values())


@norm_equals_torch.rejects(
    "That is the length of the longest array alone: all of them count, as one vector."
)
def longest_alone(gradients):
    return max(float(np.linalg.norm(g)) for g in leaves(gradients).values())


def plain_norm(gradients):
    """The length as the formula has it, whose squares overflow for large numbers and vanish for small ones."""
    return float(np.sqrt(sum((g * g).sum() for g in leaves(gradients).values())))


@norm_equals_torch.rejects(
    "Your squares overflow for gradients such as 10²⁰⁰, and vanish for 10⁻²⁰⁰: divide by the largest entry first, and multiply the root by it."
)
def squared_as_they_are(gradients):
    return plain_norm(gradients)


@check(
    clip_by_norm,
    equation="eq-clipping",
    oracle="torch.nn.utils.clip_grad_norm_, without the 10⁻⁶ that it adds to the length",
)
def clipping_equals_torch(clip_by_norm, rng):
    gradients = drawn(rng)
    if rng.random() < 0.15 and not (smallest() or longest()):
        gradients = map_leaves(np.zeros_like, gradients)
    length = np.sqrt(sum((g * g).sum() for g in gradients.values()))
    most = 0.9 if longest() else 2
    largest = float(length * rng.uniform(0.3, most) + 0.5 * (most > 1))
    tensors = tensors_of(gradients)
    torch.nn.utils.clip_grad_norm_(tensors, largest)
    added = (length + 1e-6) / length if length > largest else 1.0
    wanted = {name: added * one.grad for name, one in zip(gradients, tensors)}
    scale = HUGE if longest() else 1.0  # what is too long is clipped to the same
    return difference(clip_by_norm(times(scale, gradients), largest), wanted)


clipping_equals_torch.visits(
    "gradients that are zero", lambda gradients: global_norm(gradients) == 0
)
clipping_equals_torch.visits(
    "squares that overflow", lambda gradients: squares_overflow(gradients)
)


@clipping_equals_torch.rejects(
    "You divide by the length, and gradients of zero have none: ask first whether they are too long at all.",
    raises=True,
)
def divided_by_zero(gradients, largest):
    factor = min(1.0, largest / float(global_norm(gradients)))
    return map_leaves(lambda g: g * factor, gradients)


@clipping_equals_torch.rejects(
    "You add 10⁻⁶ to the length, as PyTorch does lest it divide by 0: the factor is c / ‖g‖, and gradients of zero are not too long."
)
def with_a_small_number(gradients, largest):
    factor = min(1.0, largest / (global_norm(gradients) + 1e-6))
    return map_leaves(lambda g: g * factor, gradients)


@clipping_equals_torch.rejects(
    "You always make the gradients that long: short ones stay as they are."
)
def always(gradients, largest):
    factor = largest / global_norm(gradients)
    return map_leaves(lambda g: g * factor, gradients)


@clipping_equals_torch.rejects(
    "You always make the gradients that long, and make NaN of zeros: short ones stay as they are."
)
def always_and_nan(gradients, largest):
    norm = global_norm(gradients)
    with np.errstate(invalid="ignore"):
        return map_leaves(lambda g: g * largest / norm, gradients)


@clipping_equals_torch.rejects(
    "You cut every number by itself, which changes the direction: one factor shortens all of them."
)
def by_value(gradients, largest):
    return map_leaves(lambda g: np.clip(g, -largest, largest), gradients)


@clipping_equals_torch.rejects(
    "You measure by the largest entry; the length is the root of the sum of all squares."
)
def by_the_largest_entry(gradients, largest):
    top = max(np.abs(g).max() for g in leaves(gradients).values())
    return map_leaves(lambda g: g * min(1.0, largest / max(top, 1e-300)), gradients)


@clipping_equals_torch.rejects(
    "You clip each array by its own length: it is the length of all of them together that counts."
)
def each_by_itself(gradients, largest):
    return map_leaves(
        lambda g: g * min(1.0, largest / max(np.linalg.norm(g), 1e-300)), gradients
    )


@clipping_equals_torch.rejects("You do not clip at all.")
def unclipped(gradients, largest):
    return gradients


@clipping_equals_torch.rejects(
    "You lengthen short gradients and leave long ones: the factor is at most 1, min(1, c / length)."
)
def lengthened(gradients, largest):
    factor = max(1.0, largest / global_norm(gradients))
    return map_leaves(lambda g: factor * g, gradients)


@clipping_equals_torch.rejects("Your quotient is upside down: c / length.")
def upside_down(gradients, largest):
    factor = min(1.0, global_norm(gradients) / largest)
    return map_leaves(lambda g: factor * g, gradients)


@clipping_equals_torch.rejects("You divide by the square of the length: take its root.")
def by_the_square(gradients, largest):
    factor = min(1.0, largest / global_norm(gradients) ** 2)
    return map_leaves(lambda g: factor * g, gradients)


@clipping_equals_torch.rejects(
    "Short gradients become 0 in your version: they stay as they are."
)
def short_ones_lost(gradients, largest):
    length = global_norm(gradients)
    return map_leaves(lambda g: (length > largest) * g * largest / length, gradients)


@clipping_equals_torch.rejects(
    "Your squares overflow for gradients such as 10²⁰⁰, and the length is infinite: divide by the largest entry before you square, or take global_norm."
)
def by_the_plain_norm(gradients, largest):
    norm = plain_norm(gradients)
    return times(largest / norm, gradients) if norm > largest else gradients
