"""How the formulas of the digamma function are read."""

from transformer_math.formulas.reading import reading


@reading("eq-digamma")
def numbers_one_by_one(a, outputs, arguments):
    """The formula speaks of one number."""
    for x, value in zip(arguments["x"].ravel()[:4], outputs[0].ravel()):
        yield {"x": x}, {"result": value}


@reading("eq-digamma-series")
def numbers_of_the_series_one_by_one(a, outputs, arguments):
    """This one speaks of one number, too; near 0 its last terms weigh most."""
    for y, value in zip(arguments["y"].ravel()[:4], outputs[0].ravel()):
        yield {"y": y}, {"result": value}
