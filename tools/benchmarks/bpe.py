"""Byte-level BPE on a megabyte of real text, from text to merges and to ids, against Hugging Face `tokenizers`."""

import importlib
import inspect
import json
from collections.abc import Iterator
from pydoc_data.topics import topics

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from benchmarks.table import Row, interleaved
from transformer_math.tokenization import encode_text, train_byte_bpe

LENGTH = 1_000_000
MERGES = 768
MODULES = ("numpy.linalg", "numpy.fft", "numpy.random", "numpy.ma", "numpy.polynomial", "numpy")
PEER = "Hugging Face, 1 thread"


def documentation() -> Iterator[str]:
    """Python's language reference, then the docstrings of numpy, module by module."""
    yield from (topics[name] for name in sorted(topics))
    for name in MODULES:
        yield from _docstrings(importlib.import_module(name))


def _docstrings(module) -> Iterator[str]:
    for thing in (module, *vars(module).values()):
        members = vars(thing).values() if inspect.isclass(thing) else ()
        yield from (inspect.getdoc(part) or "" for part in (thing, *members))


def corpus() -> str:
    """A million bytes of UTF-8, no document twice."""
    text = "\n".join(dict.fromkeys(documentation()))
    if len(text.encode()) < LENGTH:
        raise RuntimeError(f"the corpus has {len(text.encode())} bytes; wanted {LENGTH}. Add a source of text.")
    return text.encode()[:LENGTH].decode(errors="ignore")


def train_huggingface(text: str) -> Tokenizer:
    """The peer: bytes for an alphabet, GPT-2's rule for chunks, the same size of vocabulary."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=256 + MERGES, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer


def rows() -> list[Row]:
    """Training and encoding; and, as a sign that both did the same work, merges and tokens."""
    text = corpus()
    ours, theirs = train_byte_bpe(text, 256 + MERGES), train_huggingface(text)
    saved = theirs.to_str()
    merges = len(json.loads(saved)["model"]["merges"])
    tokens, their_tokens = len(encode_text(text, ours)), len(theirs.encode(text).ids)
    assert len(ours.merges) == merges, f"{len(ours.merges)} merges were learnt, {merges} by the peer"
    assert abs(tokens / their_tokens - 1) < 0.02, f"{tokens} tokens, {their_tokens} of the peer"
    training = interleaved([lambda: train_byte_bpe(text, 256 + MERGES), lambda: train_huggingface(text)], 5)
    fresh = [Tokenizer.from_str(saved) for _ in range(10)]  # one for each call, since it remembers words it has seen
    encoding = interleaved([lambda: encode_text(text, ours), lambda: fresh.pop().encode(text)], 5)
    return [
        Row("BPE, training on 1 MB", training[0], "s", training[1], PEER, ratio_at_most=2.5),
        Row("BPE, encoding of 1 MB", encoding[0], "s", encoding[1], PEER),
        Row("… merges learnt", len(ours.merges), "merges", merges, PEER),
        Row("… the text's length", tokens, "tokens", their_tokens, PEER),
    ]
