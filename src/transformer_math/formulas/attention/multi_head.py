"""How the formulas of multi-head attention are read."""

from transformer_math.formulas.attention.masks import under_the_causal_mask
from transformer_math.formulas.reading import reading, with_arguments

with_arguments("eq-masked-multi-head")(under_the_causal_mask)


@reading("eq-concat-heads")
def heads_by_name(a, outputs, arguments):
    """O_h is the output of head h."""
    H, n, d_v = a["O"].shape
    yield {"O[]": a["O"], "H": H, "n": n, "d_v": d_v}, {"O": outputs[0]}
