"""The gradients of the input: the lookup of embeddings, their scale, and the positions that are added."""

import math

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback, twin
from transformer_math.embedding.lookup import embed
from transformer_math.position.sinusoidal import add_position, sinusoidal


@twin
def embed_vjp(
    ids: Int[np.ndarray, "... n"], E: Float[np.ndarray, "V d_model"]
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""The lookup and its pullback: every position adds its gradient to the row that it took (scatter-add).

        dE_vj = Σ_{i : t_i = v} dX_ij

    A token that stands in two places gets the sum of both; `dE[ids] = dX` would keep the last. Sorted by id, equal ids
    are neighbours, and `np.add.reduceat` sums each run. Book: eq-embedding-vjp. Source: Bengio et al. (2003), JMLR 3.

    >>> X, pullback = embed_vjp(np.array([1, 1]), E=np.zeros((3, 1)))
    >>> pullback(np.array([[10.0], [5.0]]))
    (array([[ 0.],
           [15.],
           [ 0.]]),)
    """
    short = ids.astype(np.min_scalar_type(len(E)))  # of few bytes: sorted by digits
    order = np.argsort(short, axis=None, kind="stable")
    rows, starts = np.unique(ids.ravel()[order], return_index=True)

    def pullback(dX):
        dE = np.zeros_like(E)
        sorted_rows = dX.reshape(-1, E.shape[1])[order]
        dE[rows] = np.add.reduceat(sorted_rows, starts, axis=0)
        return (dE,)

    return embed(ids, E), pullback


@twin
def scale_embedding_vjp(
    X: Float[np.ndarray, "... n d_model"],
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Scaled embeddings and their pullback: a factor on the way there is the same factor on the way back.

        dX ← √d_model dX

    Book: eq-embedding-scale-vjp.

    >>> scale_embedding_vjp(np.ones((1, 4)))[1](np.ones((1, 4)))
    (array([[2., 2., 2., 2.]]),)
    """
    root = math.sqrt(X.shape[-1])
    return root * X, lambda dX: (root * dX,)


@twin
def add_position_vjp(
    X: Float[np.ndarray, "... n d_model"], P: Float[np.ndarray, "n d_model"]
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Embeddings at their places, and the pullback: the same P was added to every sequence, and collects from all.

        dX_bij = dZ_bij
        dP_ij = Σ_b dZ_bij

    Book: eq-add-position-vjp.

    >>> Z, pullback = add_position_vjp(np.zeros((2, 1, 1)), P=np.ones((1, 1)))
    >>> pullback(np.array([[[10.0]], [[5.0]]]))[1]
    array([[15.]])
    """
    return add_position(X, P), lambda dZ: (dZ, dZ.reshape(-1, *P.shape).sum(axis=0))


@twin
def embed_at_positions_vjp(
    ids: Int[np.ndarray, "... n"], E: Float[np.ndarray, "V d_model"]
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""What enters the first layer, and its pullback to the embeddings; the positions are constants and take nothing.

        Embed*(t, E; dZ) = dE
        dE_vj = √d_model Σ_{i : t_i = v} dZ_ij
        v = 0, …, V - 1

    Book: eq-embed-at-positions-vjp.
    """
    X, embedding = embed_vjp(ids, E)
    X, scale = scale_embedding_vjp(X)
    P = sinusoidal(*X.shape[-2:]).astype(X.dtype, copy=False)
    return add_position(X, P), lambda dZ: embedding(*scale(dZ))
