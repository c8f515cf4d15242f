import unicodedata
from collections import Counter

import numpy as np
import pytest
import tokenizers
from bad_input import assert_refused, refusals
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.tokenization import (
    BERT_SPECIALS,
    BoundedIndex,
    MergeIndex,
    PairCounts,
    WordPiece,
    WordPieceTokenizer,
    bert_words,
    corpus_log_likelihood,
    decode_word_piece,
    encode_word_piece,
    join_pieces,
    longest_piece,
    marked_characters,
    merge_count,
    merge_counts,
    merge_gain,
    merge_pair,
    merge_places,
    merge_score,
    split_on_marks,
    train_word_piece,
)
from transformer_math.tokenization.word_piece import _chunk_of_marks

TEXT = moby_dick()[:150_000]
COUNTS = Counter(bert_words(TEXT))
NOVEL = train_word_piece(COUNTS, 400)


def huggingface(word_piece):
    made = tokenizers.Tokenizer(
        models.WordPiece(
            word_piece.vocabulary, unk_token="[UNK]", max_input_chars_per_word=100
        )
    )
    made.normalizer = CLEANS
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return made


CLEANS = normalizers.BertNormalizer(lowercase=False, strip_accents=False)


def fuzzed(rng, size=60):
    """Letters and signs of many scripts, white space of all kinds, words of the novel, and very long ones."""
    blocks = [(0x20, 0x7F), (0, 0x250), (0x370, 0x600), (0x2000, 0x2070), (0x4E00, 0x4F00), (0x1F600, 0x1F640)]  # fmt: skip
    pieces = []
    for _ in range(size):
        low, high = blocks[rng.integers(len(blocks))]
        signs = "".join(map(chr, rng.integers(low, high, size=rng.integers(1, 5))))
        word = str(rng.choice(TEXT.split()[:2000]))
        pieces.append([signs, word, " ", "a" * int(rng.integers(98, 103))][rng.choice(4, p=[0.4, 0.35, 0.2, 0.05])])  # fmt: skip
    return "".join(pieces)


def test_marks_are_those_of_berts_own_code():
    """All characters between two letters: cut off, dropped or kept, as the rule of the first BERT says."""
    _chunk_of_marks.cache_clear()  # the rule is read again, not remembered
    texts, wanted = [], []
    for number in range(0x110000):
        character = chr(number)
        kind = unicodedata.category(character)
        if kind in ("Cs", "Cn"):
            continue
        sign = number < 128 and "!" <= character <= "~" and not character.isalnum()
        space = character.isspace() and character not in "\x1c\x1d\x1e\x1f"
        texts.append(f"a{character}b")
        cut = ["a", character, "b"] if sign or kind[0] == "P" else [texts[-1]]
        wanted += ["a", "b"] if space else cut
    assert split_on_marks(" ".join(texts)) == wanted


def test_fuzzed_texts_are_encoded_as_huggingface_does():
    rng, theirs = np.random.default_rng(5), huggingface(NOVEL)
    texts = [fuzzed(rng) for _ in range(60)]
    for text in texts:
        cut = [
            word
            for word, _ in theirs.pre_tokenizer.pre_tokenize_str(
                CLEANS.normalize_str(text)
            )
        ]
        assert encode_word_piece(bert_words(text), NOVEL) == theirs.encode(text).ids
        assert bert_words(text) == cut
    found = [encode_word_piece(bert_words(text), NOVEL) for text in texts]
    assert sum(ids.count(1) for ids in found) > 100  # [UNK] is among them
    assert sum(len(ids) for ids in found) > 4_000


def test_the_novel_is_encoded_as_huggingface_does():
    assert encode_word_piece(bert_words(TEXT), NOVEL) == huggingface(NOVEL).encode(TEXT).ids  # fmt: skip


