"""What the tests of all ideas ask of `modalities/codebook`; `tests/abouts.py` explains the names."""

import numpy as np

from transformer_math.modalities import (
    code_perplexity,
    codebook_loss,
    commitment_loss,
    lloyd_step,
    moving_average_codebook,
    nearest_codes,
    quantise,
    stop_gradient,
)

ACCEPTED = {
    stop_gradient: {"x": {"longer", "no axis"}},
    code_perplexity: {"ids": {"longer"}},
    moving_average_codebook: {"decay": {"0"}},
}
OTHER_DEFAULTS = {moving_average_codebook: {"decay": 0.5}}
NO_TWIN = {
    nearest_codes: "it gives whole numbers, which no small change of a vector moves",
    lloyd_step: "it is a step of learning itself, and is not differentiated",
    moving_average_codebook: "it is a step of learning itself, and is not differentiated",
}


def by_expansion(Z, C):
    """Without the squared length of Z, which is the same for all codes."""
    return (np.square(C).sum(axis=1) - 2 * Z @ C.T).argmin(axis=-1)


def one_by_one(Z, C):
    ids = np.empty(Z.shape[:-1], dtype=int)
    for place in np.ndindex(ids.shape):
        apart = [float(np.dot(Z[place] - c, Z[place] - c)) for c in C]
        ids[place] = apart.index(min(apart))
    return ids


def loss_by_entries(Z, C):
    return Z.shape[-1] * np.mean((C[one_by_one(Z, C)] - Z) ** 2)


def loss_by_minimum(Z, C):
    apart = np.linalg.norm(Z[..., None, :] - C, axis=-1)
    return float(np.mean(apart.min(axis=-1) ** 2))


def perplexity_by_product(ids, k):
    counts = np.unique(ids, return_counts=True)[1] / np.size(ids)
    return float(np.prod(counts**-counts))


def perplexity_by_surprise(ids, k):
    counts = np.bincount(np.ravel(ids), minlength=k)
    return 2 ** float(np.mean(np.log2(np.size(ids) / counts[ids])))


def means_by_loop(Z, C):
    new, ids = C.copy(), one_by_one(Z, C)
    for j in set(ids.ravel().tolist()):
        new[j] = Z[ids == j].mean(axis=0)
    return new


def means_as_lists(Z, C):
    return means_by_loop(Z, C).tolist()


def averages_by_loop(Z, C, N, M, step, decay=0.99, eps=1e-5):
    ids, N, M = one_by_one(Z, C), decay * N, decay * M
    for place in np.ndindex(ids.shape):
        N[ids[place]] += 1 - decay
        M[ids[place]] += (1 - decay) * Z[place]
    weight = 1 - decay**step
    share = (N / weight + eps) / (N.sum() / weight + len(N) * eps)
    return M / (share * N.sum())[:, None], N, M


def averages_as_lists(*arguments, **more):
    return [part.tolist() for part in averages_by_loop(*arguments, **more)]


RIGHT = [
    (nearest_codes, by_expansion),
    (nearest_codes, lambda Z, C: one_by_one(Z, C).tolist()),
    (quantise, lambda Z, C: C[one_by_one(Z, C)]),
    (quantise, lambda Z, C: np.eye(len(C))[by_expansion(Z, C)] @ C),
    (stop_gradient, lambda x: x + 0),
    (stop_gradient, lambda x: x.tolist()),
    (codebook_loss, loss_by_entries),
    (codebook_loss, loss_by_minimum),
    (commitment_loss, loss_by_entries),
    (commitment_loss, loss_by_minimum),
    (code_perplexity, perplexity_by_product),
    (code_perplexity, perplexity_by_surprise),
    (lloyd_step, means_by_loop),
    (lloyd_step, means_as_lists),
    (moving_average_codebook, averages_by_loop),
    (moving_average_codebook, averages_as_lists),
]

