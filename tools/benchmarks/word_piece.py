"""WordPiece on *Moby-Dick*: training, and encoding against Hugging Face `tokenizers` with the same vocabulary."""

import tracemalloc
from collections import Counter
from time import process_time

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from benchmarks.table import Row, interleaved
from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    BERT_SPECIALS,
    WordPieceTokenizer,
    bert_words,
    train_word_piece,
)

PIECES = 1024
SIZES = (512, 1024, 4096, 16_000)
PEER = "Hugging Face, 1 thread"


def huggingface(model: models.WordPiece) -> Tokenizer:
    """The peer: BERT's words, and no special tokens around the text."""
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


def train_huggingface(text: str, size: int = PIECES) -> Tokenizer:
    """Its trainer goes by frequency, which is less work."""
    tokenizer = huggingface(models.WordPiece(unk_token="[UNK]"))
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=list(BERT_SPECIALS), show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def rows() -> list[Row]:
    """Training and encoding, the tokens of the text, and what training takes of memory."""
    text = moby_dick()
    ours = WordPieceTokenizer.train(text, PIECES)
    saved = huggingface(
        models.WordPiece(dict(ours.vocabulary), unk_token=ours.unknown)
    ).to_str()
    fresh = [Tokenizer.from_str(saved) for _ in range(11)]
    ids = ours.encode(text), fresh.pop().encode(text).ids
    assert ids[0] == ids[1], "the two encode differently"
    encoding = [lambda: ours.encode(text), lambda: fresh.pop().encode(text)]
    seconds = interleaved(encoding, 5, process_time)
    return [
        *[trained(text, size) for size in SIZES],
        Row(
            "WordPiece, encoding the novel",
            seconds[0],
            "s",
            seconds[1],
            PEER,
            ratio_at_most=2,
        ),
        Row(
            "WordPiece, length of the encoded text",
            len(ids[0]),
            "tokens",
            len(ids[1]),
            PEER,
        ),
        Row("WordPiece, memory while training", memory(text), "MB"),
    ]


def trained(text: str, size: int) -> Row:
    """Training at one size, in seconds of the processor."""
    training = [
        lambda: WordPieceTokenizer.train(text, size),
        lambda: train_huggingface(text, size),
    ]
    ours, theirs = interleaved(training, 1, process_time)
    name = f"WordPiece, {size:,} pieces by the gain"
    return Row(name, ours, "s", theirs, f"{PEER}, by frequency", ratio_at_most=8)


def memory(text: str) -> float:
    """Megabytes that training takes at most, the counted words given."""
    counts = Counter(bert_words(text))
    tracemalloc.start()
    train_word_piece(counts, PIECES)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6