@pytest.mark.parametrize("prefix", ["##", "@", "a", ""])
def test_texts_are_read_off_as_huggingface_does(prefix):
    tokens = ["[UNK]", "a", f"{prefix}b", "c", "##", "é😊", f"{prefix}ab"]
    tokens = list(dict.fromkeys(tokens))
    word_piece = WordPiece({t: i for i, t in enumerate(tokens)}, prefix=prefix)
    theirs = decoders.WordPiece(prefix=prefix, cleanup=False)
    rng = np.random.default_rng(2)
    for size in range(1, 40):
        ids = rng.integers(len(tokens), size=size).tolist()
        wanted = theirs.decode([tokens[i] for i in ids])
        assert decode_word_piece(ids, word_piece) == wanted
    assert decode_word_piece([], word_piece) == ""


def test_nothing_is_taken_back():
    trap = WordPiece({"[UNK]": 0, "a": 1, "ab": 2, "##bc": 3})
    assert encode_word_piece(["abc"], trap) == [0]
    assert longest_piece("abc", 0, trap) == 2
    assert longest_piece("abc", 2, trap) == 0


def test_an_empty_word_has_no_pieces():
    assert encode_word_piece(["", "ab"], WordPiece({"[UNK]": 0, "ab": 1})) == [1]


def test_special_tokens_cannot_be_forged():
    tokenizer = WordPieceTokenizer.train(TEXT, 400)
    for special in set(BERT_SPECIALS) - {"[UNK]"}:
        assert special in tokenizer.vocabulary
        assert special not in tokenizer.tokenize(f"x {special}{special} y")
    known = WordPieceTokenizer.train(f"{TEXT} [UNK]", 400)
    assert "[UNK]" not in known.tokenize("a [UNK][UNK] a")


def test_the_count_learns_huggingfaces_vocabulary():
    """Its trainer goes by frequency; of ties it takes another, and it has each letter without the mark as well."""
    trainer = trainers.WordPieceTrainer(
        vocab_size=400, special_tokens=list(BERT_SPECIALS), show_progress=False
    )
    theirs = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    theirs.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    theirs.train_from_iterator([TEXT], trainer)
    ours = train_word_piece(COUNTS, 400, value=merge_count).vocabulary
    assert len(ours.keys() & theirs.get_vocab().keys()) > 390
    assert len(NOVEL.vocabulary.keys() & theirs.get_vocab().keys()) < 370


@pytest.mark.parametrize("value", [merge_gain, merge_score, merge_count])
def test_the_index_counts_as_counting_anew_does(value):
    words = [word for word in COUNTS if len(word) > 1][:300]
    index = MergeIndex([[ord(c) for c in word] for word in words], [COUNTS[w] for w in words])  # fmt: skip
    for step in range(40):
        rows: Counter = Counter()
        for row, word in zip(index.words, words):
            rows[tuple(row)] += COUNTS[word]
        pairs, counts = merge_counts(rows)
        kept = index.counts()
        columns = zip(index.pairs(), kept.m, kept.n_a, kept.n_b, kept.same)
        assert sorted(columns) == sorted(zip(pairs, counts.m, counts.n_a, counts.n_b, counts.same))  # fmt: skip
        assert kept.N == counts.N
        pair = index.best(value)
        values = dict(zip(pairs, value(counts)))
        assert values[pair] == pytest.approx(max(values.values()), rel=1e-9)
        index.merge(pair, 20_000 + step)


@pytest.mark.parametrize("value", [merge_gain, merge_score, merge_count])
def test_bounds_find_the_pair_that_a_look_at_all_pairs_finds(value):
    rng, steps = np.random.default_rng(0), 0
    for _ in range(40):
        letters = int(rng.integers(1, 5))
        words = [
            rng.integers(0, letters, rng.integers(1, 9)).tolist() for _ in range(20)
        ]
        counts = rng.integers(1, 5, len(words)).tolist()
        plain, quick = (
            MergeIndex(list(words), counts),
            BoundedIndex(list(words), counts),
        )
        while (pair := plain.best(value)) is not None:
            assert quick.best(value) == pair
            plain.merge(pair, letters)
            quick.merge(pair, letters)
            letters, steps = letters + 1, steps + 1
        assert quick.best(value) is None
    assert steps > 500