WRONG = [
    (nearest_codes, lambda Z, C: by_expansion(Z, C) + 1, "it gave"),
    (nearest_codes, lambda Z, C: by_expansion(-Z, C), "it gave"),
    (nearest_codes, lambda Z, C: by_expansion(Z, C)[..., ::-1], "it gave"),
    (nearest_codes, lambda Z, C: 0 * by_expansion(Z, C), "it gave"),
    (
        nearest_codes,
        lambda Z, C: np.abs(Z[..., None, :] - C).max(axis=-1).argmin(axis=-1),
        "it gave",
    ),
    (quantise, by_expansion, "it gave"),
    (quantise, lambda Z, C: 2 * C[by_expansion(Z, C)], "it gave"),
    (quantise, lambda Z, C: Z - C[by_expansion(Z, C)], "it gave"),
    (quantise, lambda Z, C: (Z + C[by_expansion(Z, C)]) / 2, "it gave"),
    (quantise, lambda Z, C: np.rint(C[by_expansion(Z, C)]), "it gave"),
    (stop_gradient, lambda x: x * 2, "it gave"),
    (stop_gradient, lambda x: np.abs(x), "it gave"),
    (stop_gradient, lambda x: x[..., :1], "it gave"),
    (stop_gradient, lambda x: np.round(x), "it gave"),
    (stop_gradient, lambda x: x.mean(), "it gave"),
    (codebook_loss, lambda Z, C: loss_by_minimum(Z, C) / 2, "it gave"),
    (codebook_loss, lambda Z, C: -loss_by_minimum(Z, C), "it gave"),
    (codebook_loss, lambda Z, C: loss_by_minimum(Z, C) ** 0.5, "it gave"),
    (
        codebook_loss,
        lambda Z, C: loss_by_minimum(C, Z.reshape(-1, C.shape[1])),
        "it gave",
    ),
    (codebook_loss, lambda Z, C: float(np.mean(Z - C[by_expansion(Z, C)])), "it gave"),
    (commitment_loss, lambda Z, C: 0.25 * loss_by_minimum(Z, C), "it gave"),
    (commitment_loss, lambda Z, C: loss_by_minimum(Z, C) + 1, "it gave"),
    (commitment_loss, lambda Z, C: 0.0, "it gave"),
    (commitment_loss, lambda Z, C: loss_by_minimum(Z[..., :1, :], C), "it gave"),
    (commitment_loss, lambda Z, C: float(np.mean(np.square(Z))), "it gave"),
    (code_perplexity, lambda ids, k: perplexity_by_product(ids, k) - 1, "it gave"),
    (code_perplexity, lambda ids, k: float(len(np.unique(ids))), "it gave"),
    (code_perplexity, lambda ids, k: float(k), "it gave"),
    (code_perplexity, lambda ids, k: np.log2(perplexity_by_product(ids, k)), "it gave"),
    (code_perplexity, lambda ids, k: float(np.mean(ids)), "it gave"),
    (lloyd_step, lambda Z, C: means_by_loop(Z, C) * 0.9, "it gave"),
    (lloyd_step, lambda Z, C: C, "it gave"),
    (lloyd_step, lambda Z, C: means_by_loop(Z, C)[::-1], "it gave"),
    (lloyd_step, lambda Z, C: means_by_loop(Z, C) - C, "it gave"),
    (lloyd_step, lambda Z, C: C[one_by_one(Z, C)], "it gave"),
    (
        moving_average_codebook,
        lambda *a, **more: averages_by_loop(*a, **more)[::-1],
        "it gave",
    ),
    (
        moving_average_codebook,
        lambda *a, **more: averages_by_loop(*a, **more)[0],
        "it gave",
    ),
    (
        moving_average_codebook,
        lambda Z, C, N, M, step, **more: averages_by_loop(Z, C, N, M, step + 1, **more),
        "it gave",
    ),
    (
        moving_average_codebook,
        lambda Z, C, N, M, step, decay=0.99, eps=1e-5: averages_by_loop(
            Z, C, N, M, step, decay
        ),
        "it gave",
    ),
    (
        moving_average_codebook,
        lambda Z, C, N, M, step, decay=0.99, eps=1e-5: averages_by_loop(
            Z, C, N, M, step, eps=eps
        ),
        "it gave",
    ),
]

EQUIVALENT_FORMULAS = {
    "eq-nearest-codes": {
        "C_j \\rVert \\\\": "the nearest code is the same whether distances are squared or not",
        "\\rVert^{3}": "the nearest code is the same for every growing function of the distance",
    },
    "eq-code-perplexity": {
        "k + 1": "nobody chose codes that do not exist, and 0 ln 0 is 0",
    },
}

EQUIVALENT = {
    "nearest_codes": {
        "Z[..., None, :] - C → C - Z[..., None, :]": "It is squared.",
    },
    "codebook_loss": {
        "stop_gradient(Z) - quantise(Z, C) → quantise(Z, C) - stop_gradient(Z)": "It is squared.",
    },
    "code_perplexity": {
        "used @ np.log(used) → np.log(used) @ used": "The product of two vectors is the same in either order.",
    },
    "commitment_loss": {
        "Z - stop_gradient(quantise(Z, C)) → stop_gradient(quantise(Z, C)) - Z": "A square does not know its sign.",
    },
}
