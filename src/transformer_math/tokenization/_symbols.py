"""The symbols of which a BPE is made: the characters of a text, or the bytes of its UTF-8."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from transformer_math.errors import require


def symbols_of(chunk: str | bytes) -> list:
    """The characters of a text, the bytes of what is bytes.

    >>> symbols_of("ab"), symbols_of(b"ab")
    (['a', 'b'], [b'a', b'b'])
    """
    if isinstance(chunk, str):
        return list(chunk)
    return [chunk[i : i + 1] for i in range(len(chunk))]


def spelled(words: Iterable, ids: Mapping) -> list[str]:
    """Each word with one character for each id: the form in which pairs are found fastest.

    >>> spelled(["ba"], {"a": 0, "b": 1})
    ['\\x01\\x00']
    """
    characters = {symbol: chr(number) for symbol, number in ids.items()}
    return ["".join(characters[one] for one in symbols_of(word)) for word in words]


def require_alphabet(symbols: Sequence, words: Collection, vocab_size: int) -> None:
    """Raise ValueError unless the alphabet has each symbol of the words once, is of their kind, and has room in the vocabulary."""
    kind = type(next(iter(words)))
    others = [one for one in symbols if type(one) is not kind or not one]
    require(
        others == [],
        f"the alphabet holds {others[:5]}; wanted {kind.__name__} as the words are, none of them empty. Fix: leave these out.",
    )
    require(
        len(set(symbols)) == len(symbols),
        "the alphabet holds a symbol twice; wanted each once, since each gets one id. Fix: dict.fromkeys(alphabet).",
    )
    missing = sorted(set().union(*map(symbols_of, words)) - set(symbols))
    require(
        missing == [],
        f"the alphabet lacks {missing[:5]}, which the corpus holds. Fix: add them to the alphabet.",
    )
    require(
        vocab_size >= len(symbols),
        f"vocab_size is {vocab_size}, but the alphabet alone has {len(symbols)} symbols. Fix: ask for at least that many.",
    )
