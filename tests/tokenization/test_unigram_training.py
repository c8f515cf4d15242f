"""Unigram's training on the novel beside SentencePiece's own: what a held-out text gains by it."""

import io
from collections import Counter

import numpy as np
import pytest
import sentencepiece
from bad_input import assert_refused

from transformer_math.checks.proof import run
from transformer_math.checks.tokenization.unigram_training import (
    most_frequent_substrings,
    training_equals_slow_training,
)
from transformer_math.corpus import moby_dick, split_held_out
from transformer_math.tokenization import (
    Unigram,
    maximise,
    maximise_bayesian,
    removal_loss,
    train_unigram,
    train_unigram_by_levels,
    unigram_by_levels,
    unigram_training,
)


def held_out_score(unigram, words):
    """Log-likelihood per character of counted words, over all segmentations; probabilities are made to add up to 1."""
    scores = np.asarray(unigram.log_probabilities, dtype=float)
    known = dict(zip(unigram.pieces, scores - np.log(np.exp(scores).sum())))
    longest = max(map(len, known))
    total = 0.0
    for word, count in words.items():
        sums = [0.0]
        for j in range(1, len(word) + 1):
            ways_in = [
                sums[i] + known[word[i:j]]
                for i in range(max(0, j - longest), j)
                if word[i:j] in known
            ]
            sums.append(np.logaddexp.reduce(ways_in))
        total += count * sums[-1]
    return total / sum(count * len(word) for word, count in words.items())


def sentencepiece_training(text, vocab_size):
    """What SentencePiece's own trainer makes of a text, as a Unigram: all characters kept, nothing normalised."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n\n")),
        model_writer=model,
        model_type="unigram",
        vocab_size=vocab_size + 3,  # three of them are for control
        character_coverage=1.0,
        normalization_rule_name="identity",
        num_threads=1,
        minloglevel=2,
    )
    trained = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    ids = range(3, len(trained))
    return Unigram(
        tuple(trained.id_to_piece(i) for i in ids),
        np.array([trained.get_score(i) for i in ids]),
    )


def sentencepiece_words(text):
    """The words of a text as SentencePiece has them: ▁ stands for the space before each."""
    return Counter(f"▁{word}" for word in text.split())


def shares_of_sentencepieces(train, start, vocab_size):
    """Held-out log-likelihood of SentencePiece's pieces over ours: above 0.99 where ours is at most 1 % below."""
    training, held_out = split_held_out(moby_dick()[start : start + 40_000])
    words = sentencepiece_words(training)
    known = set("".join(words))
    new = {w: c for w, c in sentencepiece_words(held_out).items() if set(w) <= known}
    ours = train(words, vocab_size)
    assert len(ours.pieces) == vocab_size
    theirs = sentencepiece_training(training, vocab_size)
    return held_out_score(theirs, new) / held_out_score(ours, new)


@pytest.mark.parametrize(("start", "vocab_size"), [(0, 300), (500_000, 160)])
def test_training_is_as_good_as_sentencepieces(start, vocab_size):
    assert shares_of_sentencepieces(train_unigram_by_levels, start, vocab_size) > 0.99


def test_all_levels_at_once_give_what_word_by_word_gives():
    words = sentencepiece_words(moby_dick()[:4_000])
    plain = train_unigram(words, 120, 8, maximise_bayesian)
    fast = train_unigram_by_levels(words, 120, 8, maximise_bayesian)
    assert fast.pieces == plain.pieces
    assert np.allclose(fast.log_probabilities, plain.log_probabilities, 1e-12, 1e-12)


def test_all_levels_at_once_give_what_a_slow_trainer_gives():
    outcome = run(training_equals_slow_training, train_unigram_by_levels)
    assert outcome.failed_case is None


BOTH = pytest.mark.parametrize("train", [train_unigram, train_unigram_by_levels])


@BOTH
def test_pieces_have_16_characters_at_most_where_nothing_is_said(train):
    assert max(map(len, train({"a" * 20: 2}, 100).pieces)) == 16


@BOTH
def test_of_pieces_with_the_same_loss_the_earlier_stay(train):
    """Twenty words of two letters that stand nowhere else, every second one twice as frequent: those stay, then the first."""
    letters = "ABCDEFGHIJKLMNOPQRSTabcdefghijklmnopqrst"
    words = [first + second for first, second in zip(letters[::2], letters[1::2])]
    counts = {word: 3 + 3 * (place % 2) for place, word in enumerate(words)}
    longer = train(counts, 55).pieces[len(letters) :]
    assert set(longer) == {*words[1::2], *words[0:10:2]}


@pytest.mark.parametrize(("more", "stays"), [(4e-7, "ab"), (4e-6, "cd")])
def test_losses_are_the_same_when_six_decimals_are(monkeypatch, more, stays):
    losses = np.array([0, 0, 0, 0, 2, 2 + more])  # of a, b, c, d, ab, cd
    monkeypatch.setattr(unigram_by_levels, "removal_losses", lambda *_: losses)
    monkeypatch.setattr(unigram_training, "removal_loss", lambda C, t, _: losses[t])
    for train in (train_unigram, train_unigram_by_levels):
        assert train({"ab": 3, "cd": 3}, 5).pieces == ("a", "b", "c", "d", stays)


def test_the_most_frequent_substrings_are_not():
    assert shares_of_sentencepieces(most_frequent_substrings, 0, 300) < 0.99


def test_a_maximiser_that_answers_for_fewer_pieces_is_refused():
    said = r"maximiser\(…\) has shape \(\d+,\); wanted \(pieces,\) with pieces = \d+"
    with pytest.raises(ValueError, match=said):
        train_unigram({"low": 3, "lower": 2}, 9, maximiser=lambda c: maximise(c[1:]))


@pytest.mark.parametrize("train", [train_unigram, train_unigram_by_levels])
def test_pieces_have_sixteen_characters_at_most_unless_more_are_asked_for(train):
    words = {"abcdefghijklmnopqrstu"[:n]: 3 for n in range(14, 20)}
    made = [train(words, 40, *longest).pieces for longest in ((), (16,), (17,))]
    assert made[0] == made[1]
    assert [max(map(len, pieces)) for pieces in made] == [16, 16, 17]


def test_an_alternative_in_letters_is_refused():
    counts = np.array([1.0, 1.0, 6.0])
    assert_refused(lambda: removal_loss(counts, 0, "12"), ("'12'", "whole number"))
