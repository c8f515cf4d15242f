"""How the formula of unknown tokens is read."""

from transformer_math.formulas.reading import reading


@reading("eq-unknown-share")
def with_the_length(a, outputs, arguments):
    """n is the number of the ids."""
    yield {**a, "n": len(a["t"])}, {"result": outputs[0]}
