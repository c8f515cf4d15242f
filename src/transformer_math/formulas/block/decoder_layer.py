"""How the formulas of the decoder's layer are read."""

from transformer_math.formulas.attention.masks import under_the_causal_mask
from transformer_math.formulas.reading import with_arguments

with_arguments("eq-decoder-layer")(under_the_causal_mask)
with_arguments("eq-decoder-layer-pre-norm")(under_the_causal_mask)
