"""How the formula of CBOW's gradient is read."""

from transformer_math.formulas.embedding.word2vec import a_full_window
from transformer_math.formulas.reading import with_arguments

with_arguments("eq-cbow-vjp")(a_full_window)
