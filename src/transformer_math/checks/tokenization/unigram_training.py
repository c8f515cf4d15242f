"""Checks of Unigram's training: by listing every segmentation, and by writing corpora out."""

from collections import Counter

import numpy as np
import torch

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest, sometimes
from transformer_math.checks.tokenization.unigram import (
    probability,
    random_unigram,
    segmentations,
)
from transformer_math.tokenization.unigram import Unigram, lattices, viterbi
from transformer_math.tokenization.unigram_training import (
    em_step,
    expected_counts,
    log_likelihood,
    maximise,
    maximise_bayesian,
    removal_loss,
    train_unigram,
)

UNKNOWN = "an unknown character"
LONG_WORD = "a word whose probability is beneath the smallest number"
HEAD = (
    "ß"  # a letter that is no part of a longer piece: a head of it has one segmentation
)


def random_corpus(rng, letters="abcé"):
    """A few short words with counts; one in the smallest case."""
    return {
        "".join(rng.choice(list(letters), size=rng.integers(1, 8))): int(
            rng.integers(1, 9)
        )
        for _ in range(1 if smallest() else rng.integers(1, 6))
    }


def complete_unigram(rng):
    """Random pieces, every letter among them."""
    while not set("abcé") <= set((unigram := random_unigram(rng)).pieces):
        pass
    return unigram


def with_unknown(rng):
    """A corpus in which some words have a character that no piece knows."""
    return random_corpus(rng, "abcé☃" if rng.random() < 0.4 else "abcé")


def training_case(rng):
    """A corpus and pieces for it; the longest has a word with a head of 1,000 letters, about e⁻³⁰⁰⁰ times as probable."""
    corpus, unigram = with_unknown(rng), complete_unigram(rng)
    if not longest():
        return corpus, unigram
    first, *others = corpus
    scores = np.append(unigram.log_probabilities, -3.0)
    return (
        {HEAD * 1000 + first: corpus[first], **{w: corpus[w] for w in others}},
        Unigram((*unigram.pieces, HEAD), scores),
    )


def parted(word):
    """The length of a word's head, and what comes after it."""
    tail = word.lstrip(HEAD)
    return len(word) - len(tail), tail


def has_long_word(word_counts, unigram):
    """Whether a word has a long head."""
    return any(parted(word)[0] for word in word_counts)


def has_unknown(word_counts, unigram):
    """Whether a word has a character that is no piece."""
    return not set("".join(word_counts)) <= set(unigram.pieces)


def share_of(segmentation, unigram):
    """The probability of a segmentation; a character that is no piece has e⁻¹⁰ times that of the rarest one."""
    scores = dict(zip(unigram.pieces, unigram.log_probabilities))
    rarest = min(scores.values())
    unknown = {piece: rarest - 10.0 for piece in segmentation if len(piece) == 1}
    return probability(
        segmentation, Unigram(*zip(*{**unknown, **scores}.items(), strict=True))
    )


def listed_counts(word_counts, unigram):
    """The expected counts, by a list of all segmentations of every word."""
    wanted: Counter = Counter()
    for word, count in word_counts.items():
        head, tail = parted(word)
        wanted[HEAD] += count * head
        shares = [(s, share_of(s, unigram)) for s in segmentations(tail)]
        whole = sum(share for _, share in shares)
        for segmentation, share in shares:
            for piece in segmentation if share else ():
                wanted[piece] += count * share / whole
    return np.array([wanted[piece] for piece in unigram.pieces], dtype=float)


def listed_likelihood(word_counts, unigram):
    """The log-likelihood of a corpus, by a list of all segmentations of every word."""
    score_of_head = dict(zip(*unigram)).get(HEAD, 0.0)
    return sum(
        count
        * (
            head * score_of_head
            + np.log(sum(share_of(s, unigram) for s in segmentations(tail)))
        )
        for (head, tail), count in zip(map(parted, word_counts), word_counts.values())
    )


@check(
    log_likelihood,
    equation="eq-unigram-likelihood",
    oracle="a list of all segmentations of every word",
)
def likelihood_equals_enumeration(log_likelihood, rng):
    corpus, unigram = training_case(rng)
    return difference(
        log_likelihood(corpus, unigram), listed_likelihood(corpus, unigram)
    )


likelihood_equals_enumeration.visits(UNKNOWN, has_unknown)
likelihood_equals_enumeration.visits(LONG_WORD, has_long_word)


