"""Checks of byte-level BPE: the same merges as Hugging Face, and every text comes back."""

import unicodedata
from collections import Counter

from tokenizers import Regex, pre_tokenizers

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, or_edge, size, smallest, sometimes
from transformer_math.checks.tokenization.bpe import huggingface_bpe, learnt
from transformer_math.checks.tokenization.utf8 import random_code_point
from transformer_math.tokenization.bpe import BPE, encode_bpe
from transformer_math.tokenization.byte_bpe import (
    ALL_BYTES,
    decode_text,
    encode_text,
    train_byte_bpe,
)
from transformer_math.tokenization.pretokenization import GPT2_PATTERN, LLAMA3_PATTERN


def random_text(rng):
    """English, white space of all sorts, and characters from anywhere in Unicode; one of them, or a thousand."""
    if smallest():
        return chr(random_code_point(rng))
    pieces = [
        "the",
        " the",
        " then",
        "an",
        "'ll",
        "½",
        " and",
        "  ",
        "\n",
        "\r\n",
        " 42",
        "!",
        "é",
        "e\u0301",
        "ﬁ",
        "😊",
        "\u00a0",
    ]
    text = "".join(rng.choice(pieces, size=1000 if longest() else rng.integers(1, 40)))
    others = [chr(random_code_point(rng)) for _ in range(rng.integers(6))]
    return text + "".join(c for c in others if unicodedata.category(c) != "Cn")


def cut_like_gpt2(text, pattern=GPT2_PATTERN):
    """The chunks of a split pattern, GPT-2's unless another is given, by Hugging Face."""
    cutter = (
        pre_tokenizers.ByteLevel(add_prefix_space=False)
        if pattern == GPT2_PATTERN
        else pre_tokenizers.Split(Regex(pattern), "isolated")
    )
    places = cutter.pre_tokenize_str(text)
    return [text[start:end] for _, (start, end) in places]


def as_latin_1(chunk):
    """Bytes as characters with the same numbers, so that a trainer for characters sees bytes in the same order."""
    return chunk.encode("utf-8").decode("latin-1")


@check(
    train_byte_bpe,
    equation="eq-bpe-train",
    oracle="the trainer of Hugging Face tokenizers, fed with bytes",
    cases=40,
)
def byte_bpe_equals_huggingface(train_byte_bpe, rng):
    text = random_text(rng) * (1 if smallest() else 2)
    merges = int(rng.integers(1, 12))
    given, pattern = sometimes(rng, LLAMA3_PATTERN, GPT2_PATTERN)
    bpe = train_byte_bpe(text, 256 + merges, *given)
    corpus = Counter(map(as_latin_1, cut_like_gpt2(text, pattern)))
    _, wanted = learnt(huggingface_bpe(corpus, 256 + merges, LATIN_1))
    return difference(
        [(a.decode("latin-1"), b.decode("latin-1")) for a, b in bpe.pairs()], wanted
    )


NO_PATTERN = "a split pattern is an expression, one of three"
OF_A_TEXT = (
    "one character in pattern",
    "1,000 characters in pattern",
    "beyond ASCII in pattern",
)
byte_bpe_equals_huggingface.excuses("the 256 bytes come first", "vocab_size = 1")
byte_bpe_equals_huggingface.excuses(NO_PATTERN, *OF_A_TEXT)


@byte_bpe_equals_huggingface.rejects(
    "You train on characters; wanted the bytes of their UTF-8."
)
def on_latin_characters(text, vocab_size, pattern=GPT2_PATTERN):
    plain = text.encode("ascii", "replace").decode()
    return train_byte_bpe(plain, vocab_size, pattern)


@byte_bpe_equals_huggingface.rejects(
    "Your merges cross the borders of chunks: cut the text first, count pairs inside each chunk."
)
def without_chunks(text, vocab_size, pattern=GPT2_PATTERN):
    return train_byte_bpe(text.replace(" ", "x"), vocab_size, pattern)


@byte_bpe_equals_huggingface.rejects(
    "You always cut as GPT-2 does: the split pattern is an argument."
)
def always_gpt2s_chunks(text, vocab_size, pattern=GPT2_PATTERN):
    return train_byte_bpe(text, vocab_size)


LATIN_1 = [chr(byte) for byte in range(256)]


def learnt_bytes(rng):
    """Merges of bytes, learnt by Hugging Face: its tokenizer and the same merges as a `BPE`."""
    corpus = Counter(map(as_latin_1, cut_like_gpt2(random_text(rng) * 2)))
    tokenizer = huggingface_bpe(corpus, 256 + int(rng.integers(20)), LATIN_1)
    tokens, merges = learnt(tokenizer)
    number = {token: i for i, token in enumerate(tokens)}
    as_bytes = tuple(token.encode("latin-1") for token in tokens)
    return tokenizer, BPE(
        as_bytes, {(number[a], number[b]): number[a + b] for a, b in merges}
    )


