"""Unigram on *Moby-Dick*, from words to pieces and back to pieces of the text, against SentencePiece."""

import io
import tracemalloc
from collections import Counter
from time import process_time

import sentencepiece

from benchmarks.table import Row, interleaved
from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    SentencePieceTokenizer,
    Unigram,
    encode_unigram,
    read_sentencepiece,
    train_unigram_by_levels,
)

SIZE = 1024
CONTROL = 3  # tokens of SentencePiece's own
PEER = "SentencePiece, 1 thread"


def words_of(text: str) -> list[str]:
    """The words as SentencePiece has them: ▁ stands for the space before each."""
    return [f"▁{word}" for word in text.split()]


def train_sentencepiece(text: str) -> sentencepiece.SentencePieceProcessor:
    """The peer: every character kept, nothing normalised, the same size of vocabulary."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n\n")),
        model_writer=model,
        model_type="unigram",
        vocab_size=SIZE + CONTROL,
        character_coverage=1.0,
        normalization_rule_name="identity",
        num_threads=1,
        minloglevel=2,
    )
    return sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())


def train_ours(text: str) -> Unigram:
    """From the text, as the peer."""
    return train_unigram_by_levels(Counter(words_of(text)), SIZE)


def peak(text: str) -> float:
    """The most memory that training holds at once, in MB."""
    tracemalloc.start()
    train_ours(text)
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return most


def to_ids(text: str, theirs: sentencepiece.SentencePieceProcessor) -> Row:
    """The peer's own model, read here: the same ids."""
    model = read_sentencepiece(theirs.serialized_model_proto())
    assert SentencePieceTokenizer(model).encode(text) == theirs.encode(text)
    encoding = [
        lambda: SentencePieceTokenizer(model).encode(text),
        lambda: theirs.encode(text),
    ]
    pair = interleaved(encoding, 5, process_time)
    name = "Unigram of SentencePiece, encoding to ids"
    return Row(name, pair[0], "s", pair[1], PEER, ratio_at_most=5)


def rows() -> list[Row]:
    """Training and encoding; how much memory training takes; and, as a sign of the same work, the pieces of the text."""
    text = moby_dick()
    ours, theirs = train_ours(text), train_sentencepiece(text)
    training = [lambda: train_ours(text), lambda: train_sentencepiece(text)]
    encoding = [
        lambda: encode_unigram(words_of(text), ours),
        lambda: theirs.encode(text, out_type=str),  # pieces, as ours
    ]
    seconds = interleaved(training, 3), interleaved(encoding, 5)
    pieces = len(encode_unigram(words_of(text), ours)), len(theirs.encode(text))
    sizes = len(ours.pieces), len(theirs) - CONTROL
    return [
        Row(
            "Unigram, training",
            seconds[0][0],
            "s",
            seconds[0][1],
            PEER,
            ratio_at_most=10,
        ),
        Row(
            "Unigram, encoding",
            seconds[1][0],
            "s",
            seconds[1][1],
            PEER,
            ratio_at_most=5,
        ),
        to_ids(text, theirs),
        Row("Unigram, vocabulary", sizes[0], "pieces", sizes[1], PEER),
        Row(
            "Unigram, length of the encoded text", pieces[0], "pieces", pieces[1], PEER
        ),
        Row("Unigram, memory of training", peak(text), "MB"),
    ]
