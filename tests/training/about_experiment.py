"""What the tests of all ideas ask of `training/experiment`."""

import numpy as np

from transformer_math.training import interaction, main_effect

ACCEPTED = {
    main_effect: {"losses": {"longer"}},
    interaction: {"with_other": {"longer"}, "without_other": {"longer"}},
}

NO_TWIN = {
    main_effect: "it compares runs that are over; nothing is learnt through it",
    interaction: "it compares runs that are over; nothing is learnt through it",
}

RIGHT = [
    (main_effect, lambda u: u[0].mean() - u[1].mean()),
    (main_effect, lambda u: -np.diff(u, axis=0).sum() / u.shape[1]),
    (interaction, lambda u, v: (v[0] - v[1] - u[0] + u[1]).mean()),
    (interaction, lambda u, v: np.mean(v[0]) - np.mean(v[1]) - np.mean(u[0] - u[1])),
]

WRONG = [
    (main_effect, lambda u: np.mean(u[1] - u[0]), "the wrong way round"),
    (main_effect, lambda u: np.sum(u[0] - u[1]), "divide by their number"),
    (main_effect, lambda u: np.mean(u[0]), "it gave"),
    (main_effect, lambda u: u[0] - u[1], "it gave ["),
    (main_effect, lambda u: np.mean(u[0]) / np.mean(u[1]), "it gave"),
    (main_effect, lambda u: np.median(u[0] - u[1]), "the median"),
    (interaction, lambda u, v: main_effect(u) - main_effect(v), "the wrong way round"),
    (interaction, lambda u, v: main_effect(v + u), "add the two effects"),
    (interaction, lambda u, v: main_effect(v - u) / 2, "You halve"),
    (interaction, lambda u, v: main_effect(v), "without the other part alone"),
    (interaction, lambda u, v: np.mean(v - u), "the effect of the other part"),
]
