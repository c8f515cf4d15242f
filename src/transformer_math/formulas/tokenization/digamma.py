"""How the formula of the digamma function is read."""

from transformer_math.formulas.reading import reading


@reading("eq-digamma")
def numbers_one_by_one(a, outputs, arguments):
    """The formula speaks of one number."""
    for x, value in zip(arguments["x"].ravel()[:4], outputs[0].ravel()):
        yield {"x": x}, {"result": value}
