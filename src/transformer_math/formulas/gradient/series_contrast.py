"""How the formulas of the gradients of TS2Vec's loss are read."""

from transformer_math.formulas.modalities.series_contrast import one_series
from transformer_math.formulas.reading import with_arguments

with_arguments("eq-contrast-vjp")(one_series)
