"""What the tests of all ideas ask of `gradient/series_contrast`."""

import numpy as np
import torch
from answer_helpers import changing, value_alone

from transformer_math.gradient import (
    contrast_vjp,
    dual_contrast_vjp,
    halve_time_vjp,
    hierarchical_contrast_vjp,
)
from transformer_math.modalities import contrast, hierarchical_contrast

REFUSED = [
    (
        dual_contrast_vjp,
        "weight of at most 1",
        {"R": np.ones((1, 2, 1)), "S": np.ones((1, 2, 1)), "alpha": 1.5},
    ),
    (halve_time_vjp, "two of them make one", {"R": np.ones((1, 1))}),
    (
        hierarchical_contrast_vjp,
        "weight of at most 1",
        {"R": np.ones((1, 2, 1)), "S": np.ones((1, 2, 1)), "alpha": 1.5},
    ),
]


def of_scores(R, S):
    """The loss, by a softmax over two tables of scores."""
    eye = torch.eye(R.shape[-2], dtype=torch.bool)
    own = (R @ R.mT).masked_fill(eye, -torch.inf)
    scores = torch.cat([R @ S.mT, own], dim=-1)
    return (scores.logsumexp(-1) - (R * S).sum(-1)).mean()


def of_levels(R, S, alpha=0.5):
    levels = []
    while True:
        among = of_scores(R.transpose(0, 1), S.transpose(0, 1))
        levels.append((1 - alpha) * of_scores(R, S) + alpha * among)
        half = R.shape[1] // 2
        if not half:
            return sum(levels) / len(levels)
        R, S = (V[:, : 2 * half].unflatten(1, (half, 2)).amax(2) for V in (R, S))


def by_autograd(loss):
    """A twin whose pullback PyTorch computes."""

    def twin(R, S, *weight):
        views = [torch.tensor(V, requires_grad=True) for V in (R, S)]
        value = loss(*views, *weight)

        def pullback(dL):
            found = torch.autograd.grad(
                value, views, retain_graph=True, allow_unused=True
            )
            return tuple(dL * one.numpy() for one in found)

        return value.item(), pullback

    return twin


def by_rows(R, S):
    """One row after another."""

    def pullback(dL):
        dR, dS, count = np.zeros(R.shape), np.zeros(S.shape), R[..., 0].size
        for *lead, t in np.ndindex(R.shape[:-1]):
            at = tuple(lead)
            r, s = R[at], S[at]
            scores = np.concatenate([s @ r[t], r @ r[t]])
            scores[len(s) + t] = -np.inf
            p = np.exp(scores - scores.max())
            p /= p.sum()
            a, v = np.split(p, 2)
            dR[at][t] += a @ s + v @ r - s[t]
            dR[at] += np.outer(v, r[t])
            dS[at] += np.outer(a, r[t])
            dS[at][t] -= r[t]
        return dL * dR / count, dL * dS / count

    return contrast(R, S), pullback


def by_parts(R, S, alpha=0.5):
    """The weights of the two contrasts, one after the other: the loss is linear in them."""
    temporal, among = (hierarchical_contrast_vjp(R, S, one)[1] for one in (0.0, 1.0))

    def pullback(dL):
        pairs = zip(temporal(dL), among(dL))
        return tuple((1 - alpha) * one + alpha * two for one, two in pairs)

    return hierarchical_contrast(R, S, alpha), pullback


RIGHT = [
    (contrast_vjp, by_autograd(of_scores)),
    (contrast_vjp, by_rows),
    (hierarchical_contrast_vjp, by_autograd(of_levels)),
    (hierarchical_contrast_vjp, by_parts),
]

WRONG = [
    (contrast_vjp, value_alone(contrast_vjp), "value, pullback"),
    (contrast_vjp, changing(contrast_vjp, lambda dR, dS: (dS, dR)), "it gave"),
    (contrast_vjp, changing(contrast_vjp, lambda dR, dS: (2 * dR, dS)), "`R`"),
    (contrast_vjp, changing(contrast_vjp, lambda dR, dS: (dR, -dS)), "`S`"),
    (contrast_vjp, changing(contrast_vjp, lambda dR, dS: (dR, dS + 1)), "`S`"),
    (
        hierarchical_contrast_vjp,
        value_alone(hierarchical_contrast_vjp),
        "value, pullback",
    ),
    (
        hierarchical_contrast_vjp,
        changing(hierarchical_contrast_vjp, lambda dR, dS: (2 * dR, dS)),
        "`R`",
    ),
    (
        hierarchical_contrast_vjp,
        changing(hierarchical_contrast_vjp, lambda dR, dS: (dR, -dS)),
        "`S`",
    ),
    (
        hierarchical_contrast_vjp,
        changing(hierarchical_contrast_vjp, lambda dR, dS: (dR, dS[::-1])),
        "`S`",
    ),
    (
        hierarchical_contrast_vjp,
        changing(hierarchical_contrast_vjp, lambda dR, dS: (dR + 1, dS)),
        "`R`",
    ),
]
