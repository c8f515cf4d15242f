"""How the formulas of sinusoidal positions are read."""

from transformer_math.formulas.reading import reading


@reading("eq-position-similarity")
def at_some_place(a, outputs, arguments):
    """The place does not matter: here it is 5."""
    yield a | {"pos": 5}, {"result": outputs[0]}


@reading("eq-shift-matrix")
def shift_from_some_place(a, outputs, arguments):
    """The place does not matter: here it is 5."""
    yield a | {"pos": 5}, {"M[]": outputs[0]}
