"""Byte-level BPE as GPT-2 and tiktoken keep it: `vocab.json` with `merges.txt`, and a list of ranks."""

from base64 import b64decode
from binascii import Error
from collections.abc import Mapping

from transformer_math.contract import Text, contract
from transformer_math.errors import require
from transformer_math.tokenization._reading import (
    bpe_of,
    numbered,
    require_all_bytes,
)
from transformer_math.tokenization.bpe import encode_chunk
from transformer_math.tokenization.pretokenization import (
    CL100K_PATTERN,
    GPT2_PATTERN,
    _compiled_pattern,
)
from transformer_math.tokenization.printable import unprintable
from transformer_math.tokenization.tokenizer_json import parsed
from transformer_math.tokenization.tokenizers import ByteBPETokenizer


@contract
def from_vocab_and_merges(
    vocab: Text, merges: str, pattern: Text = GPT2_PATTERN
) -> ByteBPETokenizer:
    """Read the texts of GPT-2's two files: `vocab.json` has the ids, `merges.txt` a pair of tokens on each line.

    A token of several bytes that no merge makes is a special one, such as `<|endoftext|>`.
    Raises ValueError for files that are damaged, or do not belong together.
    Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> import json
    >>> from transformer_math.tokenization import ALL_BYTES, printable
    >>> ids = {name: i for i, name in enumerate([*map(printable, ALL_BYTES), "hi", "<|end|>"])}
    >>> tokenizer = from_vocab_and_merges(json.dumps(ids), "#version: 0.2\\nh i\\n")
    >>> tokenizer.encode("hi"), tokenizer.specials
    ([256], {'<|end|>': 257})
    """
    ids = numbered(parsed(vocab), "vocab.json")
    pairs = _pairs(merges)
    missing = [name for a, b in pairs for name in (a, b, a + b) if name not in ids]
    require(
        missing == [],
        f"merges.txt speaks of {missing[:3]}, which vocab.json lacks. Fix: two files that belong together.",
    )
    made = {a + b for a, b in pairs}
    specials = {n: i for n, i in ids.items() if n not in made and len(n) > 1}
    names = sorted(ids, key=ids.__getitem__)
    tokens = [b"" if name in specials else unprintable(name) for name in names]
    triples = [[ids[a], ids[b], ids[a + b]] for a, b in pairs]
    _compiled_pattern(pattern)
    return ByteBPETokenizer(bpe_of(tokens, triples), specials, pattern)


@contract
def from_tiktoken(
    ranks: Text, pattern: Text = CL100K_PATTERN, specials: Mapping[str, int] = {}
) -> ByteBPETokenizer:
    """Read the text of a file of tiktoken: on each line the bytes of a token in base64, and its rank, which is its id.

    Merges are not written there: each token is made of the two that the lower ranks make of its bytes.
    Raises ValueError for a damaged file, for ids with gaps, and for a token that the lower ranks do not make.

    >>> from base64 import b64encode
    >>> from transformer_math.tokenization import ALL_BYTES
    >>> lines = [f"{b64encode(token).decode()} {i}" for i, token in enumerate([*ALL_BYTES, b"hi"])]
    >>> from_tiktoken("\\n".join(lines)).encode("hi")
    [256]
    """
    rank = dict(map(_token_and_rank, filter(None, ranks.splitlines())))
    lines = sum(map(bool, ranks.splitlines()))
    require(
        len(rank) == lines,
        f"{lines - len(rank)} tokens stand twice in the file. Fix: each once.",
    )
    names = {f"{token!r}": number for token, number in rank.items()}
    numbered({**names, **numbered(specials, "specials", gaps=True)}, "the file")
    tokens = [b""] * (len(rank) + len(specials))
    for token, number in rank.items():
        tokens[number] = token
    require_all_bytes(tokens)
    _compiled_pattern(pattern)
    return ByteBPETokenizer(
        bpe_of(tokens, _merges(tokens, rank)), dict(specials), pattern
    )


def _pairs(merges: str) -> list[list[str]]:
    lines = merges.split("\n")
    found = [
        line.rstrip("\r").split(" ") for line in lines[lines[0][:8] == "#version" :]
    ]
    pairs = [parts for parts in found if parts != [""]]
    odd = next((parts for parts in pairs if len(parts) != 2 or "" in parts), None)
    require(
        odd is None,
        f"merges.txt holds the line {' '.join(odd or [])!r:.60}; wanted two tokens with a space between. Fix: pass it whole.",
    )
    return pairs


def _token_and_rank(line: str) -> tuple[bytes, int]:
    parts = line.split(" ")
    require(
        len(parts) == 2 and parts[1].isascii() and parts[1].isdigit(),
        f"the file holds the line {line!r:.60}; wanted a token in base64 and its rank. Fix: pass it whole.",
    )
    try:
        token = b64decode(parts[0], validate=True)
    except (Error, ValueError):
        token = b""
    require(token != b"", f"{parts[0]!r:.60} is no base64. Fix: pass the file whole.")
    return token, int(parts[1][:18])


def _merges(tokens: list[bytes], rank: Mapping[bytes, int]) -> list[list[int]]:
    """For each token of several bytes, by rank, the two that the merges before it make of it."""
    merges: dict[tuple[int, int], int] = {}
    ranks: dict[tuple[int, int], int] = {}
    for made, token in enumerate(tokens):
        if len(token) < 2:
            continue
        single = [rank[token[i : i + 1]] for i in range(len(token))]
        parts = encode_chunk(single, merges, ranks)
        require(
            len(parts) == 2,
            f"the token {token!r} cannot be made by a merge: {len(parts)} parts are left. Fix: use the file with tiktoken.",
        )
        first, second = parts
        merges[first, second] = made
        ranks[first, second] = len(ranks)
    return [[*pair, made] for pair, made in merges.items()]
