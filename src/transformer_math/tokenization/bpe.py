"""Byte-pair encoding: merge the most frequent pair of neighbours, again and again, and remember the order.

The same functions serve characters and bytes: a chunk is a `str` or a `bytes`, and so are its tokens.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from transformer_math.contract import Size, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._ids import is_whole, known_ids
from transformer_math.tokenization._sound_bpe import fault_of_bpe
from transformer_math.tokenization._symbols import require_alphabet, spelled, symbols_of
from transformer_math.tokenization.pair_index import Pair, PairIndex, merge_pair

_counted = requires(
    lambda word_counts: all(is_whole(c) and c >= 1 for c in word_counts.values()),
    "the counts of the words hold something else than whole numbers of at least 1. Fix: Counter(words) makes counts.",
)


class BPE(NamedTuple):
    """A trained tokenizer: its tokens by id, and its merges by rank, each with the id of the token it makes."""

    tokens: tuple[Any, ...]  # all texts, or all bytes
    merges: Mapping[Pair, int]

    def pairs(self) -> list[tuple]:
        """The merges in the order in which they were learnt, as pairs of tokens."""
        return [(self.tokens[a], self.tokens[b]) for a, b in self.merges]

    def triples(self) -> list[list[int]]:
        """The merges in that order, each as [first id, second id, id of the token that it makes].

        >>> train_bpe({"low": 3, "lower": 2}, vocab_size=7).triples()
        [[1, 2, 5], [5, 4, 6]]
        """
        return [[first, second, made] for (first, second), made in self.merges.items()]


_sound = requires(lambda bpe: not fault_of_bpe(*bpe), lambda bpe: fault_of_bpe(*bpe))


@contract
@requires(
    lambda word_counts: all(isinstance(word, Sequence) for word in word_counts),
    lambda word_counts: (
        f"the word {next(w for w in word_counts if not isinstance(w, Sequence))!r} is no sequence of tokens; wanted a text, "
        "bytes or a tuple. Fix: Counter(words) of the words of a text makes counts."
    ),
)
@_counted
def pair_counts(word_counts: Mapping[Sequence, int]) -> Counter:
    r"""Count how often each pair of neighbouring tokens stands in a corpus.

        freq(a, b) = Σ_w c_w Σ_{i=0}^(n_w - 2) [x_{w,i} = a] [x_{w,i+1} = b]

    The corpus is given as distinct words w (sequences of tokens) with their counts c_w; pairs never span two words.
    Book: eq-pair-count. Source: Sennrich, Haddow and Birch (2016), arXiv:1508.07909.

    >>> pair_counts({"low": 3, "lower": 2})[("l", "o")]
    5
    """
    counts: Counter = Counter()
    for word, count in word_counts.items():
        for pair in zip(word, word[1:]):
            counts[pair] += count
    return counts


@contract
@requires(
    lambda word_counts: len(word_counts) > 0,
    "the corpus holds no word; wanted at least one. Fix: pass counts such as {{'low': 3}}.",
)
@requires(
    lambda word_counts: {type(word) for word in word_counts} in ({str}, {bytes}),
    lambda word_counts: (
        f"the words are {sorted({type(w).__name__ for w in word_counts})}; wanted all str or all bytes. Fix: encode all, or none."
    ),
)
@_counted
def train_bpe(
    word_counts: Mapping[str, int] | Mapping[bytes, int],
    vocab_size: Size,
    alphabet: Iterable | None = None,
) -> BPE:
    r"""Learn merges until the vocabulary has `vocab_size` tokens, or no pair is left.

        (a, b) = argmax_{a', b' ∈ V} freq(a', b')

    Ties go to the pair with the smallest ids; an id counts characters by code point first, then tokens as they are
    made. A merge that spells a token already known takes that token's id. `alphabet` (default: the symbols of the
    corpus) is what the vocabulary starts from. Where no pair is left it stays smaller: `len(bpe.tokens)` were learnt.
    Raises ValueError for an empty corpus and for a vocabulary smaller than the alphabet.
    Book: eq-bpe-train. Source: Sennrich, Haddow and Birch (2016), arXiv:1508.07909.

    >>> train_bpe({"low": 3, "lower": 2}, vocab_size=7).pairs()
    [('l', 'o'), ('lo', 'w')]
    """
    used = set().union(*map(symbols_of, word_counts))
    symbols = sorted(used) if alphabet is None else list(alphabet)
    require_alphabet(symbols, word_counts, vocab_size)
    ids = {symbol: number for number, symbol in enumerate(symbols)}
    index = PairIndex(spelled(word_counts, ids), list(word_counts.values()))
    merges = {}
    while len(ids) < vocab_size and (pair := index.most_frequent()) is not None:
        token = symbols[pair[0]] + symbols[pair[1]]
        merges[pair] = ids.setdefault(token, len(ids))
        if len(ids) > len(symbols):
            symbols.append(token)
        index.merge(pair, merges[pair])
    return BPE(tuple(symbols), merges)


@contract
def encode_chunk(
    symbols: Sequence[int], merges: Mapping[Pair, int], ranks: Mapping[Pair, int]
) -> list[int]:
    """Apply the learnt merges to one chunk: the pair learnt first goes first, wherever it stands.

        (a, b) = argmin rank(a, b)  over the neighbours in the chunk;  merge it;  repeat while a pair has a rank

    Source: Sennrich, Haddow and Birch (2016), arXiv:1508.07909.
    """
    chunk = list(symbols)
    while len(chunk) > 1:
        pair = min(zip(chunk, chunk[1:]), key=lambda pair: ranks.get(pair, len(ranks)))
        if pair not in ranks:
            break
        chunk = merge_pair(chunk, pair, merges[pair])
    return chunk


@contract
@_sound
def encode_bpe(chunks: Iterable[str] | Iterable[bytes], bpe: BPE) -> list[int]:
    r"""Encode chunks of new text: in each, merge the pair of lowest rank until none of the neighbours has a rank.

        i = argmin_{j: j < n - 1} rank(x_j, x_{j+1})

    A chunk that comes again is encoded once. A character that is not in the vocabulary becomes `[UNK]` where that
    token is there. Raises ValueError where it is not.
    Book: eq-bpe-encode.

    >>> bpe = train_bpe({"low": 3, "lower": 2}, vocab_size=7)
    >>> [bpe.tokens[i] for i in encode_bpe(["slow".removeprefix("s"), "wol"], bpe)]
    ['low', 'w', 'o', 'l']
    """
    ids = {token: number for number, token in enumerate(bpe.tokens)}
    ranks = {pair: rank for rank, pair in enumerate(bpe.merges)}
    encoded: dict = {}
    out: list[int] = []
    for chunk in chunks:
        if chunk not in encoded:
            encoded[chunk] = encode_chunk(_known(chunk, ids), bpe.merges, ranks)
        out += encoded[chunk]
    return out


@contract
@requires(
    lambda bpe: len(bpe.tokens) > 0, "the BPE has no tokens. Fix: train_bpe makes one."
)
def decode_bpe(ids: Iterable[int], bpe: BPE) -> Any:
    """Join the tokens after the ids: the inverse of encoding, chunk borders apart.

    Raises ValueError for what is no id of this BPE.

    >>> decode_bpe([0, 1], BPE(("he", "llo"), {}))
    'hello'
    """
    known = known_ids(ids, len(bpe.tokens))
    return type(bpe.tokens[0])().join(bpe.tokens[number] for number in known)


def _known(chunk, ids: Mapping) -> list[int]:
    require(
        isinstance(chunk, (str, bytes)),
        f"the chunks hold {chunk!r}; wanted texts or bytes. Fix: pretokenize(text).",
    )
    symbols = [ids.get(symbol, ids.get("[UNK]")) for symbol in symbols_of(chunk)]
    unknown = symbols_of(chunk)[symbols.index(None)] if None in symbols else None
    require(
        unknown is None,
        f"{chunk!r} holds {unknown!r}, which is not in the vocabulary. "
        "Fix: train on a text that holds it, or on bytes, which know every text.",
    )
    return symbols
