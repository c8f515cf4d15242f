"""What makes encoders fast changes no id: heaps beside the functions that the book shows, and chunks that are remembered."""

import copy
import pickle
import time

import numpy as np
import pytest

from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    BYTE_PIECES,
    ByteBPETokenizer,
    SentencePiece,
    SentencePieceTokenizer,
    Tokenizer,
    UnigramTokenizer,
    WordPiece,
    WordPieceTokenizer,
    encode_chunk,
    encode_sentence,
    encode_text,
    encode_unigram,
    encode_word_piece,
    merge_pieces,
    pretokenize,
    sentence_pieces,
)
from transformer_math.tokenization import _remembered as memory
from transformer_math.tokenization._bpe_by_heap import encode_chunk_by_heap
from transformer_math.tokenization._pieces_by_heap import merge_pieces_by_heap
from transformer_math.tokenization._remembered import Remembered, one_by_one

TEXT = moby_dick()[:20_000]
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"


def random_merges(rng, letters):
    """Merges of any order, some of which make a token that is there already, even a letter."""
    merges, size = {}, letters
    for _ in range(rng.integers(0, 12)):
        pair = tuple(rng.integers(0, size, 2).tolist())
        if pair not in merges:
            known = rng.random() < 0.3
            merges[pair] = int(rng.integers(0, size)) if known else size
            size += not known
    return {pair: merges[pair] for pair in map(tuple, rng.permutation([*merges]).tolist())}  # fmt: skip


def test_a_heap_merges_as_looking_at_all_pairs_does():
    rng, merged = np.random.default_rng(0), 0
    for _ in range(4000):
        letters = int(rng.integers(1, 4))
        merges = random_merges(rng, letters)
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        symbols = rng.integers(0, letters, rng.integers(0, 30)).tolist()
        wanted = encode_chunk(symbols, merges, ranks)
        assert encode_chunk_by_heap(symbols, merges, ranks) == wanted
        merged += len(wanted) < len(symbols)
    assert merged > 1500


def test_a_place_is_merged_once_in_a_pass():
    """A place may stand in the heap twice; where merging makes the same pair again, it waits for the next pass."""
    merges = {(0, 0): 1, (2, 1): 2, (0, 2): 0, (2, 2): 1}
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    symbols = [2, 0, 1, 2, 2, 1, 0, 1, 1, 0, 2, 1, 2, 0, 0, 1, 0, 2, 1, 0, 1, 2, 2, 0, 0, 2, 2, 1, 0, 1]  # fmt: skip
    wanted = encode_chunk(symbols, merges, ranks)
    assert encode_chunk_by_heap(symbols, merges, ranks) == wanted


def test_a_tokenizer_encodes_as_its_function():
    tokenizer = ByteBPETokenizer.train(TEXT, 700)
    for text in (TEXT, JAPANESE * 20, "a" * 300, "😊 é\n\n  "):
        for _ in range(2):  # the second time from memory
            assert tokenizer.encode(text) == encode_text(text, tokenizer.bpe)


def random_text(rng, letters):
    return "".join(rng.choice(list(letters), rng.integers(0, 25)).tolist())


def test_a_heap_merges_the_best_piece_as_looking_at_all_does():
    rng, merged = np.random.default_rng(1), 0
    for _ in range(4000):
        made = {random_text(rng, "ab▁")[: rng.integers(2, 6)] for _ in range(8)}
        scores = {piece: float(rng.integers(-4, 0)) for piece in made if len(piece) > 1}
        text = random_text(rng, "ab▁c")
        wanted = merge_pieces(text, scores)
        assert merge_pieces_by_heap(text, scores) == wanted
        merged += len(wanted) < len(text)
    assert merged > 1500


def some_model(rng):
    """A SentencePiece model with ties, with bytes or without, some of whose pieces reach across a ▁."""
    texts = {random_text(rng, "ab▁é,")[: rng.integers(1, 6)] for _ in range(30)} - {""}
    kinds = {"<unk>": 2} | dict.fromkeys(BYTE_PIECES if rng.random() < 0.5 else (), 6)
    kinds |= dict.fromkeys(sorted(texts), 1)
    scores = tuple(-float(score) for score in rng.integers(1, 9, len(kinds)))
    inside = str(rng.choice(["bpe", "unigram"]))
    return SentencePiece(tuple(kinds), scores, tuple(kinds.values()), inside, "identity", bool(rng.random() < 0.5))  # fmt: skip


