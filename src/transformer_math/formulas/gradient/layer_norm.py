"""How the formulas of the gradients around a sublayer are read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading
from transformer_math.gradient.layer_norm import layer_norm_vjp, pre_norm_vjp


@reading("eq-pre-norm-vjp")
def sublayer_that_is_passed_in(a, outputs, arguments):
    """The sublayer is an argument: its pullback is known where it is called."""
    rest = arguments["parameters"], arguments["eps"]
    normed, _ = layer_norm_vjp(arguments["x"], *rest)
    _, back = arguments["sublayer_vjp"](normed)
    _, gradient, (dx, dp) = pulled_back(pre_norm_vjp, arguments)
    table = {"Sublayer*": {"table": [[normed, gradient, back(gradient)[0]]]}}
    wanted = {"dZ": dx, "dgamma": dp.gamma, "dbeta": dp.beta}
    yield a | {"dZ'": gradient} | table, wanted
