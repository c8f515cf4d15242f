"""What the tests of all ideas ask of `tokenization/likelihood`."""

import numpy as np

from transformer_math.tokenization import (
    PairCounts,
    corpus_log_likelihood,
    merge_count,
    merge_gain,
    merge_score,
)


def f(x):
    return x * np.log(np.maximum(x, 1e-300))


def gain_by_likelihoods(pairs):
    out = []
    for m, a, b, same in zip(pairs.m, pairs.n_a, pairs.n_b, pairs.same):
        old, new = ([a], [a - 2 * m, m]) if same else ([a, b], [a - m, b - m, m])
        rest = pairs.N - sum(old)
        levels = [corpus_log_likelihood(np.array([*n, rest])) for n in (old, new)]
        out.append(levels[1] - levels[0])
    return np.array(out)


def gain_by_score(pairs):
    def r(n, m):
        return (n - m) * np.log(np.maximum(1 - m / n, 1e-300))

    m, a, b, N = pairs.m, pairs.n_a, pairs.n_b, float(pairs.N)
    different = m * np.log(m * N / (a * b)) + r(a, m) + r(b, m) - r(N, m)
    twins = f(m) + f(a - 2 * m) - f(a) + f(N) - f(N - m)
    return np.where(pairs.same, twins, different)


def gain_without_what_remains(pairs):
    # the counts of a and b are lowered in N only
    return f(pairs.m) + f(pairs.N) - f(pairs.N - pairs.m)


def gain_with_the_old_total(pairs):
    return merge_gain(pairs) - f(pairs.N) + f(pairs.N - pairs.m)


def gain_of_one_token(pairs):
    m = pairs.m
    return f(m) + f(pairs.n_a - m) - f(pairs.n_a) + f(pairs.N) - f(pairs.N - m)


def gain_in_bits(pairs):
    return merge_gain(pairs) / np.log(2)


def gain_as_mean(pairs):
    return merge_gain(pairs) / pairs.N


def gain_of_the_sources(pairs):
    m, N = pairs.m, pairs.N
    return m * (np.log(m / (N - m)) - np.log(pairs.n_a / N) - np.log(pairs.n_b / N))


def score_by_chance(pairs):
    by_chance = pairs.n_a * pairs.n_b / pairs.N
    return pairs.m / by_chance


def score_by_logarithms(pairs):
    p = [np.log(n / pairs.N) for n in (pairs.m, pairs.n_a, pairs.n_b)]
    return np.exp(p[0] - p[1] - p[2])


def score_of_course(pairs):
    return pairs.m / (pairs.n_a * pairs.n_b)


def pointwise_mutual_information(pairs):
    return np.log2(merge_score(pairs))


def score_times_count(pairs):
    return pairs.m * merge_score(pairs)


def score_of_the_second(pairs):
    return pairs.m / pairs.n_b


def score_by_pairs(pairs):
    # P(ab) among all pairs, P(a) and P(b) among all tokens
    p_ab = pairs.m / pairs.m.sum()
    return p_ab / (pairs.n_a / pairs.N) / (pairs.n_b / pairs.N)


def score_with_one_number(pairs):
    return pairs.m * pairs.N / pairs.n_a**2


two_pairs = PairCounts(
    *np.array([[2.0, 1], [3, 4], [2, 4]]), np.array([False, True]), N=9
)


EXAMPLES = {
    merge_count: {"pairs": two_pairs},
}

ACCEPTED = {
    corpus_log_likelihood: {"n": {"longer"}},
}

RIGHT = [
    (merge_gain, gain_by_likelihoods),
    (merge_gain, gain_by_score),
    (merge_score, score_by_chance),
    (merge_score, score_by_logarithms),
]

WRONG = [
    (merge_gain, gain_without_what_remains, "leave a and b as frequent"),
    (merge_gain, gain_with_the_old_total, "corpus becomes shorter"),
    (merge_gain, gain_of_one_token, "b loses m tokens too"),
    (merge_gain, gain_in_bits, "base 2"),
    (merge_gain, gain_as_mean, "one token of the text"),
    (merge_gain, gain_of_the_sources, "the new token with the two old ones"),
    (merge_score, score_of_course, "one N is left over"),
    (merge_score, pointwise_mutual_information, "binary logarithm"),
    (merge_score, score_times_count, "one place is worth"),
    (merge_score, score_of_the_second, "second token alone"),
    (merge_score, score_by_pairs, "m / N"),
    (merge_score, score_with_one_number, "P(a) twice"),
]
