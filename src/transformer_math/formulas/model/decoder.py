"""How the formula of the decoder is read."""

from transformer_math.formulas.attention.masks import under_the_causal_mask
from transformer_math.formulas.reading import with_arguments

with_arguments("eq-decoder")(under_the_causal_mask)
