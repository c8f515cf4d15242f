"""What the language model reads: *Moby-Dick* by chapters, the presidents' addresses and the King James Bible, in its tokens."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from jaxtyping import Int

from transformer_math.corpus import addresses, chapters, king_james
from transformer_math.parts import Parts, passages, split_by_chapters, without
from transformer_math.tokenization.byte_bpe import BPE, train_byte_bpe
from transformer_math.tokenization.tokenizers import ByteBPETokenizer

OTHERS = {"addresses": lambda: tuple(addresses().values()), "bible": king_james}


@dataclass(frozen=True)
class Texts:
    """All sources in tokens: the tokenizer of the novel's training chapters, and each part; bytes of what is held out."""

    bpe: BPE
    training: dict[str, np.ndarray]
    validation: Int[np.ndarray, " n"]
    test: Int[np.ndarray, " m"]
    validation_bytes: int
    test_bytes: int


@cache
def novel() -> Parts:
    """The novel, split by whole chapters."""
    return split_by_chapters(chapters())


def read_too() -> dict[str, str]:
    """What it reads besides the novel, without the passages that the novel's held-out chapters quote."""
    held_out = passages(novel().validation + novel().test)
    return {
        name: joined(tuple(without(text, held_out) for text in source()))
        for name, source in OTHERS.items()
    }


@cache
def texts(vocab_size: int) -> Texts:
    """Train the tokenizer on the novel's training chapters, and write all in its tokens; the held-out parts are the novel's."""
    learnt = joined(novel().training)
    bpe = train_byte_bpe(learnt, vocab_size)
    tokenizer, training = ByteBPETokenizer(bpe), {"novel": learnt, **read_too()}
    validation, test = joined(novel().validation), joined(novel().test)
    return Texts(
        bpe,
        {name: _ids(text, tokenizer) for name, text in training.items()},
        _ids(validation, tokenizer),
        _ids(test, tokenizer),
        len(validation.encode()),
        len(test.encode()),
    )


def joined(documents: tuple[str, ...]) -> str:
    """One text, an empty line between two documents."""
    return "\n\n".join(documents)


def _ids(text: str, tokenizer: ByteBPETokenizer) -> np.ndarray:
    return np.array(tokenizer.encode(text))
