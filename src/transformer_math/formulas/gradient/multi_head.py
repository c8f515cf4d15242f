"""How the formulas of multi-head attention's gradients are read."""

import numpy as np

from transformer_math.attention.multi_head import AttentionParameters
from transformer_math.formulas.attention.masks import under_the_causal_mask
from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading, with_arguments
from transformer_math.gradient.multi_head import self_attention_vjp

with_arguments("eq-masked-multi-head-vjp")(under_the_causal_mask)


@reading("eq-self-attention-vjp")
def one_head_alone(a, outputs, arguments):
    """The formula speaks of one head without biases, whose output leaves as it is."""
    p, n_v = arguments["parameters"], arguments["parameters"].W_V.shape[1]
    zeros = (np.zeros_like(b) for b in (p.b_Q, p.b_K, p.b_V, p.b_O))
    one = AttentionParameters(p.W_Q, p.W_K, p.W_V, np.eye(n_v, len(p.b_O)), *zeros)
    inputs = {"Z": arguments["Z"], "parameters": one, "n_heads": 1}
    _, gradient, (dZ, _) = pulled_back(self_attention_vjp, inputs)
    given = {"Z": a["Z"], "W^Q": p.W_Q, "W^K": p.W_K, "W^V": p.W_V}
    yield given | {"dO": gradient @ one.W_O.T, "d_k": p.W_Q.shape[1]}, {"dZ": dZ}
