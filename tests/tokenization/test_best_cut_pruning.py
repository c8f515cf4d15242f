"""Unigram learnt SentencePiece's way, beside the program itself: the same pieces but for a few, and texts cut as long."""

import io
import math
from collections import defaultdict

import numpy as np
import pytest
import sentencepiece
import torch
from bad_input import assert_refused, refusals

from transformer_math.corpus import moby_dick, split_held_out
from transformer_math.tokenization import (
    SPACE_MARK,
    encode_sentence,
    train_sentencepiece,
    train_unigram_by_best_cuts,
)
from transformer_math.tokenization.best_cut_pruning import (
    ABSENT,
    _losses,
    _most_missed,
    _most_probable,
)
from transformer_math.tokenization.substrings import frequent_substrings
from transformer_math.tokenization.unigram import UNKNOWN_PENALTY
from transformer_math.tokenization.unigram_training import KEPT
from transformer_math.tokenization.word_lattices import WordLattices

TRAINING, HELD_OUT = split_held_out(moby_dick())


def theirs(text, vocab_size):
    """What the program learns, with bytes, and without a change of the text."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")),
        model_writer=model,
        model_type="unigram",
        vocab_size=vocab_size,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        num_threads=1,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


@pytest.mark.parametrize("vocab_size", [1259, 2259])
def test_the_pieces_are_those_of_the_program_but_for_a_few(vocab_size):
    text = TRAINING[:250_000]
    program = theirs(text, vocab_size)
    ours = train_sentencepiece(text, vocab_size, inside="unigram")
    assert len(ours.pieces) == len(program) == vocab_size
    wanted = {program.id_to_piece(i) for i in range(259, vocab_size)}
    assert len(wanted & set(ours.pieces[259:])) >= 0.95 * len(wanted)
    lengths = [len(encode_sentence(HELD_OUT, ours)), len(program.encode(HELD_OUT))]
    assert abs(lengths[0] / lengths[1] - 1) < 0.01


def test_the_best_cuts_of_all_words_are_those_of_each():
    """Counts of pieces in the best cuts, beside all ways of each word one by one."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        words = {"".join(rng.choice(list("ab"), size=n)): n for n in range(2, 7)}
        found = frequent_substrings(words, least=1)
        scores = np.log(rng.dirichlet(np.ones(len(found.texts))))
        everything = np.full(len(scores), True)
        counted = WordLattices(found, np.array([*words.values()], float), everything)
        known = dict(zip(found.texts, scores))
        wanted = dict.fromkeys(found.texts, 0.0)
        for word, count in words.items():
            best = max(ways(word), key=lambda way: sum(map(known.__getitem__, way)))
            for piece in best:
                wanted[piece] += count
        assert counted.best_counts(scores).tolist() == [*wanted.values()]


def ways(word):
    """All segmentations of a word."""
    if not word:
        return [[]]
    ends = range(1, len(word) + 1)
    return [[word[:end], *rest] for end in ends for rest in ways(word[end:])]


def missed_most(words, known, kept, room):
    """Which of the kept pieces stay, found by writing down every way to cut each word and each piece."""

    def best(text, without=None):
        known_ways = [way for way in ways(text) if way != [without]]
        return max(known_ways, key=lambda way: sum(known[t] for t in way), default=None)

    used = dict.fromkeys(kept, 0.0)
    for word, count in words.items():
        for piece in best(word):
            used[piece] = used.get(piece, 0.0) + count * (piece in kept)
    total, losses = sum(used.values()), {}
    for piece, count in used.items():
        other = best(piece, without=piece)
        if not count or (other and sum(known[t] for t in other) > known[piece]):
            continue
        with_other = total + (len(other or []) - 1) * count
        without = sum(math.log((used.get(t, 0.0) + count) / with_other) for t in other or [])  # fmt: skip
        losses[piece] = count * (math.log(count / total) - without) if other else math.inf  # fmt: skip
    return set(sorted(losses, key=losses.get, reverse=True)[:room])


