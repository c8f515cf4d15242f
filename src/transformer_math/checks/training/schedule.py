"""Checks of the learning rate, step by step."""

import math

import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, smallest
from transformer_math.training.schedule import cosine_schedule, inverse_root_schedule


@check(
    inverse_root_schedule,
    equation="eq-inverse-root-schedule",
    symbols={"step": "t", "warm_up": "w"},
    oracle="its two branches, by exact roots",
)
def inverse_root_follows_its_branches(inverse_root_schedule, rng):
    step, d_model, warm_up = (
        1 if smallest() else int(rng.integers(1, 50)) for _ in range(3)
    )
    rising = step / (warm_up * math.sqrt(warm_up))
    falling = 1 / math.sqrt(step)
    wanted = (rising if step < warm_up else falling) / math.sqrt(d_model)
    return difference(inverse_root_schedule(step, d_model, warm_up), wanted)


@inverse_root_follows_its_branches.rejects(
    "You take the larger of the two: the rate rises first, so the smaller one holds."
)
def larger(step, d_model, warm_up):
    return d_model**-0.5 * max(step**-0.5, step * warm_up**-1.5)


@inverse_root_follows_its_branches.rejects(
    "You lack the factor 1 / √d_model: wider models take smaller steps."
)
def any_width(step, d_model, warm_up):
    return min(step**-0.5, step * warm_up**-1.5)


@inverse_root_follows_its_branches.rejects(
    "The two branches do not meet in your version: the warm-up's power is −3/2."
)
def torn(step, d_model, warm_up):
    return d_model**-0.5 * min(step**-0.5, step * warm_up**-0.5)


@inverse_root_follows_its_branches.rejects(
    "You have no warm-up: before step w the rate is t w^(−3/2)."
)
def no_warm_up(step, d_model, warm_up):
    return d_model**-0.5 * step**-0.5


@check(
    cosine_schedule,
    equation="eq-cosine-schedule",
    symbols={"step": "t", "warm_up": "w", "steps": "T", "peak": "eta_max"},
    oracle="torch.optim.lr_scheduler: LinearLR, then CosineAnnealingLR",
    cases=20,
)
def cosine_equals_torch(cosine_schedule, rng):
    warm_up, down = size(rng, mostly=2), size(rng)
    peak, steps = float(rng.uniform(0.01, 2)), warm_up + down
    step = int(rng.integers(1, 2 * steps))
    parameter = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.SGD([parameter], lr=peak)
    rise = torch.optim.lr_scheduler.LinearLR(
        optimiser, 1 / warm_up, 1.0, total_iters=warm_up - 1
    )
    fall = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=down)
    both = torch.optim.lr_scheduler.SequentialLR(
        optimiser, [rise, fall], milestones=[warm_up - 1]
    )
    for _ in range(step - 1):  # PyTorch's first rate is that of step 1
        optimiser.step()
        both.step()
    of_torch = optimiser.param_groups[0]["lr"]  # which rises again after the end
    wanted = of_torch if step <= steps else 0.0
    return difference(cosine_schedule(step, peak, warm_up, steps), wanted)


cosine_equals_torch.visits("t > T", lambda step, steps: step > steps)
cosine_equals_torch.visits("t = T", lambda step, steps: step == steps)
cosine_equals_torch.visits("t = w", lambda step, warm_up: step == warm_up)
cosine_equals_torch.excuses(
    "the warm-up takes a step, and leaves one at least", "steps = 1"
)


@cosine_equals_torch.rejects(
    "After the last step your cosine rises again: after T the rate stays 0, so the way is at most 1, min(1, (t − w) / (T − w))."
)
def unclamped(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up))) / 2


@cosine_equals_torch.rejects(
    "You have no warm-up: before step w the rate is t / w of the peak."
)
def cosine_alone(step, peak, warm_up, steps):
    done = max(step - warm_up, 0) / (steps - warm_up)
    return peak * (1 + math.cos(math.pi * done)) / 2


@cosine_equals_torch.rejects(
    "Your cosine begins with step 0, and not where the warm-up ends: its way is (t − w) / (T − w)."
)
def from_the_start(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak * (1 + math.cos(math.pi * step / steps)) / 2


@cosine_equals_torch.rejects(
    "You come down in a straight line: wanted half a cosine wave."
)
def linear(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak * max(steps - step, 0) / (steps - warm_up)


@cosine_equals_torch.rejects(
    "Your rate falls below zero: it is (1 + cos) / 2 that goes from 1 to 0."
)
def whole_cosine(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak * math.cos(math.pi * (step - warm_up) / (steps - warm_up))


@cosine_equals_torch.rejects(
    "You ignore the peak: the rate is at most 1 in your version."
)
def peak_of_one(step, peak, warm_up, steps):
    return cosine_schedule(step, 1.0, warm_up, steps)


@inverse_root_follows_its_branches.rejects(
    "Your line is too steep: it has to reach 1 / √(d w) at step w, so its slope is that divided by w."
)
def too_steep(step, d_model, warm_up):
    height = 1 / math.sqrt(d_model * warm_up)
    return height * step if step < warm_up else height * math.sqrt(warm_up / step)


@inverse_root_follows_its_branches.rejects(
    "Your rate stays at its height after the warm-up: from there it falls as 1 / √t."
)
def never_falling(step, d_model, warm_up):
    return min(step / warm_up, 1) / math.sqrt(d_model * warm_up)


@inverse_root_follows_its_branches.rejects("Your rate falls as 1 / t; wanted 1 / √t.")
def falling_too_fast(step, d_model, warm_up):
    return min(step / warm_up, warm_up / step) / math.sqrt(d_model * warm_up)


@inverse_root_follows_its_branches.rejects(
    "You divide by d_model; wanted its square root."
)
def width_without_root(step, d_model, warm_up):
    return inverse_root_schedule(step, d_model, warm_up) / math.sqrt(d_model)


@cosine_equals_torch.rejects(
    "Your wave goes from 2 to 0: it is (1 + cos) / 2 that goes from 1 to 0."
)
def not_halved(step, peak, warm_up, steps):
    rate = cosine_schedule(step, peak, warm_up, steps)
    return rate if step < warm_up else 2 * rate


@cosine_equals_torch.rejects(
    "Your cosine runs over a whole wave, down and up again: its angle goes from 0 to π."
)
def down_and_up(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak * (1 + math.cos(2 * math.pi * (step - warm_up) / (steps - warm_up))) / 2


@cosine_equals_torch.rejects(
    "Your cosine does not come to its end: the way from the warm-up to the last step is T − w long, not T."
)
def too_long_a_way(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak * (1 + math.cos(math.pi * (step - warm_up) / steps)) / 2


@cosine_equals_torch.rejects("Your wave rises: wanted 1 + cos, which falls.")
def rising(step, peak, warm_up, steps):
    if step < warm_up:
        return peak * step / warm_up
    return peak - cosine_schedule(step, peak, warm_up, steps)


@cosine_equals_torch.rejects(
    "Before the warm-up ends your cosine has an angle below 0, and is smaller than the line: its way begins at w, max(t − w, 0)."
)
def angle_below_zero(step, peak, warm_up, steps):
    angle = math.pi * (step - warm_up) / (steps - warm_up)
    return min(peak * step / warm_up, peak * (1 + math.cos(angle)) / 2)