def known_words(word_counts, unigram):
    """The words that are made of known characters alone."""
    return {
        word: count
        for word, count in word_counts.items()
        if set(word) <= set(unigram.pieces)
    }


@likelihood_equals_enumeration.rejects(
    "You leave out words with an unknown character: such a character counts, e⁻¹⁰ times as probable as the rarest piece."
)
def likelihood_of_known_words(word_counts, unigram):
    known = known_words(word_counts, unigram)
    return log_likelihood(known, unigram) if known else 0.0


@likelihood_equals_enumeration.rejects(
    "You give a word with an unknown character a probability of 0: such a character counts, e⁻¹⁰ times as probable as the rarest piece."
)
def likelihood_without_the_unknown(word_counts, unigram):
    known = known_words(word_counts, unigram)
    return log_likelihood(word_counts, unigram) if known == word_counts else -np.inf


@likelihood_equals_enumeration.rejects(
    "You take the best segmentation of each word; wanted the sum over all of them."
)
def likelihood_of_the_best(word_counts, unigram):
    return sum(
        count * np.log(probability(viterbi(word, unigram), unigram))
        for word, count in word_counts.items()
    )


@likelihood_equals_enumeration.rejects(
    "You add up probabilities and take the logarithm at the end: in a long word every one of them is 0. Stay with logarithms, "
    "as forward_sums does."
)
def likelihood_by_probabilities(word_counts, unigram):
    sums = (ways_to(np.exp(L))[-1] for L in lattices(word_counts, unigram))
    return sum(np.log(p) * count for p, count in zip(sums, word_counts.values()))


def ways_to(P):
    """The summed probability of all ways to each place, in probabilities."""
    sums = np.eye(len(P))[0]
    for j in range(1, len(P)):
        sums[j] = sums[:j] @ P[:j, j]
    return sums


@likelihood_equals_enumeration.rejects(
    "You count each distinct word once: its count in the corpus must weigh in."
)
def likelihood_of_distinct_words(word_counts, unigram):
    return log_likelihood(dict.fromkeys(word_counts, 1), unigram)


@check(
    expected_counts,
    equation="eq-unigram-counts",
    oracle="a list of all segmentations of every word",
)
def expected_counts_equal_enumeration(expected_counts, rng):
    corpus, unigram = training_case(rng)
    return difference(expected_counts(corpus, unigram), listed_counts(corpus, unigram))


expected_counts_equal_enumeration.visits(UNKNOWN, has_unknown)
expected_counts_equal_enumeration.visits(LONG_WORD, has_long_word)


@expected_counts_equal_enumeration.rejects(
    "You leave out words with an unknown character: their other pieces are counted all the same."
)
def counts_of_known_words(word_counts, unigram):
    known = known_words(word_counts, unigram)
    return expected_counts(known, unigram) if known else np.zeros(len(unigram.pieces))


@expected_counts_equal_enumeration.rejects(
    "You count the best segmentation alone: every segmentation counts, as far as it is probable."
)
def counts_of_the_best(word_counts, unigram):
    found: Counter = Counter()
    for word, count in word_counts.items():
        for piece in viterbi(word, unigram):
            found[piece] += count
    return np.array([found[piece] for piece in unigram.pieces], dtype=float)


@expected_counts_equal_enumeration.rejects(
    "You count each distinct word once: its count in the corpus must weigh in."
)
def counts_of_distinct_words(word_counts, unigram):
    return expected_counts(dict.fromkeys(word_counts, 1), unigram)


@expected_counts_equal_enumeration.rejects(
    "You multiply and divide probabilities, which are 0 in a long word: take exp of a sum of logarithms, as edge_posteriors does."
)
def counts_by_probabilities(word_counts, unigram):
    found: Counter = Counter()
    for (word, count), L in zip(word_counts.items(), lattices(word_counts, unigram)):
        P = np.exp(L)
        to, onward = ways_to(P), ways_to(P[::-1, ::-1].T)[::-1]
        gamma = to[:, None] * P * onward / to[-1]
        for i, j in np.argwhere(gamma > 0):
            found[word[i:j]] += count * gamma[i, j]
    return np.array([found[piece] for piece in unigram.pieces], dtype=float)


@expected_counts_equal_enumeration.rejects(
    "You count a piece once in a segmentation that holds it twice."
)
def once_in_a_segmentation(word_counts, unigram):
    found: Counter = Counter()
    for word, count in word_counts.items():
        tail = parted(word)[1]
        shares = [(s, share_of(s, unigram)) for s in segmentations(tail)]
        whole = sum(share for _, share in shares)
        for segmentation, share in shares:
            for piece in set(segmentation) if share else ():
                found[piece] += count * share / whole
    return np.array([found[piece] for piece in unigram.pieces], dtype=float)


