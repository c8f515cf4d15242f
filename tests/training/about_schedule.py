"""What the tests of all ideas ask of `training/schedule`."""

import math

from transformer_math.training import cosine_schedule, inverse_root_schedule

ACCEPTED = {
    cosine_schedule: {"peak": {"1.5"}},
}

RIGHT = [
    (inverse_root_schedule, lambda t, d, w: min(t**-0.5, t / w**1.5) / d**0.5),
    (
        inverse_root_schedule,
        lambda t, d, w: (t / w if t < w else math.sqrt(w / t)) / math.sqrt(d * w),
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: (
            peak * t / w
            if t < w
            else peak * math.cos(math.pi / 2 * (min(t, T) - w) / (T - w)) ** 2
        ),
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: (
            peak * min(t / w, (1 + math.cos(math.pi * max(t - w, 0) / (T - w))) / 2)
            if t < T
            else 0.0
        ),
    ),
]

WRONG = [
    (inverse_root_schedule, lambda t, d, w: d**-0.5 * t**-0.5, "You have no warm-up"),
    (
        inverse_root_schedule,
        lambda t, d, w: min(t**-0.5, t * w**-1.5),
        "You lack the factor",
    ),
    (inverse_root_schedule, lambda t, d, w: min(1 / t, t / w**2) / d**0.5, "it gave"),
    (inverse_root_schedule, lambda t, d, w: min(t**-0.5, t * w**-1.5) / d, "it gave"),
    (
        inverse_root_schedule,
        lambda t, d, w: inverse_root_schedule(t + 1, d, w),
        "it gave",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: peak * (1 + math.cos(math.pi * t / T)) / 2,
        "it gave",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: cosine_schedule(t, 1.0, w, T),
        "You ignore the peak",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: peak * t / w if t < w else peak,
        "it gave",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: cosine_schedule(t, 2 * peak, w, T),
        "times 2 throughout",
    ),
    (
        cosine_schedule,
        lambda t, peak, w, T: (
            peak * t / w if t < w else peak * math.cos(math.pi / 2 * (t - w) / (T - w))
        ),
        "it gave",
    ),
]

EQUIVALENT = {
    "cosine_schedule": {
        "step < warm_up → step <= warm_up": "At the end of the warm-up both branches give the peak.",
    },
}

EQUIVALENT_FORMULAS = {
    "eq-cosine-schedule": {
        "t \\le w": "at t = w both cases give the peak",
    },
}
