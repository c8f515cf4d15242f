"""Three later ways in one formula each: codes of what codes left over, noise that is mixed in, pictures and texts side by side."""

import math

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Number, Positive, contract, requires
from transformer_math.modalities.codebook import nearest_codes
from transformer_math.output.probabilities import _stays_finite, log_softmax


@contract
def residual_codes(
    Z: Float[np.ndarray, "n d"], C: Float[np.ndarray, "L k d"]
) -> Int[np.ndarray, "L n"]:
    r"""Codes in levels: the first codebook writes the vectors, each later one what is still wrong after those before it.

        R_{0, i} = Z_i
        a_{ℓ, i} = argmin_j ‖ R_{ℓ, i} - C_{ℓ, j} ‖²
        R_{ℓ+1, i} = R_{ℓ, i} - C_{ℓ, a_{ℓ, i}}
        ℓ = 0, …, L - 1
        i = 0, …, n - 1

    Book: eq-residual-codes. Source: Zeghidour et al. (2022), section III.C, arXiv:2107.03312.

    >>> residual_codes(np.array([[5.2], [1.0]]), C=np.array([[[1.0], [5.0]], [[0.0], [0.2]]]))
    array([[1, 0],
           [1, 0]])
    """
    codes, left = [], Z
    for codebook in C:
        codes.append(nearest_codes(left, codebook))
        left = left - codebook[codes[-1]]
    return np.stack(codes)


@contract
@requires(
    lambda kept: 0 <= kept <= 1,
    "kept is {kept}; wanted a share of the variance, from 0 (all of it noise) to 1. Fix: 0.5 for half and half.",
)
def noised(
    x: Float[np.ndarray, "*shape"], noise: Float[np.ndarray, "*shape"], kept: Number
) -> Float[np.ndarray, "*shape"]:
    r"""A signal with noise mixed in, so that the variance stays 1 if both had it: what a diffusion model learns to undo.

        x' = √α x + √(1 - α) z

    `kept` is α, the share of the variance that is still the signal's.
    Book: eq-noised. Source: Ho, Jain and Abbeel (2020), equation 4, arXiv:2006.11239.

    >>> noised(np.array([2.0]), noise=np.array([-1.0]), kept=0.25).round(3)
    array([0.134])
    """
    return math.sqrt(kept) * x + math.sqrt(1 - kept) * noise


@contract
@requires(
    lambda U, V, temperature: _stays_finite(U @ V.T, temperature),
    "the temperature is {temperature}: products divided by it overflow. Fix: 0.07, or a temperature near it.",
)
def clip_loss(
    U: Float[np.ndarray, "n d"],
    V: Float[np.ndarray, "n d"],
    temperature: Positive = 0.07,
) -> float:
    r"""How badly n pictures and their n texts find each other: each picture among the texts, and each text among the pictures.

        S = 1/τ U Vᵀ
        L = -1/(2n) Σ_{i=0}^(n-1) (logsoftmax(S)_ii + logsoftmax(Sᵀ)_ii)

    Rows of U and V have the length 1. Book: eq-clip-loss. Source: Radford et al. (2021), figure 3, arXiv:2103.00020.

    >>> round(clip_loss(np.eye(2), np.eye(2), temperature=1.0), 4)
    0.3133
    """
    S = U @ V.T / temperature
    own = np.diag(log_softmax(S)) + np.diag(log_softmax(S.T))
    return -float(own.mean()) / 2