def test_the_pieces_that_would_be_missed_most_stay():
    rng, left_out = np.random.default_rng(0), 0
    for _ in range(60):
        sizes = rng.integers(2, 6, size=20)
        words = {"".join(rng.choice(list("abcd"), size=n)): int(n) for n in sizes}
        found = frequent_substrings(words, least=1)
        single = np.array([len(text) == 1 for text in found.texts])
        kept = rng.random(len(single)) < 0.25
        kept[np.flatnonzero(single)[1:]] = True  # one character, at most, was dropped
        drawn = np.log(rng.dirichlet(np.full(len(kept), 0.5)))
        scores = np.where(kept, drawn, -np.inf)
        unknown = np.where(single, scores[kept].min() - UNKNOWN_PENALTY, -np.inf)
        known = dict(zip(found.texts, np.where(kept, scores, unknown)))
        counts = np.array([*words.values()], float)
        lattices = WordLattices(found, counts, kept | single)
        pieces = [text for text, own in zip(found.texts, kept) if own]
        for wanted in (3, len(pieces) - 1):
            stay = _most_missed(found, lattices, scores, kept, single, wanted)
            room = max(wanted, int(KEPT * kept.sum()))
            most = missed_most(words, known, pieces, room)
            assert {text for text, stays in zip(found.texts, stay) if stays} == most
            left_out += len(missed_most(words, known, pieces, len(pieces))) > room
    assert left_out > 20


def learnt(words, vocab_size, others):
    """What the training learns, found by writing down every way to cut each word: pieces and scores, without the order."""
    found = frequent_substrings(words, 16)
    counts = dict(zip(found.texts, found.counts.tolist()))
    kept = {t for t in counts if len(t) == 1 or followed_by_different(t, words)}
    scores = {t: counts[t] * len(t) for t in kept}
    scores = {t: math.log(x / sum(scores.values())) for t, x in scores.items()}
    wanted = int(1.1 * (vocab_size + others))
    while True:
        for _ in range(2):
            expected = shares(words, with_characters(scores, counts))
            kept = {t for t in kept if expected.get(t, 0.0) >= 0.5}
            size = digamma(sum(expected[t] for t in kept))
            scores = {t: digamma(expected[t]) - size for t in kept}
        if len(kept) > wanted:
            known = with_characters(scores, counts)
            order, room = [t for t in counts if t in kept], int(KEPT * len(kept))
            kept = missed_most(words, known, order, max(wanted, room))
            scores = {t: scores[t] for t in kept}
        if len(kept) <= wanted:
            break
    lost = [t for t in counts if len(t) == 1 and t not in kept]
    lost.sort(key=lambda t: -counts[t])
    low = min(scores.values())
    longer = sorted((t for t in counts if len(t) > 1 and t in kept), key=lambda t: -scores[t])  # fmt: skip
    room = vocab_size - sum(len(t) == 1 for t in counts)
    for t in longer[room:]:
        del scores[t]
    return scores | {t: low + 1e-4 * i for i, t in enumerate(lost)}


def with_characters(scores, counts):
    """The scores, those of characters that were dropped, and nothing for what is no piece."""
    unknown = min(scores.values()) - UNKNOWN_PENALTY
    characters = {t: unknown for t in counts if len(t) == 1}
    return defaultdict(lambda: -math.inf, characters | scores)


def followed_by_different(piece, words):
    """Whether a piece may be one, and at least two characters come after it; the end of a word counts as one."""
    after = set()
    for word in words:
        starts = [i for i in range(len(word)) if word.startswith(piece, i)]
        after |= {word[i + len(piece) :][:1] for i in starts}
    bare = piece.removeprefix("▁")
    one_kind = bare.isalpha() or not any(map(str.isalpha, bare))
    return len(after) > 1 and "▁" not in bare and one_kind


def shares(words, known):
    """How often each piece is expected, where the ways of a word are as probable as their pieces together."""
    expected = {}
    for word, count in words.items():
        odds = np.exp([sum(known[t] for t in way) for way in ways(word)])
        for way, share in zip(ways(word), odds / odds.sum()):
            for piece in way:
                expected[piece] = expected.get(piece, 0.0) + count * share
    return expected


def digamma(x):
    return torch.digamma(torch.tensor(x, dtype=torch.float64)).item()


