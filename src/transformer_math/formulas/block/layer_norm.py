"""How the formulas around a sublayer are read."""

from transformer_math.block.layer_norm import layer_norm
from transformer_math.formulas.reading import reading


@reading("eq-pre-norm")
def value_of_the_sublayer(a, outputs, arguments):
    """f is known where it was called."""
    x = arguments["x"]
    normed = layer_norm(x, arguments["parameters"], arguments["eps"])
    table = [[normed, arguments["sublayer"](normed)]]
    yield a | {"Z": x, "f": {"table": table}}, {"result": outputs[0]}
