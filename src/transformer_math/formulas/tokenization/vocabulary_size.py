"""How the formulas of vocabularies are read."""

from transformer_math.formulas.reading import reading


@reading("eq-power-law")
def factor_and_exponent(a, outputs, arguments):
    """The function returns both."""
    yield a | {"n": len(a["x"])}, {"A": outputs[0], "beta": outputs[1]}


@reading("eq-zipf")
def counts_by_rank(a, outputs, arguments):
    """c are the counts, s the exponent; a fitted exponent is no value of the formula."""
    if "exponent" in arguments:
        given = {"c": arguments["counts"], "s": arguments["exponent"]}
        yield given | {"V": len(arguments["counts"])}, {"result": outputs[0]}
