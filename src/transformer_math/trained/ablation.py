"""What the parts of a trained model do, found out by taking them away one at a time."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Size, contract, requires
from transformer_math.trees import leaves, map_leaves

Measured = TypeVar("Measured")

_divides = requires(
    lambda W_O, n_heads: len(W_O) % n_heads == 0,
    "W_O has {W_O.shape[0]} rows, which do not divide into {n_heads} heads. Fix: the number of heads that the model has.",
)


@contract
@requires(
    lambda W_O, gates: len(W_O) % len(gates) == 0,
    "W_O has {W_O.shape[0]} rows, which do not divide into {gates.shape[0]} heads. Fix: one gate for each head.",
)
def gate_heads(
    W_O: Float[np.ndarray, "Hd_v d_model"], gates: Float[np.ndarray, " n_heads"]
) -> Float[np.ndarray, "Hd_v d_model"]:
    r"""Let through of each head's output as much as its gate says: 1 leaves the head as it is, 0 removes it.

        O' = Σ_h ξ_h O_h W^O_h + b^O

    Book: eq-gated-heads. Source: Michel, Levy and Neubig (2019), section 2.2, arXiv:1905.10650.

    >>> gate_heads(np.array([[1.0, 2.0], [3.0, 4.0]]), gates=np.array([0.0, 1.0]))
    array([[0., 0.],
           [3., 4.]])
    """
    d_v = len(W_O) // len(gates)
    return np.repeat(gates, d_v)[:, None].astype(W_O.dtype) * W_O


@contract
@_divides
def gate_slopes(
    W_O: Float[np.ndarray, "Hd_v d_model"],
    gradient: Float[np.ndarray, "Hd_v d_model"],
    n_heads: Size,
) -> Float[np.ndarray, " n_heads"]:
    r"""How fast the loss changes as the gate of each head, now open, begins to close or to open further.

        (∂ L)/(∂ ξ_h) = Σ_j Σ_k W^O_hjk G_hjk

    `gradient` is that of the loss with respect to W_O; the rows j of head h are those that its output meets.
    Book: eq-gate-slopes. Source: Michel, Levy and Neubig (2019), section 4.1, arXiv:1905.10650.

    >>> gate_slopes(np.array([[1.0], [2.0]]), gradient=np.array([[3.0], [-1.0]]), n_heads=2)
    array([ 3., -2.])
    """
    return (W_O * gradient).reshape(n_heads, -1).sum(axis=1)


def attentions(parameters: Any) -> list[str]:
    """The places of all attentions in a tree of parameters, in order."""
    return [p.removesuffix(".W_O") for p in leaves(parameters) if p.endswith(".W_O")]


def without_heads(parameters: Any, place: str, removed: list[int], n_heads: int) -> Any:
    """The model with some heads of one attention removed."""
    gates = np.ones(n_heads)
    gates[removed] = 0
    return changed(parameters, f"{place}.W_O", lambda W_O: gate_heads(W_O, gates))


def without_sublayer(parameters: Any, place: str) -> Any:
    """The model with a whole sublayer silenced: an attention or a feed-forward network adds nothing any more."""
    for path in leaves(parameters):
        if path in {f"{place}.{name}" for name in ("W_O", "b_O", "W_2", "b_2")}:
            parameters = changed(parameters, path, np.zeros_like)
    return parameters


def changed(parameters: Any, path: str, change: Callable) -> Any:
    """The same tree with one leaf changed. Raises ValueError where there is no such leaf."""
    paths = list(leaves(parameters))
    if path not in paths:
        raise ValueError(
            f"{path} is no leaf of the parameters. Fix: one of {', '.join(paths[:3])}, …"
        )
    place = iter(paths)
    return map_leaves(
        lambda leaf: change(leaf) if next(place) == path else leaf, parameters
    )


def effects(
    parameters: Any, n_heads: int, quality: Callable[[Any], Measured]
) -> dict[str, list[Measured]]:
    """What is measured of the model without each of its heads, one at a time: a list for each attention.

    `quality` is asked with the changed parameters; whatever it gives stands in the list.
    """
    return {
        place: [
            quality(without_heads(parameters, place, [head], n_heads))
            for head in range(n_heads)
        ]
        for place in attentions(parameters)
    }
