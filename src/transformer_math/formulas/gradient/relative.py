"""How the formulas of the gradients of relative positions are read: k is half the number of rows, rounded down."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading
from transformer_math.gradient.relative import (
    relative_attention_vjp,
    relative_scores_vjp,
)


@reading("eq-relative-scores-vjp")
def with_k(a, outputs, arguments):
    """The limit follows from the table."""
    _, dS, (dQ, dK, da_K) = pulled_back(relative_scores_vjp, arguments)
    known = a | {"k": len(arguments["a_K"]) // 2, "dS": dS}
    yield known, {"dQ": dQ, "dK": dK, "da^K": da_K}


@reading("eq-relative-attention-vjp")
def with_k_and_weights(a, outputs, arguments):
    """The limit follows from the tables."""
    _, dO, (dQ, dK, dV, da_K, da_V) = pulled_back(relative_attention_vjp, arguments)
    known = a | {"k": len(arguments["a_K"]) // 2, "dO": dO}
    yield known, {"dQ": dQ, "dK": dK, "dV": dV, "da^K": da_K, "da^V": da_V}
