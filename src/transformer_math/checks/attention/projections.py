"""Checks of the projections, of splitting heads, and of the four terms of a score."""

import numpy as np
import torch

from transformer_math.attention.projections import project, score_terms, split_heads
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, sometimes, tokens


@check(project, equation="eq-projection", oracle="torch.nn.functional.linear")
def projection_equals_torch(project, rng):
    d_in, d_out = size(rng), size(rng)
    Z, W = tokens(rng, d_in), rng.normal(size=(d_in, d_out))
    given, b = sometimes(rng, rng.normal(size=d_out), np.zeros(d_out))
    return difference(
        project(Z, W, *given),
        torch.nn.functional.linear(*map(torch.from_numpy, (Z, W.T.copy(), b))),
    )


@projection_equals_torch.rejects(
    "You multiply by the transpose, as PyTorch stores it; here W has shape (d_in, d_out)."
)
def transposed(Z, W, b=0.0):
    return Z @ W.T + b


@projection_equals_torch.rejects("You forget the bias.")
def no_bias(Z, W, b=0.0):
    return Z @ W


@projection_equals_torch.rejects(
    "You add the bias twice, or double it: Z W + b holds it once."
)
def bias_twice(Z, W, b=0.0):
    return Z @ W + 2 * b


@projection_equals_torch.rejects(
    "You add the bias to what goes in; it belongs to what comes out."
)
def bias_first(Z, W, b=0.0):
    return (Z + b) @ W


@check(split_heads, equation="eq-split-heads", oracle="torch.chunk and torch.stack")
def heads_equal_torch_chunks(split_heads, rng):
    n, n_heads, d_k = size(rng), size(rng), size(rng)
    x = tokens(rng, n, n_heads * d_k)
    return difference(
        split_heads(x, n_heads),
        torch.stack(torch.chunk(torch.from_numpy(x), n_heads, dim=-1), dim=-3),
    )


@heads_equal_torch_chunks.rejects(
    "You reshape without swapping axes: your heads hold pieces of different tokens."
)
def reshaped_only(x, n_heads):
    *batch, n, width = x.shape
    return x.reshape(*batch, n_heads, n, width // n_heads)


@heads_equal_torch_chunks.rejects(
    "Head h takes every H-th column; wanted d_k columns side by side."
)
def every_other_column(x, n_heads):
    return np.stack([x[..., h::n_heads] for h in range(n_heads)], axis=-3)


@check(
    score_terms, equation="eq-score-terms", oracle="torch.einsum, one term at a time"
)
def terms_equal_einsum(score_terms, rng):
    n, d_model, d_k = size(rng), size(rng), size(rng)
    X, P = rng.normal(size=(2, n, d_model))
    W_Q, W_K = rng.normal(size=(2, d_model, d_k))
    parts, matrices = (
        torch.from_numpy(np.stack([X, P])),
        map(torch.from_numpy, (W_Q, W_K)),
    )
    wanted = torch.einsum("aid,dk,ek,bje->abij", parts, *matrices, parts) / d_k**0.5
    return difference(score_terms(X, P, W_Q, W_K), wanted.flatten(0, 1))


@terms_equal_einsum.rejects(
    "Your two mixed terms have changed places: content–position has the query's content and the key's position."
)
def mixed_terms_swapped(X, P, W_Q, W_K):
    return score_terms(X, P, W_Q, W_K)[[0, 2, 1, 3]]


@terms_equal_einsum.rejects(
    "Your terms are not scaled: each is divided by √d_k, like the whole."
)
def unscaled(X, P, W_Q, W_K):
    return score_terms(X, P, W_Q, W_K) * np.sqrt(W_Q.shape[1])


@terms_equal_einsum.rejects("You divide by √d_model; wanted √d_k, the size of a query.")
def scaled_by_d_model(X, P, W_Q, W_K):
    return score_terms(X, P, W_Q, W_K) * np.sqrt(W_Q.shape[1] / W_Q.shape[0])


@check(
    score_terms,
    equation="eq-score-terms",
    oracle="the scores of X + P as a whole, in PyTorch",
)
def terms_sum_to_the_scores(score_terms, rng):
    n, d_model, d_k = size(rng), size(rng), size(rng)
    X, P = rng.normal(size=(2, n, d_model))
    W_Q, W_K = rng.normal(size=(2, d_model, d_k))
    Q, K = torch.from_numpy((X + P) @ W_Q), torch.from_numpy((X + P) @ W_K)
    return difference(np.sum(score_terms(X, P, W_Q, W_K), axis=0), Q @ K.T / d_k**0.5)


@terms_sum_to_the_scores.rejects(
    "One mixed term is missing: the product of two sums has four terms."
)
def three_terms(X, P, W_Q, W_K):
    return score_terms(X, P, W_Q, W_K)[[0, 1, 3]]
