"""How the formulas of masks are read."""

import numpy as np

from transformer_math.attention.masks import causal_mask
from transformer_math.formulas.reading import with_arguments


@with_arguments("eq-mask")
def mask_of_every_score(arguments):
    """One mask may serve several rows."""
    mask = np.broadcast_to(arguments["mask"], arguments["S"].shape)
    return arguments | {"mask": mask}


def under_the_causal_mask(arguments):
    """The formula has the causal mask in it, and no other."""
    return arguments | {"mask": causal_mask(len(arguments["Z"]))}
