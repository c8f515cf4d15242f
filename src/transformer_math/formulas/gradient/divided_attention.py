"""How the formula of the gradients of a layer of divided attention is read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.divided_attention import (
    attentions_where_they_are_called,
)
from transformer_math.formulas.reading import reading
from transformer_math.gradient.divided_attention import divided_layer_vjp
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.modalities.divided_attention import space_mask, time_mask


@reading("eq-divided-layer-vjp")
def pullbacks_where_they_are_called(a, outputs, arguments):
    """The pullbacks of the two attentions are known where they are called."""
    Z, p, H, F = (arguments[name] for name in ("Z", "parameters", "n_heads", "frames"))
    places = (len(Z) - 1) // F
    value, gradient, (dZ, _) = pulled_back(divided_layer_vjp, arguments)
    ((forward, _),) = attentions_where_they_are_called(a, (value,), arguments)
    U_1, _ = layer_norm_vjp(Z, p.norm_1)
    O, time = self_attention_vjp(U_1, p.time, H, time_mask(F, places))
    U_2, norm_2 = layer_norm_vjp(Z + O, p.norm_2)
    S, space = self_attention_vjp(U_2, p.space, H, space_mask(F, places))
    U_3, norm_3 = layer_norm_vjp(Z + O + S, p.norm_3)
    through, _ = feed_forward_vjp(U_3, p.feed_forward)[1](gradient)
    dZ_2 = gradient + norm_3(through)[0]
    of_space = space(dZ_2)[0]
    dZ_1 = dZ_2 + norm_2(of_space)[0]
    tables = {
        "Space*": {"table": [[U_2, dZ_2, of_space]]},
        "Time*": {"table": [[U_1, dZ_1, time(dZ_1)[0]]]},
    }
    yield forward | tables | {"dZ_out": gradient}, {"dZ": dZ}