def test_training_goes_on_from_the_gain_to_the_size():
    made = list(NOVEL.vocabulary)
    assert len(made) == 400
    assert made[:5] == list(BERT_SPECIALS)
    assert list(NOVEL.vocabulary.values()) == list(range(400))
    assert encode_word_piece(bert_words(TEXT), NOVEL).count(1) == 0


def test_training_ends_when_no_pair_is_left():
    made = train_word_piece({"ab": 2, "c": 1}, 50, ["[UNK]"]).vocabulary
    assert list(made) == ["[UNK]", "##b", "a", "c", "ab"]


def test_a_tie_goes_to_the_smallest_ids():
    made = train_word_piece({"cd": 1, "ab": 1}, 6, ["[UNK]"]).vocabulary
    assert list(made) == ["[UNK]", "##b", "##d", "a", "c", "ab"]
    assert made.keys() == train_word_piece({"ab": 1, "cd": 1}, 6, ["[UNK]"]).vocabulary.keys()  # fmt: skip


@pytest.mark.parametrize("best", [-1e6, -1.0, 1.0, 1e6])
@pytest.mark.parametrize(("share", "wanted"), [(5e-10, (0, 1)), (1.5e-9, (2, 3))])
def test_values_tie_within_a_billionth_of_the_largest(best, share, wanted):
    index = MergeIndex([[2, 3], [0, 1]], [1, 1])
    assert index.pairs() == [(2, 3), (0, 1)]
    values = np.array([best, best - share * abs(best)])
    assert index.best(lambda pairs: values) == wanted


@pytest.mark.parametrize("best", [-1e6, -1.0, 1.0, 1e6])
@pytest.mark.parametrize(("share", "wanted"), [(5e-10, (0, 1)), (1.5e-9, (2, 3))])
def test_values_tie_as_closely_where_the_largest_is_less_than_it_was(
    best, share, wanted
):
    index = BoundedIndex([[2, 3], [0, 1]], [1, 2])
    worth = {1: best + 0.01 * abs(best), 2: best - share * abs(best)}
    assert index.best(lambda pairs: np.array([worth[m] for m in pairs.m])) == (2, 3)
    worth[1] = best
    assert index.best(lambda pairs: np.array([worth[m] for m in pairs.m])) == wanted


def test_merges_that_are_worth_nothing_tie():
    index = MergeIndex([[2, 3], [0, 1]], [1, 1])
    assert index.best(lambda pairs: np.zeros(2)) == (0, 1)


def test_a_run_of_one_token_has_half_as_many_places():
    for size in range(2, 12):
        places = merge_places("a" * size)
        merged = merge_pair(list("a" * size), ("a", "a"), "aa")
        assert len(places) == size - len(merged) == size // 2
    assert merge_places("aabbb") == [("a", "a"), ("a", "b"), ("b", "b")]


def test_counts_may_be_shares():
    assert corpus_log_likelihood(np.array([0.5, 0.5, 0])) == pytest.approx(-np.log(2))


def test_the_gain_lies_within_a_nat_for_each_place():
    """m (ln s − 1) ≤ Δ ≤ m (ln s + 1), as the page derives."""
    _, counts = merge_counts({tuple(marked_characters(w)): c for w, c in COUNTS.items()})  # fmt: skip
    different = ~counts.same
    apart = merge_gain(counts) / counts.m - np.log(merge_score(counts))
    assert different.sum() > 500
    assert (np.abs(apart[different]) <= 1).all()
    assert apart[different].min() < -0.99


def test_pieces_join():
    assert join_pieces("##a", "##b") == "##ab"
    assert join_pieces("a", "b") == "ab"


