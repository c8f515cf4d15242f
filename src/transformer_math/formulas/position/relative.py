"""How the formulas of relative positions are read: k is half the number of rows, rounded down."""

from transformer_math.formulas.reading import reading


@reading("eq-clipped-offsets")
def limit_as_k(a, outputs, arguments):
    """The formula calls the limit k."""
    yield {"n": a["n"], "k": a["limit"]}, {"D": outputs[0]}


@reading("eq-relative-scores")
def with_k(a, outputs, arguments):
    """The limit follows from the table."""
    yield a | {"k": len(arguments["a_K"]) // 2}, {"result": outputs[0]}


@reading("eq-relative-attention")
@reading("eq-relative-attention-by-shift")
def output_and_weights(a, outputs, arguments):
    """The limit follows from the tables."""
    k = len(arguments["a_K"]) // 2
    yield a | {"k": k}, {"O": outputs[0], "A": outputs[1]}
