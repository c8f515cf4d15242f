"""What the tests of all ideas ask of `modalities/side_by_side`; `tests/abouts.py` explains the names."""

import math

import numpy as np

from transformer_math.modalities import clip_loss, noised, residual_codes

ACCEPTED = {noised: {"kept": {"0"}}}

NO_TWIN = {
    residual_codes: "its results are numbers of codes, which a small step does not change",
    noised: "told for what diffusion models learn to undo; it is linear in signal and noise",
}


def by_distances(Z, C):
    found, left = [], np.array(Z)
    for codebook in C:
        apart = np.linalg.norm(left[:, None] - codebook[None], axis=-1) ** 2
        found.append(np.round(apart, 9).argmin(axis=1))
        left = left - codebook[found[-1]]
    return found


def vector_by_vector(Z, C):
    codes = np.zeros((len(C), len(Z)), int)
    for i, z in enumerate(Z):
        for level, codebook in enumerate(C):
            codes[level, i] = np.argmin([((z - c) ** 2).sum() for c in codebook])
            z = z - codebook[codes[level, i]]
    return codes


def clip_by_logsumexp(U, V, temperature=0.07):
    S = U @ V.T / temperature
    top = S.max()
    rows = np.log(np.exp(S - S.max(1, keepdims=True)).sum(1)) + S.max(1)
    columns = np.log(np.exp(S - S.max(0)).sum(0)) + S.max(0)
    return float((rows + columns).mean() / 2 - np.trace(S - top) / len(S) - top)


RIGHT = [
    (residual_codes, by_distances),
    (residual_codes, vector_by_vector),
    (noised, lambda x, z, kept: np.sqrt(kept) * x + np.sqrt(1 - kept) * z),
    (noised, lambda x, z, kept: (kept**0.5 * x + (1 - kept) ** 0.5 * z).tolist()),
    (clip_loss, clip_by_logsumexp),
    (
        clip_loss,
        lambda U, V, temperature=0.07: (clip_by_logsumexp(U, V, temperature) + clip_by_logsumexp(V, U, temperature)) / 2,
    ),
]  # fmt: skip

WRONG = [
    (residual_codes, lambda Z, C: residual_codes(Z, C).T, "it gave"),
    (residual_codes, lambda Z, C: residual_codes(Z, C)[:1].repeat(len(C), 0), ""),
    (residual_codes, lambda Z, C: residual_codes(-Z, C), "it gave"),
    (residual_codes, lambda Z, C: residual_codes(Z, C) + 1, "it gave"),
    (residual_codes, lambda Z, C: np.zeros((len(C), len(Z)), int), "it gave"),
    (noised, lambda x, z, kept: math.sqrt(kept) * x - math.sqrt(1 - kept) * z, "it gave"),
    (noised, lambda x, z, kept: x, "it gave"),
    (noised, lambda x, z, kept: kept**2 * x + (1 - kept) ** 2 * z, "it gave"),
    (noised, lambda x, z, kept: math.sqrt(kept) * (x + z), "it gave"),
    (noised, lambda x, z, kept: x + kept * z, "it gave"),
    (clip_loss, lambda U, V, temperature=0.07: -clip_loss(U, V, temperature), "it gave"),
    (clip_loss, lambda U, V, temperature=0.07: clip_loss(U, V, temperature) / len(U), ""),
    (clip_loss, lambda U, V, temperature=0.07: clip_loss(U, V, temperature) * len(U), ""),
    (clip_loss, lambda U, V, temperature=0.07: clip_loss(U, -V, temperature), "it gave"),
    (clip_loss, lambda U, V, temperature=0.07: clip_loss(U, U, temperature), "it gave"),
]  # fmt: skip

EQUIVALENT_FORMULAS = {
    "eq-residual-codes": {
        "C_{\\ell,\\,j} \\rVert \\\\": "the nearest code is the same whether distances are squared or not",
        "\\rVert^{3}": "the nearest code is the same for every growing function of the distance",
    },
    "eq-clip-loss-vjp": {"2 \\delta_{ji}": "two indices agree in either order"},
}
