"""How the formulas of linear biases are read."""

from transformer_math.formulas.reading import reading


@reading("eq-alibi-slopes")
def next_lower_power(a, outputs, arguments):
    """p is the largest power of two that is at most H."""
    H = a["H"]
    yield {"H": H, "p": max(2**k for k in range(H) if 2**k <= H)}, {"m[]": outputs[0]}
