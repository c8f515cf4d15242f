"""How the formula of the means of senses is read."""

from transformer_math.formulas.reading import reading


@reading("eq-centroids")
def mean_of_each_class(a, outputs, arguments):
    """y are the labels."""
    yield (
        {"X": a["X"], "y": a["labels"], "K": int(a["labels"].max()) + 1},
        {"c[]": outputs[0]},
    )