def test_pieces_and_scores_are_those_of_a_training_that_writes_down_all_cuts():
    rng = np.random.default_rng(0)
    for said, others in (({}, 0), ({"others": 1}, 1), ({"others": 3}, 3)):
        sizes = rng.integers(1, 7, size=30)
        drawn = ["▁" + "".join(rng.choice(list("abc-"), size=n)) for n in sizes]
        words = dict(zip(drawn, rng.integers(1, 6, size=30).tolist()))
        for vocab_size in range(6, 26):
            wanted = learnt(words, vocab_size, others)
            made = train_unigram_by_best_cuts(words, vocab_size, **said)
            assert set(made.pieces) == set(wanted)
            given = [wanted[piece] for piece in made.pieces]
            np.testing.assert_allclose(made.log_probabilities, given, rtol=0, atol=1e-9)


def test_of_equal_cuts_the_longest_last_piece_wins():
    found = frequent_substrings({"aab": 2})
    pieces = WordLattices(found, np.array([2.0]), np.full(len(found.texts), True))
    scores = np.full(len(found.texts), -1.0)
    scores[found.texts.index("aab")] = -9.0  # a | ab and aa | b are the best
    best = dict(zip(found.texts, pieces.best_counts(scores)))
    assert {piece for piece, count in best.items() if count} == {"a", "ab"}


def test_a_piece_is_letters_or_other_signs_behind_one_mark():
    words = {f"▁{a}{b}": 9 for a in ("sea", "1851", "a-b") for b in (",", "!", "x", "")}
    pieces = train_unigram_by_best_cuts(words, vocab_size=60).pieces
    assert all(SPACE_MARK not in piece[1:] for piece in pieces)
    bare = [piece.removeprefix(SPACE_MARK) for piece in pieces]
    assert all(p.isalpha() or not any(map(str.isalpha, p)) for p in bare if p)
    assert "▁sea" in pieces and "▁1851" in pieces


def test_what_is_always_followed_by_the_same_is_no_piece():
    words = {"▁whale": 5, "▁whales": 3, "▁sea": 4}
    pieces = train_unigram_by_best_cuts(words, vocab_size=30).pieces
    assert "▁whale" in pieces
    assert not {"▁whal", "▁wha", "▁sea", "▁whales"} & set(pieces)


def test_a_piece_has_sixteen_characters_unless_more_are_asked_for():
    words = {"▁" + "abcdefghijklmnopqrstu"[:n]: 3 for n in range(14, 20)}
    made = [
        train_unigram_by_best_cuts(words, 40, *longest).pieces
        for longest in ((), (16,), (17,))
    ]
    assert made[0] == made[1]
    assert [max(map(len, pieces)) for pieces in made] == [16, 16, 17]


@refusals(
    ("no word", lambda: train_unigram_by_best_cuts({}, 9), ("no word",)),
    (
        "fewer than characters",
        lambda: train_unigram_by_best_cuts({"▁abc": 2}, 3),
        ("3", "4 characters"),
    ),
    (
        "half of a character",
        lambda: train_sentencepiece("a\ud800b", 300),
        ("surrogate",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_what_is_lost_when_a_piece_is_cut_into_its_alternative():
    """The counts of the alternative grow by that of the piece, and the number of all pieces with them."""
    used = np.array([6.0, 3, 2, 4])
    rows = np.array([[1, 2, 3], [2, 3, ABSENT]])
    losses = _losses(used, np.array([0, 1]), rows)
    for piece, others, loss in zip((0, 1), ([1, 2, 3], [2, 3]), losses):
        before = math.log(used[piece] / used.sum())
        total = used.sum() + used[piece] * (len(others) - 1)
        after = sum(math.log((used[o] + used[piece]) / total) for o in others)
        assert loss == pytest.approx(used[piece] * (before - after), rel=1e-12)


def test_of_equally_probable_pieces_those_that_were_met_first_stay():
    found = frequent_substrings({"abcdefghijklmnop": 2})
    single = np.array([len(text) == 1 for text in found.texts])
    scores, everything = -(np.arange(len(single)) % 3.0), np.full(len(single), True)
    made = _most_probable(found, scores, everything, single, vocab_size=90).pieces
    score = dict(zip(found.texts, -scores))
    longer = sorted(found.texts[16:], key=score.__getitem__)
    assert len(longer) == 120 and len(longer[0]) > 1
    assert list(made) == sorted(
        [*found.texts[:16], *longer[:74]], key=score.__getitem__
    )
