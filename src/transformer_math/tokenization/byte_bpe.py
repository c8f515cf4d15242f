"""Byte-level BPE, the tokenizer of GPT-2 and its successors: chunks of UTF-8, 256 first tokens, and no text it cannot write."""

from collections.abc import Iterable

from transformer_math.contract import Size, Text, contract
from transformer_math.tokenization.bpe import BPE, decode_bpe, encode_bpe, train_bpe
from transformer_math.tokenization.pretokenization import (
    GPT2_PATTERN,
    chunk_counts,
    pretokenize,
)
from transformer_math.tokenization.utf8 import _writable, utf8_decode

ALL_BYTES = [bytes([value]) for value in range(256)]


@contract
@_writable
def train_byte_bpe(text: Text, vocab_size: Size, pattern: Text = GPT2_PATTERN) -> BPE:
    """Learn merges of bytes from a text. The vocabulary starts with all 256 bytes, so `vocab_size` is at least 256.

        (a, b) = argmax_{a', b' ∈ V} freq(a', b')

    No merge crosses the chunks that the split pattern cuts.

    Book: eq-bpe-train. Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> train_byte_bpe("the then there", vocab_size=258).pairs()
    [(b'h', b'e'), (b't', b'he')]
    """
    counts = chunk_counts(text, pattern)
    in_bytes = {chunk.encode("utf-8"): count for chunk, count in counts.items()}
    return train_bpe(in_bytes, vocab_size, alphabet=ALL_BYTES)


@contract
@_writable
def encode_text(text: str, bpe: BPE, pattern: Text = GPT2_PATTERN) -> list[int]:
    r"""Write any text as token ids; `decode_text` gives back the very same text.

        decode(encode(s)) = s

    Book: eq-lossless.

    >>> encode_text("hi", train_byte_bpe("hi hi", vocab_size=257))
    [256]
    """
    return encode_bpe((c.encode("utf-8") for c in pretokenize(text, pattern)), bpe)


@contract
@_writable
def written_chunks(text: str, pattern: Text = GPT2_PATTERN) -> list[str]:
    """The chunks of a text that UTF-8 can write; a lone surrogate is refused.

    >>> written_chunks("it is")
    ['it', ' is']
    """
    return pretokenize(text, pattern)


@contract
def decode_text(ids: Iterable[int], bpe: BPE) -> str:
    """Read the text behind token ids; bytes that are no UTF-8 (a model may write them) become U+FFFD.

        decode(encode(s)) = s

    Book: eq-lossless.

    >>> decode_text([104, 105], BPE(tuple(ALL_BYTES), {}))
    'hi'
    """
    return utf8_decode(decode_bpe(ids, bpe))
