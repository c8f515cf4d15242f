"""Step 1: from text to token ids."""

from transformer_math.tokenization.bpe import (
    BPE,
    decode_bpe,
    encode_bpe,
    encode_chunk,
    pair_counts,
    train_bpe,
)
from transformer_math.tokenization.byte_bpe import (
    ALL_BYTES,
    decode_text,
    encode_text,
    train_byte_bpe,
)
from transformer_math.tokenization.corpus import TOY_WORDS, english_prose
from transformer_math.tokenization.pair_index import merge_pair
from transformer_math.tokenization.pretokenization import chunk_counts, pretokenize
from transformer_math.tokenization.units import (
    build_vocabulary,
    characters,
    ids_to_tokens,
    tokens_to_ids,
    words,
)
from transformer_math.tokenization.utf8 import utf8_bytes, utf8_decode, utf8_encode

__all__ = [
    "ALL_BYTES",
    "BPE",
    "TOY_WORDS",
    "build_vocabulary",
    "characters",
    "chunk_counts",
    "decode_bpe",
    "decode_text",
    "encode_bpe",
    "encode_chunk",
    "encode_text",
    "english_prose",
    "ids_to_tokens",
    "merge_pair",
    "pair_counts",
    "pretokenize",
    "tokens_to_ids",
    "train_bpe",
    "train_byte_bpe",
    "utf8_bytes",
    "utf8_decode",
    "utf8_encode",
    "words",
]
