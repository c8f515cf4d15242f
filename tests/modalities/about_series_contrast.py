"""What the tests of all ideas ask of `modalities/series_contrast`."""

import numpy as np
from scipy.special import logsumexp

from transformer_math.modalities import (
    contrast,
    dual_contrast,
    halve_time,
    hierarchical_contrast,
)

ACCEPTED = {
    halve_time: {"R": {"longer"}},
    dual_contrast: {"alpha": {"0"}},
    hierarchical_contrast: {"alpha": {"0"}},
}


def by_rows(R, S):
    """Row by row, over the candidates written out."""
    lost = []
    for place in np.ndindex(R.shape[:-1]):
        *lead, t = place
        r, s = R[tuple(lead)], S[tuple(lead)]
        scores = [*(s @ r[t]), *(np.delete(r, t, axis=0) @ r[t])]
        lost.append(logsumexp(scores) - r[t] @ s[t])
    return np.mean(lost)


def dual(R, S, alpha=0.5):
    among = by_rows(np.moveaxis(R, 1, 0), np.moveaxis(S, 1, 0))
    return (1 - alpha) * by_rows(R, S) + alpha * among


def halved(R):
    pairs = R[..., : R.shape[-2] // 2 * 2, :]
    return pairs.reshape(*R.shape[:-2], R.shape[-2] // 2, 2, R.shape[-1]).max(axis=-2)


def whole(R, S, alpha=0.5):
    own = [dual(R, S, alpha)]
    if R.shape[1] > 1:
        rest = whole(halved(R), halved(S), alpha)
        levels = int(np.log2(R.shape[1]))
        return (own[0] + levels * rest) / (levels + 1)
    return own[0]


RIGHT = [
    (contrast, by_rows),
    (contrast, lambda R, S: by_rows(R.copy(), S.copy()) * np.ones(())),
    (dual_contrast, dual),
    (dual_contrast, lambda R, S, alpha=0.5: dual(R, S, alpha) * np.ones(())),
    (halve_time, halved),
    (halve_time, lambda R: halved(R).tolist()),
    (hierarchical_contrast, whole),
    (hierarchical_contrast, lambda R, S, alpha=0.5: whole(R, S, alpha) * np.ones(())),
]

WRONG = [
    (contrast, lambda R, S: by_rows(R, S) * len(R), "it gave"),
    (contrast, lambda R, S: by_rows(S, R), "from S"),
    (contrast, lambda R, S: -by_rows(R, S), "sign"),
    (contrast, lambda R, S: by_rows(R, S) / np.log(2), "it gave"),
    (contrast, lambda R, S: by_rows(R / 2, S), "it gave"),
    (dual_contrast, lambda R, S, alpha=0.5: dual(R, S, 1 - alpha), "exchanged"),
    (dual_contrast, lambda R, S, alpha=0.5: 2 * dual(R, S, 0.5), "weights"),
    (dual_contrast, lambda R, S, alpha=0.5: dual(R, S, alpha) / 2, "it gave"),
    (dual_contrast, lambda R, S, alpha=0.5: dual(S, R, alpha), "it gave"),
    (dual_contrast, lambda R, S, alpha=0.5: dual(R, S, 0.0), "moments only"),
    (halve_time, lambda R: R[..., 1::2, :], "it gave"),
    (halve_time, lambda R: -halved(-R), "smaller"),
    (halve_time, lambda R: 2 * halved(R), "it gave"),
    (halve_time, lambda R: halved(R)[..., ::-1, :], "it gave"),
    (halve_time, lambda R: halved(R[..., ::-1, :])[..., ::-1, :], "it gave"),
    (hierarchical_contrast, lambda R, S, alpha=0.5: dual(R, S, alpha), "finest"),
    (hierarchical_contrast, lambda R, S, alpha=0.5: whole(S, R, alpha), "it gave"),
    (hierarchical_contrast, lambda R, S, alpha=0.5: whole(R, S, 1 - alpha), "it gave"),
    (hierarchical_contrast, lambda R, S, alpha=0.5: whole(R, S), "one half"),
    (hierarchical_contrast, lambda R, S, alpha=0.5: -whole(R, S, alpha), "it gave"),
]

EQUIVALENT = {
    "contrast": {
        "np.eye(R.shape[-2], dtype=bool) → np.eye(R.shape[-2])": "`np.where` takes 1.0 for true and 0.0 for false.",
        "top[..., 0] → top[..., -1]": "The axis has one entry.",
    },
}
