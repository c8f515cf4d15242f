"""How the formulas of the decoder's gradients are read."""

from transformer_math.formulas.attention.masks import under_the_causal_mask
from transformer_math.formulas.reading import with_arguments

for _label in (
    "eq-decoder-layer-vjp",
    "eq-decoder-layer-pre-norm-vjp",
    "eq-decoder-vjp",
    "eq-decoder-pre-norm-vjp",
):
    with_arguments(_label)(under_the_causal_mask)