@check(
    encode_text,
    equation="eq-lossless",
    oracle="the encoder of Hugging Face tokenizers, fed with bytes",
)
def text_encoding_equals_huggingface(encode_text, rng):
    tokenizer, bpe = learnt_bytes(rng)
    text = or_edge(rng, "", random_text(rng))
    given, pattern = sometimes(rng, LLAMA3_PATTERN, GPT2_PATTERN)
    chunks = map(as_latin_1, cut_like_gpt2(text, pattern))
    wanted = tokenizer.encode("\ue000".join(chunks)).ids
    return difference(list(encode_text(text, bpe, *given)), wanted)


text_encoding_equals_huggingface.excuses(NO_PATTERN, *OF_A_TEXT)


@text_encoding_equals_huggingface.rejects(
    "You never merge: the ids are those of single bytes, and the text is as long as its UTF-8."
)
def never_merging(text, bpe, pattern=GPT2_PATTERN):
    return [bpe.tokens.index(bytes([byte])) for byte in text.encode("utf-8")]


@text_encoding_equals_huggingface.rejects(
    "You merge across chunks: cut the text first, with `pretokenize`."
)
def in_one_chunk(text, bpe, pattern=GPT2_PATTERN):
    return encode_bpe([text.encode("utf-8")], bpe)


@check(
    decode_text,
    equation="eq-lossless",
    oracle="CPython's codec, bytes that are no UTF-8 included",
    cases=60,
)
def decoding_equals_cpython(decode_text, rng):
    tokens = [bytes([byte]) for byte in range(256)]
    tokens += [bytes(rng.integers(256, size=2).tolist()) for _ in range(9)]
    written = [token.encode("utf-8") for token in ("é", "😊", "ab")]
    bpe = BPE((*tokens, *written), {})
    ids = rng.integers(len(bpe.tokens) - 12, len(bpe.tokens), size=size(rng)).tolist()
    ids += rng.integers(256, size=0 if smallest() else size(rng)).tolist()
    wanted = b"".join(bpe.tokens[i] for i in ids).decode("utf-8", "replace")
    return difference(decode_text(ids, bpe), wanted)


@decoding_equals_cpython.rejects(
    "You drop bytes that are no UTF-8; each becomes U+FFFD, so that the reader sees it."
)
def broken_bytes_dropped(ids, bpe):
    return b"".join(bpe.tokens[i] for i in ids).decode("utf-8", "ignore")


@decoding_equals_cpython.rejects(
    "You decode each token by itself; a character may be spread over several: join the bytes first."
)
def token_by_token(ids, bpe):
    return "".join(bpe.tokens[i].decode("utf-8", "replace") for i in ids)


@decoding_equals_cpython.rejects(
    "You read each byte as a character of its own: that is Latin-1, not UTF-8."
)
def as_if_latin_1(ids, bpe):
    return b"".join(bpe.tokens[i] for i in ids).decode("latin-1")


@check(
    encode_text,
    equation="eq-lossless",
    oracle="the text that went in, read back by CPython's codec",
    cases=200,
)
def encoding_is_lossless(encode_text, rng):
    _, bpe = learnt_bytes(rng)
    text = random_text(rng)
    given, _ = sometimes(rng, LLAMA3_PATTERN, GPT2_PATTERN)
    return difference(
        b"".join(bpe.tokens[i] for i in encode_text(text, bpe, *given)).decode(
            "utf-8", "replace"
        ),
        text,
    )


@encoding_is_lossless.rejects(
    "You drop or fold white space: two spaces are two characters."
)
def words_only(text, bpe, pattern=GPT2_PATTERN):
    return encode_text(" ".join(text.split()) or " ", bpe, pattern)


@encoding_is_lossless.rejects(
    "You write the end of a line as “\\n” where “\\r\\n” stands: both characters must come back."
)
def other_line_ends(text, bpe, pattern=GPT2_PATTERN):
    return encode_text(text.replace("\r\n", "\n"), bpe, pattern)


@encoding_is_lossless.rejects(
    "You normalise the text first: “é” and “e” with an accent to follow are different strings."
)
def normalised(text, bpe, pattern=GPT2_PATTERN):
    return encode_text(unicodedata.normalize("NFKC", text), bpe, pattern)


@encoding_is_lossless.rejects("You replace what is not ASCII: bytes can write it.")
def ascii_only(text, bpe, pattern=GPT2_PATTERN):
    return encode_text(text.encode("ascii", "replace").decode(), bpe, pattern)


@encoding_is_lossless.rejects(
    "You write each character as one byte; UTF-8 takes up to four."
)
def one_byte_each(text, bpe, pattern=GPT2_PATTERN):
    return encode_bpe(
        [bytes(min(ord(c), 255) for c in text)], BPE(tuple(ALL_BYTES), {})
    )


@decoding_equals_cpython.rejects(
    "You put a space between tokens: their bytes stand side by side, and hold the spaces themselves."
)
def with_spaces(ids, bpe):
    return b" ".join(bpe.tokens[i] for i in ids).decode("utf-8", "replace")


@decoding_equals_cpython.rejects(
    "You strip spaces that belong to the text: it must come back as it was."
)
def stripped(ids, bpe):
    return decode_text(ids, bpe).strip()