def one(m, n_a, n_b, N, same=False):
    return PairCounts(*np.array([[m], [n_a], [n_b]], float), np.array([same]), N)


bad = {"[UNK]": 0, "a": 2}


@refusals(
    ("no unknown", lambda: encode_word_piece(["a"], WordPiece({"a": 0})), ["lacks"]),
    ("one text", lambda: encode_word_piece("abc", NOVEL), ["one text"]),
    ("a number", lambda: encode_word_piece([3], NOVEL), ["holds 3"]),
    ("numbers", lambda: encode_word_piece(iter([3]), NOVEL), ["hold 3", "texts"]),
    ("start after the word", lambda: longest_piece("ab", 2, NOVEL), ["start is 2"]),
    ("gaps in the ids", lambda: decode_word_piece([0], WordPiece(bad)), ["number"]),
    ("no such id", lambda: decode_word_piece([400], NOVEL), ["400"]),
    ("no words", lambda: train_word_piece({}, 50), ["no word"]),
    ("empty words", lambda: train_word_piece({"": 3}, 50), ["no word"]),
    ("too small", lambda: train_word_piece({"abc": 1}, 7), ["vocab_size is 7", "8"]),
    (
        "one special token for a list",
        lambda: train_word_piece({"abc": 1}, 9, specials="[UNK]"),
        ["'[UNK]'", "a list of texts"],
    ),
    (
        "a special token without a text",
        lambda: train_word_piece({"abc": 1}, 9, specials=["[UNK]", ""]),
        ["['[UNK]', '']", "none of them empty"],
    ),
    (
        "a special token twice",
        lambda: train_word_piece({"abc": 1}, 9, specials=["[UNK]", "[UNK]"]),
        ["each once"],
    ),
    (
        "a number as a special token",
        lambda: train_word_piece({"abc": 1}, 9, specials=["[UNK]", 1]),
        ["specials holds 1", "texts"],
    ),
    (
        "values of another length",
        lambda: train_word_piece({"abc": 1}, 9, ["[UNK]"], lambda pairs: np.ones(9)),
        ["value(…) has shape (9,)", "pairs = 2"],
    ),
    ("only specials", lambda: train_word_piece({"abc": 1}, 5), ["fill"]),
    ("no [UNK]", lambda: train_word_piece({"a": 1}, 9, ["[PAD]"]), ["[UNK]"]),
    ("twice", lambda: train_word_piece({"a": 1}, 9, ["[UNK]"] * 2), ["once"]),
    ("forged", lambda: train_word_piece({"x[PAD]": 1}, 50), ["[PAD]"]),
    ("marked", lambda: train_word_piece({"##a": 1}, 50), ["##"]),
    ("count of 0", lambda: train_word_piece({"ab": 0}, 50), ["'ab': 0"]),
    ("too many", lambda: train_word_piece({"ab": 10**400}, 50), ["2^53"]),
    ("no text", lambda: WordPieceTokenizer.train("", 50), ["empty"]),
    ("no pair", lambda: merge_counts({("a",): 3}), ["no word holds a pair"]),
    ("counts below 0", lambda: corpus_log_likelihood(np.array([2.0, -0.5])), ["-0.5"]),
    ("no count", lambda: corpus_log_likelihood(np.zeros(3)), ["one above"]),
    ("no place", lambda: merge_gain(one(0, 1, 1, 4)), ["no place"]),
    ("more than a", lambda: merge_score(one(2, 1, 2, 9)), ["more places"]),
    ("more than b", lambda: merge_score(one(2, 2, 1, 9)), ["more places"]),
    ("twins", lambda: merge_gain(one(2, 3, 3, 9, same=True)), ["more places"]),
    ("more than all", lambda: merge_count(one(2, 2, 2, 2)), ["more places"]),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)


def test_the_sentence():
    assert " ".join(bert_words(SENTENCE)) == decode_word_piece(
        encode_word_piece(bert_words(SENTENCE), NOVEL), NOVEL
    )
