"""Byte-level BPE, the tokenizer of GPT-2 and its successors: chunks of UTF-8, 256 first tokens, and no text it cannot write."""

import re
from collections.abc import Iterable

from transformer_math.contract import Size, Text, contract, requires
from transformer_math.tokenization.bpe import BPE, decode_bpe, encode_bpe, train_bpe
from transformer_math.tokenization.pretokenization import chunk_counts, pretokenize
from transformer_math.tokenization.utf8 import utf8_decode

_written = requires(
    lambda text: re.search("[\\ud800-\\udfff]", text) is None,
    "the text holds half of a character (a lone surrogate), which UTF-8 cannot write. Fix: read the text as UTF-8.",
)
ALL_BYTES = [bytes([value]) for value in range(256)]


@contract
@_written
def train_byte_bpe(text: Text, vocab_size: Size) -> BPE:
    """Learn merges of bytes from a text. The vocabulary starts with all 256 bytes, so `vocab_size` is at least 256.

    Book: eq-bpe-train. Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> train_byte_bpe("the then there", vocab_size=258).pairs()
    [(b'h', b'e'), (b't', b'he')]
    """
    counts = {
        chunk.encode("utf-8"): count for chunk, count in chunk_counts(text).items()
    }
    return train_bpe(counts, vocab_size, alphabet=ALL_BYTES)


@contract
@_written
def encode_text(text: Text, bpe: BPE) -> list[int]:
    r"""Write any text as token ids; `decode_text` gives back the very same text.

        decode(encode(s)) = s   for every string s of Unicode characters

    Book: eq-lossless.

    >>> encode_text("hi", train_byte_bpe("hi hi", vocab_size=257))
    [256]
    """
    return encode_bpe((chunk.encode("utf-8") for chunk in pretokenize(text)), bpe)


@contract
def decode_text(ids: Iterable[int], bpe: BPE) -> str:
    """Read the text behind token ids; bytes that are no UTF-8 (a model may write them) become U+FFFD.

    Book: eq-lossless.

    >>> decode_text([104, 105], BPE(tuple(ALL_BYTES), {}))
    'hi'
    """
    return utf8_decode(decode_bpe(ids, bpe))
