"""Cut a text into chunks before any pair is counted, so that no token ever spans two words."""

import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache

from transformer_math.contract import Text, contract

SEPARATORS = "\x1c\x1d\x1e\x1f"  # white space to Python, not to Unicode


@contract
def pretokenize(text: Text) -> list[str]:
    r"""Cut a text into chunks that a merge must not cross; together they are the text, to the last space.

    The rule is GPT-2's: an English ending (`'s`, `'t`, `'re`, `'ve`, `'m`, `'ll`, `'d`); letters, numerals or other
    signs, each with the space before them; white space at last, less the space that a word takes along.
    Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> pretokenize("Don't  panic: 42!")
    ['Don', "'t", ' ', ' panic', ':', ' 42', '!']
    """
    return _gpt2_chunk().findall(text)


@contract
def chunk_counts(text: Text) -> Counter[str]:
    """Count each distinct chunk: a corpus in which `the` stands a thousand times needs it only once.

    >>> chunk_counts("to be or not to be")[" be"]
    2
    """
    return Counter(pretokenize(text))


@cache
def _gpt2_chunk() -> re.Pattern:
    r"""GPT-2's expression for `re`, which knows neither \p{L} and \p{N} nor Unicode's own white space."""
    letters = _all(str.isalpha)
    numbers = _all(lambda c: c.isnumeric() and not c.isalpha())
    space = _all(lambda c: c.isspace() and c not in SEPARATORS)
    return re.compile(
        f"'(?:[stmd]|re|ve|ll)| ?[{letters}]+| ?[{numbers}]+| ?[^{letters}{numbers}{space}]+"
        f"|[{space}]+(?![^{space}])|[{space}]+"
    )


def _all(belongs: Callable[[str], bool]) -> str:
    """The characters that belong to a class, as an expression writes them: `a-cx-z`."""
    runs: list[list[str]] = []
    for character in filter(belongs, map(chr, range(sys.maxunicode + 1))):
        if runs and ord(character) == ord(runs[-1][-1]) + 1:
            runs[-1][1:] = [character]
        else:
            runs.append([character])
    return "".join("-".join(map(re.escape, run)) for run in runs)