@expected_counts_equal_enumeration.rejects(
    "You weigh segmentations by their probability, and do not divide by the word's: the posterior of a word's segmentations adds up to 1."
)
def prior_in_place_of_posterior(word_counts, unigram):
    found: Counter = Counter()
    for word, count in word_counts.items():
        for segmentation in segmentations(parted(word)[1]):
            share = probability(segmentation, unigram)
            for piece in segmentation if share else ():
                found[piece] += count * share
    return np.array([found[piece] for piece in unigram.pieces], dtype=float)


@check(
    em_step,
    equation="eq-unigram-em",
    oracle="a list of all segmentations of every word",
)
def em_step_equals_enumeration(em_step, rng):
    corpus, unigram = random_corpus(rng), complete_unigram(rng)
    counts = listed_counts(corpus, unigram)
    after = em_step(corpus, unigram)
    return worst(
        [
            difference(after.pieces, unigram.pieces),
            difference(np.exp(after.log_probabilities), counts / counts.sum()),
        ]
    )


@check(
    em_step,
    equation="eq-unigram-em",
    oracle="the likelihood before and after, by a list of all segmentations: it never falls",
)
def em_never_lowers_the_likelihood(em_step, rng):
    corpus, unigram = random_corpus(rng), complete_unigram(rng)
    errors = []
    for _ in range(3):
        before = listed_likelihood(corpus, unigram)
        unigram = em_step(corpus, unigram)
        fallen = (before - listed_likelihood(corpus, unigram)) / max(1.0, -before)
        errors += [
            max(0.0, fallen) if fallen == fallen else np.inf,
            abs(np.exp(unigram.log_probabilities).sum() - 1),
        ]
    return worst(errors)


@em_never_lowers_the_likelihood.rejects(
    "Your probabilities do not add up to 1: divide the expected counts by their sum."
)
@em_step_equals_enumeration.rejects(
    "Your probabilities do not add up to 1: divide the expected counts by their sum."
)
def not_normalised(word_counts, unigram):
    return Unigram(
        unigram.pieces, np.log(expected_counts(word_counts, unigram) + 1e-300)
    )


@em_step_equals_enumeration.rejects(
    "You re-estimate from the best segmentations alone: use expected counts, to which all segmentations contribute."
)
def hard_em(word_counts, unigram):
    counts = counts_of_the_best(word_counts, unigram) + 1e-300
    return Unigram(unigram.pieces, np.log(counts / counts.sum()))


@em_never_lowers_the_likelihood.rejects(
    "You forget the counts of the words: a frequent word must weigh more."
)
@em_step_equals_enumeration.rejects(
    "You forget the counts of the words: a frequent word must weigh more."
)
def em_of_distinct_words(word_counts, unigram):
    return em_step(dict.fromkeys(word_counts, 1), unigram)


@em_never_lowers_the_likelihood.rejects(
    "You take the digamma of the counts: that is no step of EM, and its probabilities add up to less than 1."
)
@em_step_equals_enumeration.rejects(
    "You take the digamma of the counts: an EM step takes their shares."
)
def bayesian_step(word_counts, unigram):
    counts = expected_counts(word_counts, unigram)
    return Unigram(unigram.pieces, maximise_bayesian(counts))


@em_step_equals_enumeration.rejects(
    "You return the old probabilities: the new ones are the shares of the expected counts."
)
def nothing_learnt(word_counts, unigram):
    return unigram


@em_step_equals_enumeration.rejects(
    "You return probabilities; a Unigram holds their logarithms."
)
def shares_without_logarithm(word_counts, unigram):
    after = em_step(word_counts, unigram)
    return Unigram(after.pieces, np.exp(after.log_probabilities))


@em_step_equals_enumeration.rejects(
    "You take the mean of the old probabilities and the new ones: an EM step puts the new ones in their place."
)
def half_a_step(word_counts, unigram):
    new = np.exp(em_step(word_counts, unigram).log_probabilities)
    return Unigram(
        unigram.pieces, np.log((new + np.exp(unigram.log_probabilities)) / 2)
    )


