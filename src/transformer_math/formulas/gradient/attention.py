"""How the formulas of attention's gradients are read."""

from transformer_math.formulas.attention.masks import mask_of_every_score
from transformer_math.formulas.reading import with_arguments

with_arguments("eq-mask-vjp")(mask_of_every_score)