def test_a_sentencepiece_tokenizer_encodes_as_its_function():
    rng = np.random.default_rng(2)
    for _ in range(300):
        tokenizer = SentencePieceTokenizer(some_model(rng))
        for text in [
            "é▁ é  xx,y" * 2,
            *(random_text(rng, "ab é,x\n") for _ in range(4)),
        ]:
            wanted = encode_sentence(text, tokenizer.model)
            assert tokenizer.encode(text) == wanted
            assert tokenizer.tokenize(text) == sentence_pieces(text, tokenizer.model)


def test_a_word_piece_tokenizer_encodes_as_its_function():
    rng = np.random.default_rng(3)
    for _ in range(300):
        texts = {random_text(rng, "ab")[: rng.integers(1, 5)] for _ in range(9)} - {""}
        pieces = ["[UNK]", *(rng.choice(["", "##"]) + text for text in sorted(texts))]
        word_piece = WordPiece({piece: i for i, piece in enumerate(pieces)}, "[UNK]", "##", int(rng.integers(5, 30)))  # fmt: skip
        words = [random_text(rng, "aab") or "b" for _ in range(10)]
        tokenizer = WordPieceTokenizer(word_piece)
        assert tokenizer.encode(" ".join(words)) == encode_word_piece(words, word_piece)


def test_a_unigram_tokenizer_encodes_as_its_function():
    tokenizer = UnigramTokenizer.train(TEXT, 500)
    for text in (TEXT, JAPANESE * 3, "😊 é\n\n  "):
        pieces = encode_unigram(pretokenize(text), tokenizer.unigram)
        ids = tokenizer.vocabulary
        wanted = [i for p in pieces for i in ([ids[p]] if p in ids else p.encode())]
        assert tokenizer.encode(text) == wanted


def test_time_grows_as_the_length_of_a_chunk():
    """Sixteen times as long may take a little more than that, not sixteen times sixteen."""
    tokenizer = ByteBPETokenizer.train(JAPANESE * 3, 400)
    rng = np.random.default_rng(0)

    def seconds(characters):
        chunk = "".join(rng.choice(list(JAPANESE.replace("。", "")), characters))
        begin = time.process_time()
        tokenizer.encode(chunk)
        return time.process_time() - begin

    tokenizer.encode("a")
    short = min(seconds(1000) for _ in range(5))
    assert min(seconds(16_000) for _ in range(3)) < 80 * short


def test_what_is_handed_out_changes_no_id():
    tokenizer = ByteBPETokenizer.train(TEXT, 300)
    first = tokenizer.encode("the whale")
    first[:] = [0]
    assert tokenizer.encode("the whale") != [0]
    with pytest.raises(TypeError, match="assignment"):
        tokenizer.vocabulary["the"] = 0
    assert tokenizer.vocabulary is tokenizer.vocabulary


@pytest.mark.parametrize("kind", Tokenizer.__subclasses__(), ids=lambda k: k.__name__)
def test_a_copy_has_what_was_learnt(kind):
    tokenizer = kind.train(TEXT, 400)
    ids = tokenizer.encode("the whale"), tokenizer.tokenize("the whale")
    for other in (copy.copy(tokenizer), pickle.loads(pickle.dumps(tokenizer))):
        assert (other.encode("the whale"), other.tokenize("the whale")) == ids
        assert other.to_plain() == tokenizer.to_plain()


def test_memory_has_an_end(monkeypatch):
    monkeypatch.setattr(memory, "MOST", 3)
    calls = []
    of = one_by_one(lambda chunk: [calls.append(chunk) or len(chunk)])
    lengths = Remembered(of)
    assert lengths.of_all(["a", "bb", "a", "x" * 65, "x" * 65]) == [1, 2, 1, 65, 65]
    assert (set(lengths), len(calls)) == ({"a", "bb"}, 3)
    assert lengths.of_all(["bb", "x" * 65, "ccc"]) == [2, 65, 3]
    assert (set(lengths), calls.count("bb")) == ({"a", "bb", "ccc"}, 1)
    assert lengths.of_all(["dddd", "a"]) == [4, 1]
    assert not lengths
    assert lengths["ee"] == [2]
