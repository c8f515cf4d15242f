"""Checks of TS2Vec's loss, against PyTorch's cross-entropy over written-out candidates."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    few,
    longest,
    size,
    small_batch,
    sometimes,
)
from transformer_math.modalities.series_contrast import (
    contrast,
    dual_contrast,
    halve_time,
    hierarchical_contrast,
)


def two_views(rng):
    """The vectors of some moments in two views, after random batch axes."""
    shape = *small_batch(rng), size(rng), few(rng)
    return rng.normal(size=shape), rng.normal(size=shape)


def batch_of_views(rng):
    """The vectors of a few series in two views."""
    shape = few(rng), size(rng), few(rng)
    return rng.normal(size=shape), rng.normal(size=shape)


def torch_contrast(R, S):
    """For each row the cross-entropy of its partner among candidates: all rows of S, and those rows of R that are not itself."""
    n = R.shape[-2]
    others = [[u for u in range(n) if u != t] for t in range(n)]
    losses = []
    for t in range(n):
        candidates = torch.cat([S, R[..., others[t], :]], dim=-2)
        scores = (candidates * R[..., t, None, :]).sum(-1)
        rows = scores.reshape(-1, scores.shape[-1])
        partner = torch.full((len(rows),), t)
        lost = torch.nn.functional.cross_entropy(rows, partner, reduction="none")
        losses.append(lost.reshape(scores.shape[:-1]))
    return torch.stack(losses).mean()


def torch_dual(R, S, alpha=0.5):
    """Both contrasts, from the written-out candidates."""
    temporal = torch_contrast(R, S)
    instance = torch_contrast(R.transpose(0, 1), S.transpose(0, 1))
    return (1 - alpha) * temporal + alpha * instance


def torch_halved(R):
    """PyTorch's pooling, which wants moments last."""
    halved = torch.nn.functional.max_pool1d(R.reshape(-1, *R.shape[-2:]).mT, 2).mT
    return halved.reshape(*R.shape[:-2], *halved.shape[-2:])


def torch_hierarchical(R, S, alpha=0.5):
    """The mean over the levels."""
    levels = [torch_dual(R, S, alpha)]
    while R.shape[1] > 1:
        R, S = torch_halved(R), torch_halved(S)
        levels.append(torch_dual(R, S, alpha))
    return torch.stack(levels).mean()


@check(
    contrast,
    equation="eq-contrast",
    oracle="torch.nn.functional.cross_entropy over written-out candidates",
)
def contrast_equals_cross_entropy(contrast, rng):
    R, S = two_views(rng)
    if longest():  # exp of another row's scores is 0 beside these, or beyond all floats
        R, S = R * 100, S * 100
    return difference(contrast(R, S), torch_contrast(*map(torch.from_numpy, (R, S))))


def summed(R, S, own, over="mean"):
    """The contrast, with other scores between the rows of R."""
    with_S, with_R = R @ np.swapaxes(S, -1, -2), own(R @ np.swapaxes(R, -1, -2))
    scores = np.concatenate([with_S, with_R], axis=-1)
    lost = np.log(np.exp(scores).sum(axis=-1)) - (R * S).sum(axis=-1)
    return getattr(lost, over)()


def without_diagonal(scores):
    return np.where(np.eye(scores.shape[-1], dtype=bool), -np.inf, scores)


@contrast_equals_cross_entropy.rejects(
    "You contrast each row with itself: its dot product with itself is large, and no partner can beat it. Leave it out of the sum."
)
def with_itself(R, S):
    return summed(R, S, lambda scores: scores)


@contrast_equals_cross_entropy.rejects(
    "You contrast with the other view alone: the other rows of the own view belong into the sum as well."
)
def other_view_alone(R, S):
    return summed(R, S, lambda scores: np.full_like(scores, -np.inf))


@contrast_equals_cross_entropy.rejects(
    "The partner is missing in your denominator: all rows of S belong there, the partner too."
)
def partner_not_among_them(R, S):
    with_S, with_R = (R @ np.swapaxes(Q, -1, -2) for Q in (S, R))
    scores = np.concatenate([with_S, without_diagonal(with_R)], axis=-1)
    own = np.exp((R * S).sum(axis=-1))
    return (np.log(np.exp(scores).sum(axis=-1) - own + 1e-9) - np.log(own)).mean()


@contrast_equals_cross_entropy.rejects(
    "You divide by the lengths: TS2Vec takes plain dot products, not cosines."
)
def cosines(R, S):
    return contrast(*(Q / np.linalg.norm(Q, axis=-1, keepdims=True) for Q in (R, S)))


@contrast_equals_cross_entropy.rejects(
    "Your loss has the wrong sign: the better the partner is found, the smaller it is."
)
def wrong_sign(R, S):
    return -contrast(R, S)


@contrast_equals_cross_entropy.rejects("You add over the rows: wanted their mean.")
def added_up(R, S):
    return summed(R, S, without_diagonal, over="sum")


@contrast_equals_cross_entropy.rejects(
    "You look from S for partners in R: wanted from R for partners in S."
)
def from_the_other_side(R, S):
    return contrast(S, R)


