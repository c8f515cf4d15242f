"""Drawing with codes: a grid of codes stands for a picture, and what a loss must ask for so that the picture is sharp."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Size, contract, requires
from transformer_math.modalities.patches import patchify
from transformer_math.scaling import length


@contract
def convolve(
    X: Float[np.ndarray, "... h w c"],
    K: Float[np.ndarray, "3 3 c d"],
    b: Float[np.ndarray, " d"],
) -> Float[np.ndarray, "... h w d"]:
    r"""Read every cell of a grid together with its eight neighbours; beyond the border there are zeros.

        Y_rsj = b_j + Σ_{u=0}² Σ_{v=0}² Σ_k X^pad_{r+u, s+v, k} K_uvkj
        r = 0, …, h - 1
        s = 0, …, w - 1

    Book: eq-convolve.

    >>> convolve(np.array([[[1.0], [10.0]]]), K=np.ones((3, 3, 1, 1)), b=np.zeros(1))
    array([[[11.],
            [11.]]])
    """
    *lead, h, w, _ = X.shape
    padded = np.pad(X, [(0, 0)] * len(lead) + [(1, 1), (1, 1), (0, 0)])
    nine = [padded[..., u : u + h, v : v + w, :] for u, v in np.ndindex(3, 3)]
    return np.concatenate(nine, axis=-1) @ K.reshape(-1, len(b)) + b


@contract
@requires(
    lambda Y, patch_size: not any(side % patch_size for side in Y.shape[-3:-1]),
    lambda Y, patch_size: (
        f"Y has {Y.shape[-3]} rows and {Y.shape[-2]} columns, which squares of {patch_size} do not divide. "
        "Fix: another patch_size, or crop the picture."
    ),
)
def energies(
    Y: Float[np.ndarray, "... H W k"], patch_size: Size, eps: Positive = 1e-4
) -> Float[np.ndarray, "... n k"]:
    r"""How strongly each filter answers in each square of a picture: the root of its mean squared answer.

        E_rsk = √(ε + 1/p² Σ_{a=0}^(p-1) Σ_{b=0}^(p-1) T_rsabk²)
        r = 0, …, h - 1
        s = 0, …, w - 1

    Book: eq-energies.

    >>> energies(np.array([[[3.0], [-3.0], [0.0], [4.0]]]), patch_size=1).round(2)
    array([[3.  ],
           [3.  ],
           [0.01],
           [4.  ]])
    """
    T = patchify(Y, patch_size)
    squares = np.square(T.reshape(*T.shape[:-1], -1, Y.shape[-1]))
    return np.sqrt(eps + squares.mean(axis=-2))


@contract
def perceptual_loss(
    E: Float[np.ndarray, "... n k"], E_hat: Float[np.ndarray, "... n k"]
) -> float:
    r"""How far the features of one picture are from those of another, squared, on average.

        L^per = 1/(n k) Σ_i Σ_j (E_ij - E'_ij)²

    Book: eq-perceptual-loss. Source: Johnson et al. (2016), section 3, arXiv:1603.08155.

    >>> perceptual_loss(np.array([[1.0, 2.0]]), E_hat=np.array([[1.0, 4.0]]))
    2.0
    """
    return float(np.square(E - E_hat).mean())


@contract
def discriminator_loss(
    S: Float[np.ndarray, "*real"], S_hat: Float[np.ndarray, "*drawn"]
) -> float:
    r"""What the discriminator makes small: scores of real patches are to be above 1, of drawn ones below -1.

        L^dis = 1/2 (1/n Σ_i max(0, 1 - S_i) + 1/m Σ_i max(0, 1 + S'_i))

    Book: eq-discriminator-loss. Source: Lim and Ye (2017), arXiv:1705.02894.

    >>> discriminator_loss(np.array([2.0, 0.5]), S_hat=np.array([-3.0, 0.0]))
    0.375
    """
    real, drawn = np.maximum(0, 1 - S), np.maximum(0, 1 + S_hat)
    return float((real.mean() + drawn.mean()) / 2)


@contract
def generator_loss(S_hat: Float[np.ndarray, "*drawn"]) -> float:
    r"""What the autoencoder makes small: the scores of its patches are to be high.

        L^gan = -1/m Σ_i S'_i

    Book: eq-generator-loss. Source: Lim and Ye (2017), arXiv:1705.02894.

    >>> generator_loss(np.array([-3.0, 1.0]))
    1.0
    """
    return -float(S_hat.mean())


@contract
def adaptive_weight(
    g_rec: Float[np.ndarray, "*shape"],
    g_gan: Float[np.ndarray, "*shape"],
    delta: Positive = 1e-6,
) -> float:
    r"""The weight with which the discriminator's gradient is as long as the other losses', in the decoder's last matrix.

        λ = (√(Σ_i Σ_j (G^rec_ij)²))/(√(Σ_i Σ_j (G^gan_ij)²) + δ)

    Book: eq-adaptive-weight. Source: Esser, Rombach and Ommer (2021), section 3.1, arXiv:2012.09841.

    >>> round(adaptive_weight(np.array([3.0, 4.0]), np.array([0.0, 10.0])), 3)
    0.5
    """
    return length(g_rec) / (length(g_gan) + delta)
