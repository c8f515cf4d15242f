"""Encoding as programs do it: many short texts one by one, long texts without a space, ten megabytes; against Hugging Face."""

from time import process_time

import numpy as np
from tokenizers import Tokenizer

from benchmarks.table import Row, interleaved
from transformer_math.corpus import addresses, moby_dick
from transformer_math.tokenization import (
    ByteBPETokenizer,
    from_json,
    to_huggingface,
    to_json,
)

SIZE = 16_000
PARAGRAPHS = 600
LENGTHS = (1_000, 4_000, 16_000)
PEER = "Hugging Face, 1 thread"
JAPANESE = "吾輩は猫である名前はまだ無いどこで生れたかとんと見当がつかぬ"


def compared(
    what: str, texts: list[str], pair: tuple[str, str], unit="s", **aims
) -> Row:
    """The processor's seconds for texts one by one, each time by tokenizers that have seen nothing yet."""
    ours, theirs = pair

    def here():
        fresh = from_json(ours)
        return lambda: [fresh.encode(text) for text in texts]

    def there():
        fresh = Tokenizer.from_str(theirs)
        return lambda: [fresh.encode(text).ids for text in texts]

    assert here()() == there()(), f"{what}: other ids"
    calls = [[here() for _ in range(6)], [there() for _ in range(6)]]
    turns = [lambda own=own: own.pop()() for own in calls]
    seconds = interleaved(turns, 3, process_time)
    return Row(what, seconds[0], unit, seconds[1], PEER, **aims)


def without_spaces(length: int) -> str:
    """Japanese letters in an order that does not repeat."""
    letters = np.random.default_rng(0).choice(list(JAPANESE), length)
    return "".join(letters.tolist())


def rows() -> list[Row]:
    """All with one byte-level BPE of the novel."""
    tokenizer = ByteBPETokenizer.train(moby_dick(), SIZE)
    pair = to_json(tokenizer), to_huggingface(tokenizer)
    paragraphs = moby_dick().split("\n\n")[:PARAGRAPHS]
    found = [
        compared(
            f"{PARAGRAPHS} paragraphs one by one, V = {SIZE:,}",
            paragraphs,
            pair,
            ratio_at_most=3,
        ),
        compared(
            "“whale” a thousand times, one by one",
            ["whale"] * 1000,
            pair,
            ratio_at_most=3,
        ),
        compared("the novel in one call", [moby_dick()], pair),
        compared(
            "the addresses, 10.8 MB, in one call",
            ["\n\n".join(addresses().values())],
            pair,
        ),
    ]
    for length in LENGTHS:
        name = f"{length:,} Japanese letters without a space"
        found.append(compared(name, [without_spaces(length)], pair))
    return found
