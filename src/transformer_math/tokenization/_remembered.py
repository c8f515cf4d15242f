"""Chunks met before: a text repeats its words, and each is cut once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain

MOST = 2**16  # chunks that are remembered
LONGEST = 64  # characters of one that is

OfMany = Callable[[Collection[str]], Mapping[str, list[int]]]


class Remembered(dict[str, list[int]]):
    """The ids of chunks: `of_all(chunks)` asks a function for those that are new, all at once.

    What is kept between two texts is never more than `MOST` short chunks: then it begins anew, since what is frequent
    is soon met again.

    >>> ids = Remembered(one_by_one(lambda chunk: [len(chunk)]))
    >>> ids.of_all(["one", "three", "one"]), sorted(ids)
    ([3, 5, 3], ['one', 'three'])
    """

    def __init__(self, function: OfMany) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, chunk: str) -> list[int]:
        """For a thread from which another one has just taken a chunk."""
        return self._function([chunk])[chunk]

    def of_all(self, chunks: Sequence[str]) -> list[int]:
        """The ids of the chunks, end to end."""
        new = {chunk for chunk in chunks if chunk not in self}
        self.update(self._function(new))
        ids = list(chain.from_iterable(map(self.__getitem__, chunks)))
        for chunk in new:
            if len(chunk) > LONGEST:
                self.pop(chunk, None)
        if len(self) > MOST:
            self.clear()
        return ids


def one_by_one(function: Callable[[str], list[int]]) -> OfMany:
    """A function of one chunk as one of many.

    >>> one_by_one(lambda chunk: [len(chunk)])(["one"])
    {'one': [3]}
    """
    return lambda chunks: {chunk: function(chunk) for chunk in chunks}


def ids_of(
    pieces: list[str],
    known: Mapping[str, int],
    of_unknown: Callable[[str], list[int]],
) -> list[int]:
    """The ids of a word's pieces; mostly all are known, and nothing else is asked.

    >>> ids_of(["a", "é"], {"a": 256}, lambda piece: [*piece.encode()])
    [256, 195, 169]
    """
    try:
        return [known[piece] for piece in pieces]
    except KeyError:
        each = ([known[p]] if p in known else of_unknown(p) for p in pieces)
        return list(chain.from_iterable(each))
