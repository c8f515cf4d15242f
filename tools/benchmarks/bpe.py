"""Byte-level BPE on a megabyte of real text, from text to merges and to ids, against Hugging Face `tokenizers`."""

import json
from collections.abc import Sequence

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from benchmarks.table import Row, interleaved
from transformer_math.corpus import moby_dick
from transformer_math.tokenization import encode_text, train_byte_bpe

LENGTH = 1_000_000
MERGES = 768
PEER = "Hugging Face, 1 thread"


def corpus() -> str:
    """A million bytes of *Moby-Dick* in UTF-8."""
    return moby_dick().encode()[:LENGTH].decode(errors="ignore")


def train_huggingface(text: str) -> Tokenizer:
    """The peer: bytes for an alphabet, GPT-2's rule for chunks, the same size of vocabulary."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=256 + MERGES, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def rows() -> list[Row]:
    """Training and encoding; and, as a sign of the same work, merges and tokens."""
    text = corpus()
    bpe, theirs = train_byte_bpe(text, 256 + MERGES), train_huggingface(text)
    saved = theirs.to_str()
    merges = len(bpe.merges), len(json.loads(saved)["model"]["merges"])
    tokens = len(encode_text(text, bpe)), len(theirs.encode(text).ids)
    assert merges[0] == merges[1], f"merges differ in number: {merges}"
    assert abs(tokens[0] / tokens[1] - 1) < 0.02, (
        f"the texts differ in length: {tokens}"
    )
    fresh = [Tokenizer.from_str(saved) for _ in range(10)]  # one remembers its words
    training = [
        lambda: train_byte_bpe(text, 256 + MERGES),
        lambda: train_huggingface(text),
    ]
    encoding = [lambda: encode_text(text, bpe), lambda: fresh.pop().encode(text)]
    seconds = interleaved(training, 5), interleaved(encoding, 5)
    return [
        _row("BPE, training on 1 MB", seconds[0], "s", ratio_at_most=2.5),
        _row("BPE, encoding 1 MB", seconds[1], "s"),
        _row("BPE, merges learnt", merges, "merges"),
        _row("BPE, length of the encoded text", tokens, "tokens"),
    ]


def _row(what: str, pair: Sequence[float], unit: str, ratio_at_most=None) -> Row:
    return Row(what, pair[0], unit, pair[1], PEER, ratio_at_most=ratio_at_most)