@check(
    dual_contrast,
    equation="eq-dual-contrast",
    oracle="torch.nn.functional.cross_entropy over written-out candidates",
    cases=25,
)
def dual_equals_torch(dual_contrast, rng):
    R, S = batch_of_views(rng)
    given, alpha = sometimes(rng, float(rng.choice([0.0, 0.3, 0.8, 1.0])), 0.5)
    wanted = torch_dual(*map(torch.from_numpy, (R, S)), alpha)
    return difference(dual_contrast(R, S, *given), wanted)


@dual_equals_torch.rejects(
    "Your weights are exchanged: alpha is that of the contrast among series."
)
def weights_exchanged(R, S, alpha=0.5):
    return dual_contrast(R, S, 1 - alpha)


@dual_equals_torch.rejects(
    "You contrast moments only; the series of the batch are to be told apart, too."
)
def temporal_alone(R, S, alpha=0.5):
    return dual_contrast(R, S, 0.0)


@dual_equals_torch.rejects(
    "You contrast series only; the moments of each are to be told apart, too."
)
def instance_alone(R, S, alpha=0.5):
    return dual_contrast(R, S, 1.0)


@dual_equals_torch.rejects("You add the two contrasts without their weights.")
def no_weights(R, S, alpha=0.5):
    return 2 * dual_contrast(R, S, 0.5)


@check(
    halve_time,
    equation="eq-halve-time",
    oracle="torch.nn.functional.max_pool1d",
)
def halves_equal_pooling(halve_time, rng):
    R = rng.normal(size=(*small_batch(rng), size(rng, at_least=2), few(rng)))
    return difference(halve_time(R), torch_halved(torch.from_numpy(R)))


halves_equal_pooling.excuses("one moment has no neighbour", "n = 1")


@halves_equal_pooling.rejects("You take the mean of two neighbours: wanted the larger.")
def mean_of_two(R):
    even = R.shape[-2] // 2 * 2
    return (R[..., 0:even:2, :] + R[..., 1:even:2, :]) / 2


@halves_equal_pooling.rejects(
    "Your pairs overlap: moments 0 and 1 make one, moments 2 and 3 the next."
)
def pairs_overlap(R):
    return np.maximum(R[..., :-1, :], R[..., 1:, :])[..., : R.shape[-2] // 2, :]


@halves_equal_pooling.rejects("You drop every other moment without looking at it.")
def every_other(R):
    return R[..., 0 : R.shape[-2] // 2 * 2 : 2, :]


@halves_equal_pooling.rejects("You take the smaller of two neighbours.")
def smaller_of_two(R):
    return -halve_time(-R)


@halves_equal_pooling.rejects(
    "An odd moment at the end stays in your version: it has no neighbour, and is dropped."
)
def odd_one_kept(R):
    odd = [R[..., -1:, :]] if R.shape[-2] % 2 else []
    return np.concatenate([halve_time(R), *odd], axis=-2)


@halves_equal_pooling.rejects(
    "You take the larger number of each pair by size without sign: wanted the larger number."
)
def larger_without_sign(R):
    even = R.shape[-2] // 2 * 2
    a, b = R[..., 0:even:2, :], R[..., 1:even:2, :]
    return np.where(np.abs(a) > np.abs(b), a, b)


@check(
    hierarchical_contrast,
    equation="eq-hierarchical-contrast",
    oracle="torch.nn.functional.cross_entropy and max_pool1d, level by level",
    cases=25,
)
def hierarchy_equals_torch(hierarchical_contrast, rng):
    R, S = batch_of_views(rng)
    given, alpha = sometimes(rng, float(rng.choice([0.0, 0.3, 0.8, 1.0])), 0.5)
    wanted = torch_hierarchical(*map(torch.from_numpy, (R, S)), alpha)
    return difference(hierarchical_contrast(R, S, *given), wanted)


def over_levels(R, S, alpha, halved=halve_time, last=1):
    """The dual contrasts of all levels, with another pooling or without the last ones."""
    levels = [dual_contrast(R, S, alpha)]
    while R.shape[1] > last:
        R, S = halved(R), halved(S)
        levels.append(dual_contrast(R, S, alpha))
    return levels


@hierarchy_equals_torch.rejects(
    "You look at the finest level only: pool, and contrast again, until one vector is left."
)
def finest_alone(R, S, alpha=0.5):
    return dual_contrast(R, S, alpha)


@hierarchy_equals_torch.rejects("You add the levels up: wanted their mean.")
def levels_added(R, S, alpha=0.5):
    return sum(over_levels(R, S, alpha))


@hierarchy_equals_torch.rejects(
    "Your last level, where each series is one vector, is missing: there the series are still told apart."
)
def last_level_missing(R, S, alpha=0.5):
    levels = over_levels(R, S, alpha)
    return np.mean(levels[:-1] or levels)


@hierarchy_equals_torch.rejects(
    "You pool with the mean; wanted the larger of two neighbours."
)
def pooled_with_the_mean(R, S, alpha=0.5):
    return np.mean(over_levels(R, S, alpha, halved=mean_of_two))


@hierarchy_equals_torch.rejects("Your alpha is always one half.")
def always_half(R, S, alpha=0.5):
    return hierarchical_contrast(R, S)