@check(
    maximise_bayesian,
    equation="eq-unigram-digamma",
    oracle="torch.digamma",
)
def bayesian_equals_torch(maximise_bayesian, rng):
    counts = rng.gamma(1.0, 20.0, size=int(rng.integers(1, 8))) + 1e-3
    if len(counts) > 2:
        counts[1] = 0.0
    sums = torch.tensor(counts).sum()
    wanted = torch.digamma(torch.tensor(counts)) - torch.digamma(sums)
    return difference(np.exp(maximise_bayesian(counts)), torch.exp(wanted))


@bayesian_equals_torch.rejects(
    "You take the plain shares: the digamma stands in place of both logarithms."
)
def plain_shares(counts):
    return maximise(counts)


@bayesian_equals_torch.rejects(
    "You divide by the sum at the end; the reference does not, and its probabilities add up to less than 1."
)
def made_to_add_up(counts):
    scores = maximise_bayesian(counts)
    return scores - np.log(np.exp(scores).sum())


@check(
    removal_loss,
    equation="eq-unigram-loss",
    oracle="writing the corpus out piece by piece, before and after",
)
def loss_equals_writing_out(removal_loss, rng):
    size = int(rng.integers(2, 6))
    counts = rng.integers(0, 20, size=size) + (np.arange(size) == 0)
    piece = int(rng.integers(size))
    others = [t for t in range(size) if t != piece]
    alternative = rng.choice(others, size=rng.integers(1, 5)).tolist()
    before = [t for t in range(size) for _ in range(counts[t])]
    after = [
        u for t in before for u in (alternative if t == piece else [t])
    ]  # wherever it stood
    wanted = written(before) - written(after)
    return difference(removal_loss(counts.astype(float), piece, alternative), wanted)


def written(tokens):
    """The log-likelihood of a written corpus under its own shares."""
    share = {t: tokens.count(t) / len(tokens) for t in set(tokens)}
    return float(sum(np.log(share[t]) for t in tokens))


loss_equals_writing_out.excuses(
    "what is removed is written with other pieces", "pieces = 1"
)


@loss_equals_writing_out.rejects(
    "You keep the old probabilities: without the piece all shares are other ones, those of its alternative larger."
)
def old_probabilities(counts, piece, alternative):
    shares = counts / counts.sum()
    return counts[piece] * (np.log(shares[piece]) - np.log(shares[alternative]).sum())


@loss_equals_writing_out.rejects(
    "A piece that the alternative holds twice gains twice as much."
)
def alternative_as_a_set(counts, piece, alternative):
    return removal_loss(counts, piece, sorted(set(alternative)))


@loss_equals_writing_out.rejects(
    "You drop the piece's occurrences from the corpus; they are written with the alternative."
)
def occurrences_dropped(counts, piece, alternative):
    rest = np.delete(counts, piece)
    before, after = counts / counts.sum(), rest / rest.sum()
    return float(counts @ np.log(before) - rest @ np.log(after))


@loss_equals_writing_out.rejects(
    "Your loss has the wrong sign: it is what the likelihood was, less what it becomes."
)
def gain(counts, piece, alternative):
    return -removal_loss(counts, piece, alternative)


class Tied(Exception):
    """Two pieces, or two ways to write one, are equally good: rounding decides, and nothing can be compared."""


def slow_training(word_counts, vocab_size, longest, maximiser, loss=None, rounds=2):
    """Unigram's training as it is defined, every segmentation listed."""
    pieces = _frequent(word_counts, longest)
    scores = np.log([count * len(piece) for piece, count in pieces.items()])
    unigram = Unigram(tuple(pieces), scores - np.log(np.exp(scores).sum()))
    while True:
        for _ in range(rounds):
            counts = listed_counts(word_counts, unigram)
            scores = np.asarray(maximiser(np.maximum(counts, 0.5)))
            unigram = Unigram(unigram.pieces, scores)
        if len(unigram.pieces) <= vocab_size:
            return unigram
        counts = listed_counts(word_counts, unigram)
        losses = _losses(unigram, counts, loss or _written_loss)
        room = max(vocab_size, int(0.75 * len(losses)))
        order = np.argsort(-losses, kind="stable")
        if 0 < losses[order[room - 1]] - losses[order[room]] < 1e-5:
            raise Tied
        stay = np.sort(order[:room])
        unigram = Unigram(tuple(unigram.pieces[t] for t in stay), scores[stay])


def _frequent(word_counts, longest):
    found: Counter = Counter()
    for word, count in word_counts.items():
        for i in range(len(word)):
            for j in range(i + 1, min(i + longest, len(word)) + 1):
                found[word[i:j]] += count
    kept = [piece for piece in found if len(piece) == 1 or found[piece] >= 2]
    return {piece: found[piece] for piece in sorted(kept, key=lambda p: (len(p), p))}


