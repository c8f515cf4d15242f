"""Byte-level BPE on a megabyte of real text, from text to merges and to ids, against Hugging Face `tokenizers`; memory too."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from benchmarks.table import Row, interleaved
from transformer_math.corpus import addresses, moby_dick
from transformer_math.tokenization import (
    encode_chunk,
    encode_text,
    merge_pair,
    pretokenize,
    train_byte_bpe,
)

TOOLS = Path(__file__).resolve().parents[1]
LENGTH = 1_000_000
MERGES = 768
PEER = "Hugging Face, 1 thread"
FEWER = 256  # merges, for the trainer that recounts
SIZES = (
    512,
    2048,
    8192,
    16_000,
)  # of vocabularies, where time is that of the processor
TIMED = 4  # of which these are timed: the last, when the text is shortest


def corpus() -> str:
    """A million bytes of *Moby-Dick* in UTF-8."""
    return moby_dick().encode()[:LENGTH].decode(errors="ignore")


def train_huggingface(text: str, vocab_size: int = 256 + MERGES) -> Tokenizer:
    """The peer: bytes for an alphabet, GPT-2's rule for chunks, the same size of vocabulary."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False
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
        _row("BPE, training on 1 MB", seconds[0], "s", ratio_at_most=1.5),
        *[_trained(text, size) for size in SIZES],
        _trained("\n\n".join(addresses().values()), 4096),
        _row("BPE, encoding 1 MB", seconds[1], "s", ratio_at_most=1),
        _row("BPE, merges learnt", merges, "merges"),
        _row("BPE, length of the encoded text", tokens, "tokens"),
        _against_recounting(text),
        _row("BPE, memory for training", (added("ours"), added("theirs")), "MB"),
    ]


def _trained(text: str, size: int) -> Row:
    """Training at one size, in seconds of the processor."""
    training = [
        lambda: train_byte_bpe(text, size),
        lambda: train_huggingface(text, size),
    ]
    pair = interleaved(training, 1, process_time)
    name = f"BPE, training on {len(text.encode()) / 1e6:.1f} MB, V = {size:,}"
    return _row(name, pair, "s", ratio_at_most=1.5)


def _row(what: str, pair: Sequence[float], unit: str, ratio_at_most=None) -> Row:
    return Row(what, pair[0], unit, pair[1], PEER, ratio_at_most=ratio_at_most)


# ---- a trainer that counts the text anew for every merge ----


def recount(chunks: list[list[int]]) -> tuple[int, int]:
    """The most frequent pair of a text, by going through all of it."""
    counts: Counter = Counter()
    for chunk in chunks:
        for pair in zip(chunk, chunk[1:]):
            counts[pair] += 1
    return min(counts, key=lambda pair: (-counts[pair], pair))


def _against_recounting(text: str) -> Row:
    """At least what recounting takes: each merge as long as the last ones, for which the text is shortest."""
    start = perf_counter()
    bpe = train_byte_bpe(text, 256 + FEWER)
    ours = perf_counter() - start
    chunks = _cut(text, list(bpe.merges)[:-TIMED])
    start = perf_counter()
    learnt, merge = [], merge_pair.__wrapped__  # its contract would cost the peer time
    for number in range(256 + FEWER - TIMED, 256 + FEWER):
        learnt.append(recount(chunks))
        chunks = [merge(chunk, learnt[-1], number) for chunk in chunks]
    theirs = (perf_counter() - start) / TIMED * FEWER
    assert learnt == list(bpe.merges)[-TIMED:], "the trainers learn other merges"
    name = f"recounting, {FEWER} × its last {TIMED}"
    return Row(
        f"BPE, {FEWER} merges of 1 MB", ours, "s", theirs, name, ratio_at_most=0.01
    )


def _cut(text: str, merges: list) -> list[list[int]]:
    """Every chunk of the text as it is cut when the merges that are timed begin."""
    made = {pair: 256 + rank for rank, pair in enumerate(merges)}
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    chunks = [chunk.encode() for chunk in pretokenize(text)]
    cut = {chunk: encode_chunk(list(chunk), made, ranks) for chunk in set(chunks)}
    return [cut[chunk] for chunk in chunks]


# ---- memory: how much a fresh process grows ----


def added(trainer: str) -> float:
    """The megabytes by which a process of its own grows, at most, while it trains; text and imports were there."""
    command = [sys.executable, "-m", "benchmarks.bpe", trainer]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=TOOLS
    )
    return float(done.stdout)


def _grown(trainer: str) -> float:
    train = {"ours": lambda text: train_byte_bpe(text, 256 + MERGES)}
    train["theirs"] = train_huggingface
    text = corpus()
    pretokenize("a")  # GPT-2's expression is made once
    Path("/proc/self/clear_refs").write_text("5")  # the peak is what it is now (Linux)
    before = _kilobytes("VmRSS")
    kept = train[trainer](text)
    assert kept is not None
    return (_kilobytes("VmHWM") - before) / 1024


def _kilobytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


if __name__ == "__main__":
    print(_grown(sys.argv[1]))
