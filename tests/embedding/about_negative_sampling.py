"""What the tests of all ideas ask of `embedding/negative_sampling`."""

import numpy as np

from transformer_math.embedding import (
    keep_probability,
    negative_sampling_loss,
    noise_distribution,
    shifted_pmi,
)

ACCEPTED = {
    noise_distribution: {"counts": {"longer"}, "power": {"0", "1.5"}},
    keep_probability: {"counts": {"longer"}, "threshold": {"1.5"}},
    negative_sampling_loss: {"negatives": {"longer"}},
    shifted_pmi: {"C": {"longer"}, "smoothing": {"0", "1.5"}},
}

NO_TWIN = {
    noise_distribution: "counted from a text once, before anything is learned",
    keep_probability: "counted from a text once, before anything is learned",
    shifted_pmi: "counted from a text, to compare with what was learned",
}


def by_sigmoids(H, targets, negatives, U):
    def minus_log_sigmoid(x):
        return np.log1p(np.exp(-np.abs(x))) + np.maximum(-x, 0)

    real = (H * U[targets]).sum(-1)
    invented = np.einsum("md,mkd->mk", H, U[negatives])
    return (minus_log_sigmoid(real) + minus_log_sigmoid(-invented).sum(1)).mean()


def case_by_case(H, targets, negatives, U):
    total = 0.0
    for h, real, invented in zip(H, targets, negatives):
        total += np.logaddexp(0, -h @ U[real])
        total += sum(np.logaddexp(0, h @ U[v]) for v in invented)
    return total / len(H)


def shares_to_the_power(counts, power=0.75):
    shares = (counts / counts.sum()) ** power
    return shares / shares.sum()


RIGHT = [
    (noise_distribution, shares_to_the_power),
    (
        noise_distribution,
        lambda counts, power=0.75: [c**power / sum(counts**power) for c in counts],
    ),
    (negative_sampling_loss, by_sigmoids),
    (negative_sampling_loss, case_by_case),
]

WRONG = [
    (
        noise_distribution,
        lambda counts, power=0.75: counts / counts.sum(),
        "The power is missing",
    ),
    (
        noise_distribution,
        lambda counts, power=0.75: (counts / counts.sum()) ** power,
        "powers of shares do not sum to 1",
    ),
    (
        noise_distribution,
        lambda counts, power=0.75: counts**power / (counts**power).max(),
        "it gave",
    ),
    (
        noise_distribution,
        lambda counts, power=0.75: np.full(len(counts), 1 / len(counts)),
        "it gave",
    ),
    (
        noise_distribution,
        lambda counts, power=0.75: counts**power,
        "You do not divide by the sum",
    ),
    (
        negative_sampling_loss,
        lambda H, t, s, U: len(H) * by_sigmoids(H, t, s, U),
        "You add the losses of all cases up",
    ),
    (
        negative_sampling_loss,
        lambda H, t, s, U: -by_sigmoids(H, t, s, U),
        "Your sign is turned",
    ),
    (
        negative_sampling_loss,
        lambda H, t, s, U: np.logaddexp(0, -(H * U[t]).sum(-1)).mean(),
        "You leave the invented words out",
    ),
    (
        negative_sampling_loss,
        lambda H, t, s, U: (
            np.logaddexp(0, -(H * U[t]).sum(-1)).mean()
            + np.logaddexp(0, np.einsum("md,mkd->mk", H, U[s])).mean()
        ),
        "You average over the invented words",
    ),
    (
        negative_sampling_loss,
        lambda H, t, s, U: (
            np.logaddexp(0, -(H * U[t]).sum(-1))
            + np.logaddexp(0, -np.einsum("md,mkd->mk", H, U[s])).sum(-1)
        ).mean(),
        "Your invented words have the wrong sign",
    ),
    (
        negative_sampling_loss,
        lambda H, t, s, U: (
            -(
                np.log(1 / (1 + np.exp(-(H * U[t]).sum(-1))))
                + np.log(1 / (1 + np.exp((H[:, None] * U[s]).sum(-1)))).sum(-1)
            ).mean()
        ),
        "Your loss is infinite or NaN where e^x is beyond floats",
    ),
]

EQUIVALENT = {
    "keep_probability": {
        "f > threshold → f >= threshold": "Where both are equal, the root of their quotient is 1 as well.",
    },
    "negative_sampling_loss": {
        "axis=-1 → axis=1": "The invented words are a matrix: its last axis is 1.",
    },
    "shifted_pmi": {
        "noise_distribution(C.sum(axis=0), smoothing) → noise_distribution(C.mean(axis=0), smoothing)": "The noise is divided by its sum, so that its scale is gone.",
        "np.errstate(divide='ignore') → np.errstate()": "A warning more, and the same numbers.",
        "C.sum(axis=1) → C.mean(axis=1)": "A mean is above 0 where the sum is.",
        "C.sum(axis=0).min → C.mean(axis=0).min": "A mean is above 0 where the sum is.",
    },
}