def _losses(unigram, counts, loss):
    number = {piece: t for t, piece in enumerate(unigram.pieces)}
    losses = np.full(len(counts), np.inf)
    for t, piece in enumerate(unigram.pieces):
        others = [
            (probability(s, unigram), s) for s in segmentations(piece) if len(s) > 1
        ]
        if others:
            others.sort(reverse=True)
            if len(others) > 1 and others[0][0] - others[1][0] < 1e-9 * others[0][0]:
                raise Tied
            losses[t] = loss(counts, t, [number[u] for u in others[0][1]])
    return losses


def _written_loss(counts, piece, alternative):
    after = counts.copy()
    after[piece] = 0
    np.add.at(after, alternative, counts[piece])
    before, after = (own[own > 0] for own in (counts, after))
    return before @ np.log(before / before.sum()) - after @ np.log(after / after.sum())


@check(
    train_unigram,
    equation="eq-unigram-train",
    oracle="a slow trainer that lists every segmentation and tries every removal",
    cases=24,
)
def training_equals_slow_training(train_unigram, rng):
    while True:
        corpus = {
            "".join(rng.choice(list("abc"), size=rng.integers(2, 7))): int(
                rng.integers(1, 300)
            )
            for _ in range(1 if smallest() else 7)
        }
        given, longest = sometimes(rng, int(rng.integers(1, 5)), 16)
        more = rng.integers(12 if given else 90)  # few removals: long pieces often tie
        vocab_size = len({c for word in corpus for c in word}) + int(more)
        also, maximiser = sometimes(rng, maximise_bayesian, maximise)
        also = also if given else ()
        try:
            wanted = slow_training(
                corpus, vocab_size, longest, maximiser if also else maximise
            )
        except Tied:
            continue
        got = train_unigram(corpus, vocab_size, *given, *also)
        return worst(
            [
                difference(list(got.pieces), list(wanted.pieces)),
                difference(got.log_probabilities, wanted.log_probabilities),
            ]
        )


training_equals_slow_training.excuses(
    "a word whose cuts differ has two letters", "vocab_size = 1"
)


@training_equals_slow_training.rejects(
    "You take away single characters as well: they stay, so that every word can be written."
)
def characters_pruned(word_counts, vocab_size, longest=16, maximiser=maximise):
    unigram = train_unigram(word_counts, vocab_size, longest, maximiser)
    order = np.sort(np.argsort(-unigram.log_probabilities)[: max(1, vocab_size - 1)])
    return Unigram(
        tuple(unigram.pieces[t] for t in order), unigram.log_probabilities[order]
    )


@training_equals_slow_training.rejects(
    "You take away the rarest pieces: it is the loss of likelihood that decides, and a rare piece may have no good alternative."
)
def rarest_first(word_counts, vocab_size, longest=16, maximiser=maximise):
    return slow_training(
        word_counts, vocab_size, longest, maximiser, lambda c, t, other: c[t]
    )


@training_equals_slow_training.rejects(
    "You take away the pieces that are missed most: those with the smallest loss go."
)
def most_missed_first(word_counts, vocab_size, longest=16, maximiser=maximise):
    return slow_training(
        word_counts,
        vocab_size,
        longest,
        maximiser,
        lambda c, t, other: -_written_loss(c, t, other),
    )


@training_equals_slow_training.rejects(
    "You run one round of EM between two prunings; wanted two."
)
def one_round(word_counts, vocab_size, longest=16, maximiser=maximise):
    return slow_training(word_counts, vocab_size, longest, maximiser, rounds=1)


@training_equals_slow_training.rejects(
    "Your vocabulary is larger than asked for: go on until it has `vocab_size` pieces."
)
def nothing_pruned(word_counts, vocab_size, longest=16, maximiser=maximise):
    return train_unigram(word_counts, 10**6, longest, maximiser)


@training_equals_slow_training.rejects(
    "You keep the most frequent substrings; most of them are parts of one another, and hardly used."
)
def most_frequent_substrings(word_counts, vocab_size, longest=16, maximiser=maximise):
    found = _frequent(word_counts, longest)
    characters = [piece for piece in found if len(piece) == 1]
    longer = sorted(found.keys() - set(characters), key=found.get, reverse=True)
    pieces = tuple(characters + longer[: vocab_size - len(characters)])
    return em_step(word_counts, Unigram(pieces, np.log([found[p] for p in pieces])))
