"""How the formulas of attention alone are read: each layer brings its own normalisation and its own heads."""

from transformer_math.formulas.cases import pulled_back, with_d
from transformer_math.formulas.reading import reading
from transformer_math.formulas.symbols import parameters_as_symbols
from transformer_math.trained.attention_only import attention_only_vjp


def of_each_layer(layers, n_heads):
    """The parameters of LayerNorm_1, MultiHead_1, LayerNorm_2, …"""
    own = {}
    for number, p in enumerate(layers, 1):
        heads = parameters_as_symbols(p.attention, n_heads)
        norm = parameters_as_symbols(p.norm, n_heads)
        own[f"LayerNorm_{number}"] = {"parameters": norm}
        own[f"MultiHead_{number}"] = {"parameters": heads}
    return own


@reading("eq-attention-only")
def way_there(a, outputs, arguments):
    """What enters the first layer is Z⁽⁰⁾."""
    layers, H = arguments["layers"], arguments["n_heads"]
    given = {"Z^(0)": a["Z"], "N": len(layers), "H": H}
    yield given | of_each_layer(layers, H), {"result": outputs[0]}


@reading("eq-attention-only-vjp")
def way_back(a, outputs, arguments):
    """The gradient arrives at the last layer."""
    layers, H = arguments["layers"], arguments["n_heads"]
    _, gradient, (dZ, dlayers) = pulled_back(attention_only_vjp, arguments)
    given = {"Z^(0)": a["Z"], "N": len(layers), "H": H, "dZ^(N)": gradient}
    wanted = with_d(of_each_layer(dlayers, H)) | {"dZ^(0)": dZ}
    yield given | of_each_layer(layers, H), wanted
