"""How far each step goes: a warm-up, while Adam's means are rough, then ever smaller steps."""

import math

from transformer_math.contract import Positive, Size, contract, requires


@contract
def inverse_root_schedule(step: Size, d_model: Size, warm_up: Size) -> float:
    r"""The learning rate of the original Transformer: up in a straight line, then down with the root of the steps.

        η_t = 1/√d_model min(1/√t, t/(w √w))

    Steps count from 1; both terms are equal at t = w, where the rate is largest. Book: eq-inverse-root-schedule.
    Source: Vaswani et al. (2017), section 5.3, arXiv:1706.03762.

    >>> [round(inverse_root_schedule(t, d_model=512, warm_up=4000), 6) for t in (1000, 4000, 16000)]
    [0.000175, 0.000699, 0.000349]
    """
    return d_model**-0.5 * min(step**-0.5, step * warm_up**-1.5)


@contract
@requires(
    lambda warm_up, steps: warm_up < steps,
    "warm_up is {warm_up} of {steps} steps, which leaves none to come down. Fix: a shorter warm-up, or more steps.",
)
def cosine_schedule(step: Size, peak: Positive, warm_up: Size, steps: Size) -> float:
    r"""Up to the peak in a straight line, then down to zero along half a cosine wave.

        η_t = {η_max t/w if t < w; η_max (1 + cos(π min(1, (t - w)/(T - w)))) / 2 otherwise}

    Steps count from 1; after the last one, T, the rate stays 0. Raises ValueError where the warm-up takes all steps.
    Book: eq-cosine-schedule. Source: Loshchilov and Hutter (2017), arXiv:1608.03983.

    >>> [round(cosine_schedule(t, peak=1.0, warm_up=10, steps=110), 3) for t in (5, 10, 60, 110, 160)]
    [0.5, 1.0, 0.5, 0.0, 0.0]
    """
    if step < warm_up:
        return peak * step / warm_up
    done = min((step - warm_up) / (steps - warm_up), 1.0)
    return peak * (1 + math.cos(math.pi * done)) / 2
