"""Right answers and mistakes for WordPiece: the gain, the score, the longest match."""

import numpy as np

from transformer_math.tokenization import (
    corpus_log_likelihood,
    encode_word_piece,
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


def encode_by_recursion(words, word_piece):
    ids = word_piece.vocabulary

    def rest(word, mark):
        for end in range(len(word), 0, -1):
            if mark + word[:end] in ids:
                behind = rest(word[end:], word_piece.prefix) if word[end:] else []
                return None if behind is None else [ids[mark + word[:end]], *behind]
        return None

    out = []
    for word in words:
        found = rest(word, "") if len(word) <= word_piece.longest_word else None
        out += [ids[word_piece.unknown]] if found is None else found
    return out


def encode_by_sorted_pieces(words, word_piece):
    ids, prefix = word_piece.vocabulary, word_piece.prefix
    longest = sorted(ids, key=len, reverse=True)
    out = []
    for word in words:
        found, left, size = [], word, 0
        while left and len(word) <= word_piece.longest_word:
            mark = prefix * (left != word or size > 0)
            piece = next(
                (
                    t
                    for t in longest
                    if (mark + left).startswith(t) and len(t) > len(mark)
                ),
                None,
            )
            if piece is None:
                break
            found.append(ids[piece])
            left, size = left[len(piece) - len(mark) :], 1
        out += [ids[word_piece.unknown]] if left else found
    return out


def encode_without_limit(words, word_piece):
    return encode_word_piece(words, word_piece._replace(longest_word=10**9))


def encode_with_fixed_names(words, word_piece):
    ids = word_piece.vocabulary
    out = []
    for word in words:
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            fits = [
                end
                for end in range(start + 1, len(word) + 1)
                if mark + word[start:end] in ids
            ]
            if not fits:
                found = [ids[word_piece.unknown]]
                break
            found.append(ids[mark + word[start : fits[-1]]])
            start = fits[-1]
        out += (
            found if len(word) <= word_piece.longest_word else [ids[word_piece.unknown]]
        )
    return out


def encode_shortest(words, word_piece):
    ids = word_piece.vocabulary
    out = []
    for word in words:
        found, start = [], 0
        for end in range(1, len(word) + 1):
            piece = (word_piece.prefix if start else "") + word[start:end]
            if piece in ids:
                found.append(ids[piece])
                start = end
        whole = start == len(word) <= word_piece.longest_word
        out += found if whole else [ids[word_piece.unknown]]
    return out


def encode_unknown_per_character(words, word_piece):
    ids, unknown = word_piece.vocabulary, word_piece.vocabulary[word_piece.unknown]
    out = []
    for word in words:
        if len(word) > word_piece.longest_word:
            out.append(unknown)
            continue
        start = 0
        while start < len(word):
            mark = word_piece.prefix if start else ""
            fits = [
                end
                for end in range(start + 1, len(word) + 1)
                if mark + word[start:end] in ids
            ]
            end = fits[-1] if fits else start + 1
            out.append(ids.get(mark + word[start:end], unknown) if fits else unknown)
            start = end
    return out


def encode_whole_words(words, word_piece):
    unknown = word_piece.vocabulary[word_piece.unknown]
    return [word_piece.vocabulary.get(word, unknown) for word in words]


def encode_skipping_unknown(words, word_piece):
    unknown = word_piece.vocabulary[word_piece.unknown]
    return [i for i in encode_word_piece(words, word_piece) if i != unknown]


RIGHT = [
    (merge_gain, gain_by_likelihoods),
    (merge_gain, gain_by_score),
    (merge_score, score_by_chance),
    (merge_score, score_by_logarithms),
    (encode_word_piece, encode_by_recursion),
    (encode_word_piece, encode_by_sorted_pieces),
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
    (encode_word_piece, encode_without_limit, "words of any length"),
    (encode_word_piece, encode_with_fixed_names, "word_piece.prefix"),
    (encode_word_piece, encode_shortest, "shortest"),
    (encode_word_piece, encode_unknown_per_character, "each character"),
    (encode_word_piece, encode_whole_words, "whole words alone"),
    (encode_word_piece, encode_skipping_unknown, "drop words"),
]
