"""Checks of codebooks, against PyTorch's distances and distributions, Python's own minimum, and loops over single vectors."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    longest,
    or_edge,
    size,
    small_batch,
    smallest,
    sometimes,
)
from transformer_math.modalities.codebook import (
    code_perplexity,
    codebook_loss,
    commitment_loss,
    lloyd_step,
    moving_average_codebook,
    nearest_codes,
    quantise,
    stop_gradient,
)


def vectors_and_codes(rng, ties=0.4, d=None):
    """Vectors and codes in one cloud; in some cases on a small grid, where several codes are equally near."""
    lead, n, k, d = small_batch(rng), size(rng), size(rng), d or size(rng)
    if rng.random() < ties:
        draw = lambda *shape: rng.integers(-2, 3, shape).astype(float)  # noqa: E731
    else:
        draw = lambda *shape: rng.normal(1, 2, shape)  # noqa: E731
    return draw(*lead, n, d), draw(k, d)


def first_nearest(Z, C):
    """By PyTorch's distances and Python's `min`, which keeps the first of several."""
    apart = torch.cdist(
        torch.from_numpy(Z),
        torch.from_numpy(np.broadcast_to(C, (*Z.shape[:-2], *C.shape)).copy()),
        compute_mode="donot_use_mm_for_euclid_dist",
    )
    rows = apart.reshape(-1, len(C)).tolist()
    found = [min(range(len(C)), key=row.__getitem__) for row in rows]
    return np.array(found).reshape(Z.shape[:-1])


def has_tie(Z, C):
    apart = np.sort(np.square(Z[..., None, :] - C).sum(-1), axis=-1)
    return bool(len(C) > 1 and np.any(apart[..., 0] == apart[..., 1]))


@check(
    nearest_codes,
    equation="eq-nearest-codes",
    symbols={"return": "a"},
    oracle="torch.cdist and Python's min",
)
def codes_equal_cdist(nearest_codes, rng):
    Z, C = vectors_and_codes(rng)
    if longest():  # a cloud far from 0, of which single precision keeps too little
        Z, C = (1e6 + rng.normal(1, 2, (n, 3)) for n in (1000, 7))
    return difference(nearest_codes(Z, C), first_nearest(Z, C))


codes_equal_cdist.visits("two codes equally near", has_tie)


def squares(Z, C):
    return np.square(Z[..., None, :] - C).sum(axis=-1)


@codes_equal_cdist.rejects(
    "You take the code that is farthest: argmax in place of argmin."
)
def farthest(Z, C):
    return squares(Z, C).argmax(axis=-1)


@codes_equal_cdist.rejects(
    "You compare dot products alone: a long code then wins although it is far away. Its own squared length, halved, has to come off."
)
def largest_product(Z, C):
    return (Z @ C.T).argmax(axis=-1)


@codes_equal_cdist.rejects(
    "You compare angles: with cosines a code is as near as any multiple of it. Wanted are distances."
)
def largest_cosine(Z, C):
    lengths = np.maximum(np.linalg.norm(C, axis=-1), 1e-12)
    return (Z @ (C / lengths[:, None]).T).argmax(axis=-1)


@codes_equal_cdist.rejects(
    "Of several codes that are equally near you take the last; wanted is the one with the lowest number."
)
def last_of_several(Z, C):
    return len(C) - 1 - squares(Z, C)[..., ::-1].argmin(axis=-1)


@codes_equal_cdist.rejects(
    "You reckon in single precision: of a cloud that is far from 0 it keeps too few digits to tell near codes apart."
)
def in_single_precision(Z, C):
    return squares(Z.astype(np.float32), C.astype(np.float32)).argmin(axis=-1)


@codes_equal_cdist.rejects(
    "You add the differences without squaring them: those above and below cancel."
)
def without_squares(Z, C):
    return (Z[..., None, :] - C).sum(axis=-1).argmin(axis=-1)


@codes_equal_cdist.rejects(
    "You add absolute differences: the nearest along the axes is not always the nearest as the crow flies. Square them."
)
def absolute_differences(Z, C):
    return np.abs(Z[..., None, :] - C).sum(axis=-1).argmin(axis=-1)


@codes_equal_cdist.rejects(
    "You look for the nearest vector of each code; wanted is the nearest code of each vector. Take the minimum over the other axis."
)
def nearest_vectors(Z, C):
    return squares(Z, C).argmin(axis=-2)


@check(
    quantise,
    equation="eq-quantise",
    symbols={"return": "Q"},
    oracle="torch.cdist and Python's min",
)
def rows_equal_lookup(quantise, rng):
    Z, C = vectors_and_codes(rng)
    wanted = torch.nn.functional.embedding(
        torch.from_numpy(first_nearest(Z, C)), torch.from_numpy(C)
    )
    return difference(quantise(Z, C), wanted)


@rows_equal_lookup.rejects(
    "You give a mean of all codes, near ones with more weight: wanted is one row of the codebook as it stands."
)
def soft(Z, C):
    apart = squares(Z, C)
    weights = np.exp(apart.min(-1, keepdims=True) - apart)
    return weights / weights.sum(-1, keepdims=True) @ C


@rows_equal_lookup.rejects(
    "You take the code that is farthest: argmax in place of argmin."
)
def farthest_row(Z, C):
    return C[squares(Z, C).argmax(axis=-1)]


@rows_equal_lookup.rejects(
    "You round each number to the nearest one in its column: that makes vectors which stand in no row of the codebook."
)
def column_by_column(Z, C):
    nearest = np.abs(Z[..., None, :] - C).argmin(axis=-2)
    return np.take_along_axis(C, nearest.reshape(-1, C.shape[1]), axis=0).reshape(
        Z.shape
    )


@rows_equal_lookup.rejects("You hand back the vectors themselves.")
def untouched(Z, C):
    return Z.copy()


@check(
    stop_gradient,
    equation="eq-stop-gradient",
    oracle="torch.Tensor.detach",
)
def stopping_equals_detach(stop_gradient, rng):
    x = rng.normal(size=(*batch(rng), size(rng)))
    return difference(stop_gradient(x), torch.from_numpy(x).detach())


@stopping_equals_detach.rejects(
    "You stop the numbers, too: only the gradient is to become 0, the value passes."
)
def stopped_value(x):
    return 0 * x


@stopping_equals_detach.rejects(
    "You turn the numbers around; that belongs to gradient reversal. Here they pass unchanged."
)
def reversed_value(x):
    return -x


def mean_square(Z, C):
    """Vector by vector, in plain Python."""
    rows, ids = Z.reshape(-1, Z.shape[-1]), first_nearest(Z, C).ravel()
    return math.fsum(math.dist(z, C[a]) ** 2 for z, a in zip(rows, ids)) / len(rows)


def mean_over_entries(Z, C):
    return float(np.square(Z - quantise(Z, C)).mean())


def summed_up(Z, C):
    return float(np.square(Z - quantise(Z, C)).sum())


def not_squared(Z, C):
    return float(np.sqrt(np.square(Z - quantise(Z, C)).sum(-1)).mean())


def over_all_codes(Z, C):
    return float(squares(Z, C).mean())


def as_codes_see_it(Z, C):
    return float(squares(Z, C).reshape(-1, len(C)).min(axis=0).mean())


ALIKE = {
    mean_over_entries: "You average over all entries, as `F.mse_loss` does; wanted is the mean of squared lengths, d times as much.",
    summed_up: "You add up and do not average: with twice as many vectors the loss would be twice as large.",
    not_squared: "You average distances; wanted are their squares.",
    over_all_codes: "You compare every vector with every code; wanted is the one code that it chose.",
    as_codes_see_it: "You let each code choose its nearest vector; wanted is that each vector chooses its nearest code.",
}


def check_loss(loss, equation, symbol):
    """Both losses have the same value; their twins tell them apart."""

    def mean_of_squares(loss, rng):
        Z, C = vectors_and_codes(rng)
        return difference(loss(Z, C), mean_square(Z, C))

    mean_of_squares.__name__ = f"{loss.__name__}_equals_a_loop"
    made = check(
        loss,
        equation,
        "Python's math.dist, vector by vector",
        symbols={"return": symbol},
    )(mean_of_squares)
    for wrong, message in ALIKE.items():
        made.rejects(message)(wrong)
    return made


codebook_loss_equals_a_loop = check_loss(
    codebook_loss, "eq-codebook-loss", "mathcal:L^code"
)
commitment_loss_equals_a_loop = check_loss(
    commitment_loss, "eq-commitment-loss", "mathcal:L^commit"
)


@check(
    code_perplexity,
    equation="eq-code-perplexity",
    symbols={"ids": "a", "return": "PP"},
    oracle="torch.distributions.Categorical",
)
def perplexity_equals_torch(code_perplexity, rng):
    k = size(rng)
    used = or_edge(rng, 1, k)  # often one code alone
    ids = rng.integers(used, size=(*batch(rng), 1 if smallest() else size(rng) * 3))
    counts = torch.bincount(torch.from_numpy(ids).ravel(), minlength=k)
    wanted = torch.distributions.Categorical(counts.double()).entropy().exp()
    return difference(code_perplexity(ids, k), float(wanted))


perplexity_equals_torch.visits(
    "a code that nobody chose", lambda ids, k: len(np.unique(ids)) < k
)


def shares_of(ids, k):
    return np.bincount(ids.ravel(), minlength=k) / ids.size


@perplexity_equals_torch.rejects(
    "That is the entropy; its exponential says to how many equally frequent codes it belongs."
)
def entropy(ids, k):
    p = shares_of(ids, k)
    return float(-(p[p > 0] @ np.log(p[p > 0])))


@perplexity_equals_torch.rejects(
    "You count the codes in use, however seldom they are: a code that was chosen once counts as much as all others."
)
def codes_in_use(ids, k):
    return float((shares_of(ids, k) > 0).sum())


@perplexity_equals_torch.rejects(
    "The logarithm is to the base of 2 and the power to the base of e: both want the same."
)
def mixed_bases(ids, k):
    p = shares_of(ids, k)
    return float(np.exp(-(p[p > 0] @ np.log2(p[p > 0]))))


@perplexity_equals_torch.rejects(
    "The sign is lost: the entropy is the sum of p ln p with a minus before it."
)
def without_sign(ids, k):
    return 1 / code_perplexity(ids, k)


@perplexity_equals_torch.rejects(
    "That is one over the sum of squared shares, another number of codes: wanted is the exponential of the entropy."
)
def inverse_simpson(ids, k):
    return float(1 / np.square(shares_of(ids, k)).sum())


@perplexity_equals_torch.rejects(
    "You divide by k: wanted is the number of codes, not a share of them."
)
def as_share(ids, k):
    return code_perplexity(ids, k) / k


def by_code(Z, C):
    """For each code the vectors that chose it."""
    rows, ids = Z.reshape(-1, Z.shape[-1]), first_nearest(Z, C).ravel()
    return [rows[ids == j] for j in range(len(C))]


@check(
    lloyd_step,
    equation="eq-lloyd",
    symbols={"return": "C'"},
    oracle="NumPy's mean, code by code",
)
def step_equals_means(lloyd_step, rng):
    Z, C = vectors_and_codes(rng)
    wanted = [
        chosen.mean(axis=0) if len(chosen) else c for c, chosen in zip(C, by_code(Z, C))
    ]
    return difference(lloyd_step(Z, C), np.array(wanted))


def nobody_chose(Z, C):
    return len(np.unique(nearest_codes(Z, C))) < len(C)


step_equals_means.visits("a code that nobody chose", nobody_chose)


def counts_and_sums(Z, C):
    chosen = np.eye(len(C))[nearest_codes(Z, C).ravel()]
    return chosen.sum(axis=0)[:, None], chosen.T @ Z.reshape(-1, Z.shape[-1])


@step_equals_means.rejects(
    "A code that nobody chose becomes 0 in your version: it has no mean, and stays where it is."
)
def lost_codes(Z, C):
    counts, sums = counts_and_sums(Z, C)
    return sums / np.maximum(counts, 1)


@step_equals_means.rejects(
    "You add up and do not divide by how many there are: wanted is the mean."
)
def sums_alone(Z, C):
    counts, sums = counts_and_sums(Z, C)
    return np.where(counts > 0, sums, C)


@step_equals_means.rejects(
    "You divide by the number of all vectors; wanted is the number of those that chose the code."
)
def divided_by_all(Z, C):
    counts, sums = counts_and_sums(Z, C)
    return np.where(counts > 0, sums / counts.sum(), C)


@step_equals_means.rejects(
    "You move the code half of the way: k-means takes the mean itself."
)
def half_way(Z, C):
    return (lloyd_step(Z, C) + C) / 2


@step_equals_means.rejects(
    "You count the old code among its vectors: the mean is of the vectors alone."
)
def old_code_counted(Z, C):
    counts, sums = counts_and_sums(Z, C)
    return (sums + C) / (counts + 1)


@step_equals_means.rejects(
    "You move every code to the one vector that is nearest to it; wanted is the mean of all that chose it."
)
def to_the_nearest_vector(Z, C):
    rows = Z.reshape(-1, Z.shape[-1])
    return rows[squares(rows, C).argmin(axis=0)]


def averages_so_far(rng):
    """Vectors, codes, and the averages of steps before: zeros at the first step, and at 0 for a code without vectors."""
    Z, C = vectors_and_codes(rng)
    step = 1 if rng.random() < 0.3 or smallest() else int(rng.integers(2, 40))
    if step == 1:
        return Z, C, np.zeros(len(C)), np.zeros_like(C), step
    N = rng.uniform(0, 3, len(C)) * (rng.random(len(C)) < 0.7)
    return Z, C, N, rng.normal(size=C.shape) * N[:, None], step


def averaged_by_loops(Z, C, N, M, step, decay=0.99, eps=1e-5):
    """Code by code and number by number: the weights of a moving average, divided by their sum."""
    weight = math.fsum((1 - decay) * decay**back for back in range(step))
    counts, sums, codes = [], [], []
    for chosen, n, m in zip(by_code(Z, C), N, M):
        counts.append(n * decay + len(chosen) * (1 - decay))
        sums.append(
            [
                decay * old + (1 - decay) * math.fsum(new)
                for old, new in zip(m, chosen.T)
            ]
        )
    total = math.fsum(counts) / weight
    for n, m in zip(counts, sums):
        share = (n / weight + eps) / (total + len(C) * eps)
        codes.append([x / weight / (share * total) for x in m])
    return np.array(codes), np.array(counts), np.array(sums)


@check(
    moving_average_codebook,
    equation="eq-moving-average-codebook",
    symbols={
        "step": "t",
        "decay": "gamma",
        "eps": "varepsilon",
        "return": ("C'", "N'", "M'"),
    },
    oracle="plain Python, code by code",
)
def averages_equal_loops(moving_average_codebook, rng):
    Z, C, N, M, step = averages_so_far(rng)
    given, decay = sometimes(rng, or_edge(rng, 0.0, rng.uniform(0.3, 0.99)), 0.99)
    more = {}
    if given:
        more["decay"] = decay
    if rng.random() < 0.6:
        more["eps"] = float(rng.choice([1e-3, 0.1, 0.5, 2.0]))
    if longest():
        more = {"decay": 0.9, "eps": 0.3}
    return difference(
        moving_average_codebook(Z, C, N, M, step, **more),
        averaged_by_loops(Z, C, N, M, step, **more),
    )


averages_equal_loops.visits("a code that nobody chose", nobody_chose)
averages_equal_loops.visits("a later step", lambda step: step > 1)


def of_averages(name, correct=True, smooth=True, sums=False, swapped=False):
    """The step with something left out."""

    def step_of(Z, C, N, M, step, decay=0.99, eps=1e-5):
        counts, added = counts_and_sums(Z, C)
        old, new = (1 - decay, decay) if swapped else (decay, 1 - decay)
        if sums:
            new = 1.0
        N = old * N + new * counts[:, 0]
        M = old * M + new * added
        weight = 1 - decay**step if correct else 1.0
        n, m = N / weight, M / weight
        total = n.sum()
        n = (n + eps) * (total / (total + len(C) * eps) if smooth else 1)
        return m / n[:, None], N, M

    step_of.__name__ = name
    return step_of


averages_equal_loops.rejects(
    "Your averages lack their correction: they begin at 0, and are too small in the first steps. Divide by 1 − γ^t."
)(of_averages("correction_forgotten", correct=False))
averages_equal_loops.rejects(
    "You add ε to the counts, and their sum has grown: scale them back to it, by S / (S + kε)."
)(of_averages("sum_not_kept", smooth=False))
averages_equal_loops.rejects(
    "You add the new counts and sums at full weight: that is a sum with memory; an average gives the new 1 − γ."
)(of_averages("sums_instead_of_averages", sums=True))
averages_equal_loops.rejects(
    "γ weighs the new in your version; it is how much of the old is kept."
)(of_averages("weights_exchanged", swapped=True))


@averages_equal_loops.rejects(
    "You average the codes, not the counts and the sums: a step in which one vector chose the code then weighs as much as one with a hundred."
)
def codes_averaged(Z, C, N, M, step, decay=0.99, eps=1e-5):
    _, N, M = moving_average_codebook(Z, C, N, M, step, decay, eps)
    return decay * C + (1 - decay) * lloyd_step(Z, C), N, M


@averages_equal_loops.rejects(
    "You return the corrected averages, and the next step would correct them again: return N′ and M′ as they are."
)
def corrected_twice(Z, C, N, M, step, decay=0.99, eps=1e-5):
    C, N, M = moving_average_codebook(Z, C, N, M, step, decay, eps)
    return C, N / (1 - decay**step), M / (1 - decay**step)
