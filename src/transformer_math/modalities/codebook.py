"""A codebook: a table of vectors, the codes. A vector is written as the number of the code that is nearest to it."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Fraction, Positive, Size, contract, requires
from transformer_math.scaling import scale_invariant


@contract
@scale_invariant
def nearest_codes(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> Int[np.ndarray, "... n"]:
    r"""The number of the nearest code for each vector; where several are equally near, the first of them.

        a_i = argmin_j ‖ Z_i - C_j ‖²
        i = 0, …, n - 1

    Book: eq-nearest-codes. Source: van den Oord et al. (2017), equation 1, arXiv:1711.00937.

    >>> nearest_codes(np.array([[0.9], [3.0], [2.0]]), C=np.array([[1.0], [3.0]]))
    array([0, 1, 0])
    """
    apart = Z[..., None, :] - C
    return np.vecdot(apart, apart).argmin(axis=-1)


@contract
def quantise(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> Float[np.ndarray, "... n d"]:
    r"""Put the nearest code in the place of each vector.

        Q_i = C_{a_i}

    Book: eq-quantise. Source: van den Oord et al. (2017), equation 2, arXiv:1711.00937.

    >>> quantise(np.array([[0.9], [2.5]]), C=np.array([[1.0], [3.0]]))
    array([[1.],
           [3.]])
    """
    return C[nearest_codes(Z, C)]


@contract
def stop_gradient(x: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    r"""The same numbers, through which no gradient passes: only `stop_gradient_vjp` differs from doing nothing.

        sg(x) = x

    Book: eq-stop-gradient. Source: van den Oord et al. (2017), section 3.2, arXiv:1711.00937.

    >>> stop_gradient(np.array([2.0, 3.0]))
    array([2., 3.])
    """
    return x.copy()


@contract
def codebook_loss(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> float:
    r"""How far the codes are from the vectors that chose them, squared, on average; the vectors are held fixed.

        L^code = 1/n Σ_i ‖ sg(Z_i) - C_{a_i} ‖²

    Book: eq-codebook-loss. Source: van den Oord et al. (2017), equation 3, second term, arXiv:1711.00937.

    >>> codebook_loss(np.array([[0.0], [3.0]]), C=np.array([[1.0]]))
    2.5
    """
    apart = stop_gradient(Z) - quantise(Z, C)
    return float(np.square(apart).sum(axis=-1).mean())


@contract
def commitment_loss(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> float:
    r"""The same distance with the codes held fixed: it draws each vector to its code.

        L^commit = 1/n Σ_i ‖ Z_i - sg(C_{a_i}) ‖²

    Book: eq-commitment-loss. Source: van den Oord et al. (2017), equation 3, third term, arXiv:1711.00937.

    >>> commitment_loss(np.array([[0.0], [3.0]]), C=np.array([[1.0]]))
    2.5
    """
    apart = Z - stop_gradient(quantise(Z, C))
    return float(np.square(apart).sum(axis=-1).mean())


@contract
@requires(
    lambda ids, k: ids.min() >= 0 and ids.max() < k,
    lambda ids, k: (
        f"ids go from {ids.min()} to {ids.max()}; a codebook of {k} codes has the numbers 0 to {k - 1}. "
        "Fix: the k of the codebook that gave the ids."
    ),
)
def code_perplexity(ids: Int[np.ndarray, "... n"], k: Size) -> float:
    r"""How many codes are in use: the exponential of the entropy of their shares.

        p_j = 1/n Σ_{i: a_i = j} 1
        PP = exp(-Σ_j p_j ln p_j)
        j = 0, …, k - 1

    It is k where all codes are used equally often, and 1 where a single one is. Book: eq-code-perplexity.

    >>> code_perplexity(np.array([0, 0, 2, 2]), k=5)
    2.0
    """
    shares = np.bincount(ids.ravel(), minlength=k) / ids.size
    used = shares[shares > 0]
    return float(np.exp(-(used @ np.log(used))))


@contract
def lloyd_step(
    Z: Float[np.ndarray, "... n d"], C: Float[np.ndarray, "k d"]
) -> Float[np.ndarray, "k d"]:
    r"""One step of k-means: every code moves to the mean of the vectors that chose it; one that nobody chose stays.

        C'_j = {(Σ_{i: a_i = j} Z_i)/(Σ_{i: a_i = j} 1) if Σ_{i: a_i = j} 1 > 0; C_j otherwise}
        j = 0, …, k - 1

    Book: eq-lloyd. Source: Lloyd (1982), doi:10.1109/TIT.1982.1056489.

    >>> lloyd_step(np.array([[0.0], [2.0], [9.0]]), C=np.array([[1.5], [8.0], [50.0]]))
    array([[ 1.],
           [ 9.],
           [50.]])
    """
    choices = np.eye(len(C), dtype=C.dtype)[nearest_codes(Z, C).ravel()]
    counts, sums = choices.sum(axis=0), choices.T @ Z.reshape(-1, Z.shape[-1])
    chosen = counts[:, None] > 0
    return np.where(chosen, sums / np.maximum(counts, 1)[:, None], C).astype(C.dtype)


@contract
@requires(
    lambda N: N.min() >= 0,
    "N holds a negative number; it counts vectors. Fix: begin with np.zeros(k), and pass on what the last step returned.",
)
def moving_average_codebook(
    Z: Float[np.ndarray, "... n d"],
    C: Float[np.ndarray, "k d"],
    N: Float[np.ndarray, " k"],
    M: Float[np.ndarray, "k d"],
    step: Size,
    decay: Fraction = 0.99,
    eps: Positive = 1e-5,
) -> tuple[Float[np.ndarray, "k d"], Float[np.ndarray, " k"], Float[np.ndarray, "k d"]]:
    r"""Codes as moving averages of the vectors that chose them: the new codes, and the averages N of counts and M of sums.

        N'_j = γ N_j + (1 - γ) Σ_{i: a_i = j} 1
        M'_jl = γ M_jl + (1 - γ) Σ_{i: a_i = j} Z_il
        w = 1 - γ^t
        S = 1/w Σ_j N'_j
        C'_jl = M'_jl (S + k ε)/(S (N'_j + w ε))
        j = 0, …, k - 1

    N and M begin as zeros, step as 1. Book: eq-moving-average-codebook.
    Source: van den Oord et al. (2017), appendix A.1, arXiv:1711.00937.

    >>> Z, C = np.array([[1.0], [3.0], [8.0]]), np.array([[0.0], [9.0]])
    >>> moving_average_codebook(Z, C, N=np.zeros(2), M=np.zeros((2, 1)), step=1)[0].round(3)
    array([[2.],
           [8.]])
    """
    choices = np.eye(len(C), dtype=C.dtype)[nearest_codes(Z, C).ravel()]
    counts, sums = choices.sum(axis=0), choices.T @ Z.reshape(-1, Z.shape[-1])
    N = decay * N + (1 - decay) * counts
    M = decay * M + (1 - decay) * sums
    weight = 1 - decay**step
    total = N.sum() / weight
    shares = (N + weight * eps) / (total + len(C) * eps)
    return M / (total * shares)[:, None], N, M
