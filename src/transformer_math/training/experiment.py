"""What a part does, from runs with it and runs without: on average over everything else, and together with another part."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import contract

Pairs = Float[np.ndarray, "2 m"]


@contract
def main_effect(losses: Pairs) -> float:
    r"""By how much a loss rises when a part is taken out, on average over pairs of runs that differ in this part alone.

        effect(u) = 1/m Σ_{j=0}^(m-1) (u_{0,j} - u_{1,j})

    Row 0 holds the losses without the part, row 1 those with it; the losses may have any unit.

    Book: eq-main-effect. Source: Fisher (1935), chapter VI.

    >>> main_effect(np.array([[2.0, 5.0], [1.0, 2.0]]))
    2.0
    """
    without, with_it = losses
    return float((without - with_it).mean())


@contract
def interaction(with_other: Pairs, without_other: Pairs) -> float:
    r"""How much more a part does where another one is missing: the difference of its two effects.

        interaction(u, u') = effect(u') - effect(u)

    Both arguments hold losses as `main_effect` takes them: of runs with the other part, and of runs without it.

    Book: eq-interaction. Source: Fisher (1935), chapter VI.

    >>> interaction(np.array([[2.0], [1.0]]), np.array([[5.0], [1.0]]))
    3.0
    """
    return main_effect(without_other) - main_effect(with_other)
