"""The gradients of word2vec: of the mean around a place, and of the loss of negative sampling."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback, requires_as, twin
from transformer_math.embedding.negative_sampling import negative_sampling_loss
from transformer_math.embedding.word2vec import cbow_context
from transformer_math.gradient.lookup import embed_vjp


@twin
@requires_as(cbow_context)
def cbow_context_vjp(
    contexts: Int[np.ndarray, "... c"], E: Float[np.ndarray, "V d"]
) -> tuple[Float[np.ndarray, "... d"], Pullback]:
    r"""The mean around each place and its pullback: each word around gets an equal share.

        dE_v = 1/c Σ_i Σ_{j=0}^(c-1) [A_ij = v] dH_i

    Book: eq-cbow-vjp.

    >>> H, pullback = cbow_context_vjp(np.array([[0, 1], [1, -1]]), E=np.zeros((2, 1)))
    >>> pullback(np.array([[1.0], [10.0]]))
    (array([[ 0.5],
           [10.5]]),)
    """
    known = contexts >= 0
    c = known.sum(axis=-1)[..., None]
    _, to_rows = embed_vjp(contexts[known], E)

    def pullback(dH):
        shares = (dH / c.astype(E.dtype)).reshape(-1, E.shape[1])
        return to_rows(np.repeat(shares, c.ravel(), axis=0))

    return cbow_context(contexts, E), pullback


@twin
@requires_as(negative_sampling_loss)
def negative_sampling_loss_vjp(
    H: Float[np.ndarray, "m d"],
    targets: Int[np.ndarray, " m"],
    negatives: Int[np.ndarray, "m k"],
    U: Float[np.ndarray, "V d"],
) -> tuple[float, Pullback]:
    r"""The loss and its pullback: the real word pulls by what is missing to 1, each invented one pushes by its probability.

        dH_i = dL/m ((σ(H_i · U_{t_i}) - 1) U_{t_i} + Σ_r σ(H_i · U_{s_ir}) U_{s_ir})
        dU_v = dL/m Σ_{i=0}^(m-1) ([t_i = v] (σ(H_i · U_v) - 1) + Σ_r [s_ir = v] σ(H_i · U_v)) H_i
        σ(x) = 1/(1 + e^(-x))

    Book: eq-negative-sampling-vjp. Source: Mikolov et al. (2013), arXiv:1310.4546.

    >>> H, U = np.ones((1, 1)), np.zeros((2, 1))
    >>> loss, pullback = negative_sampling_loss_vjp(H, np.array([0]), np.array([[1]]), U)
    >>> pullback(1.0)[1]
    array([[-0.5],
           [ 0.5]])
    """
    words = np.concatenate([targets[:, None], negatives], axis=1)
    rows, to_U = embed_vjp(words, U)
    scores = np.vecdot(H[:, None], rows)
    errors = (1 + np.tanh(scores / 2)) / 2
    errors[:, 0] -= 1
    # a real word costs -ln of its probability, an invented one -ln of what is missing to 1
    scores[:, 0] *= -1
    loss = float(np.logaddexp(0, scores).sum() / len(H))

    def pullback(gradient):
        e = gradient / len(H) * errors
        return np.einsum("mk,mkd->md", e, rows), *to_U(e[..., None] * H[:, None])

    return loss, pullback
