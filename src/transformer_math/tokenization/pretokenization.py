"""Cut a text into chunks before any pair is counted, so that no token ever spans two words.

How to cut is a regular expression, a split pattern. Those of GPT-2 and its successors speak of Unicode's classes, which
Python's `re` does not know; `_compiled_pattern` writes them out.
"""

import re
import sys
import unicodedata
from collections import Counter
from functools import cache

from transformer_math.contract import Text, contract
from transformer_math.errors import require

SEPARATORS = "\x1c\x1d\x1e\x1f"  # white space to Python, not to Unicode
GPT2_PATTERN = (
    r"'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)
CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
LLAMA3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_PARTS = re.compile(r"\[\^?((?:\\.|[^\]\\])*)\]|\\[pP]\{\w+\}|\\.|\$")
_NAMED = re.compile(r"\\(?:p\{(\w+)\}|(s))")


@contract
def pretokenize(text: str, pattern: Text = GPT2_PATTERN) -> list[str]:
    r"""Cut a text into chunks that a merge must not cross; together they are the text, to the last space.

    The rule is GPT-2's unless another pattern is given: an English ending (`'s`, `'t`, `'re`, `'ve`, `'m`, `'ll`, `'d`);
    letters, numerals or other signs, each with the space before them; white space at last, less the space that a word
    takes along. Raises ValueError for a pattern that cannot be read, or that leaves out a part of the text.
    Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> pretokenize("Don't  panic: 42!")
    ['Don', "'t", ' ', ' panic', ':', ' 42', '!']
    >>> pretokenize("Don't  panic: 4200!", LLAMA3_PATTERN)
    ['Don', "'t", ' ', ' panic', ':', ' ', '420', '0', '!']
    """
    chunks = [
        match[0] for match in _compiled_pattern(pattern).finditer(text) if match[0]
    ]
    left_out = len(text) - sum(map(len, chunks))
    require(
        left_out == 0,
        f"the pattern {pattern!r:.40} leaves out {left_out} characters of the text. Fix: end it with `|[^a]|a`: any character.",
    )
    return chunks


@contract
def chunk_counts(text: Text, pattern: Text = GPT2_PATTERN) -> Counter[str]:
    """Count each distinct chunk: a corpus in which `the` stands a thousand times needs it only once.

    >>> chunk_counts("to be or not to be")[" be"]
    2
    """
    return Counter(pretokenize(text, pattern))


@cache
def _compiled_pattern(pattern: str) -> re.Pattern:
    r"""A split pattern for `re`: \p{L}, \p{N} and other categories of Unicode written out, \s as Unicode has it, $ the very end.

    Raises ValueError for a pattern that `re` cannot read.

    >>> _compiled_pattern(r" ?\p{L}+|.").findall("e\u0301 né")
    ['e', '\u0301', ' né']
    """
    require(
        isinstance(pattern, str),
        f"the pattern is {pattern!r:.40}; wanted a regular expression. Fix: GPT2_PATTERN.",
    )
    try:
        return re.compile(_PARTS.sub(_written_out, pattern))
    except re.error as error:
        message = f"the pattern {pattern!r:.40} cannot be read: {error}. Fix: GPT2_PATTERN is one that can."
        raise ValueError(message) from None


def _written_out(part: re.Match) -> str:
    """A class in brackets or outside, with its characters; all else as it is."""
    found = part[0]
    if found == "$":
        return r"\Z"
    if part[1] is not None:  # in brackets
        sign = "^" if found[1] == "^" else ""
        inside = part[1]
        require(
            not re.search(r"\\[PSDW]", inside),
            f"the class {found!r:.40} holds the opposite of a class. Fix: write [^...] around what is not wanted.",
        )
        return f"[{sign}{_NAMED.sub(_characters, inside)}]"
    if named := _NAMED.fullmatch(found[0] + found[1].lower() + found[2:]):
        return f"[{'^' if found[1] in 'PS' else ''}{_characters(named)}]"
    return found


def _characters(named: re.Match) -> str:
    return _space() if named[2] else _category(named[1])


@cache
def _category(name: str) -> str:
    """The characters whose category begins with these letters, such as `L` or `Lu`."""
    signs, signs_of = _categories()
    wanted = "".join(
        sign for category, sign in signs_of.items() if category.startswith(name)
    )
    require(
        wanted != "",
        f"no character has the category {name!r}. Fix: L for letters, N for numerals, Lu for capital letters.",
    )
    return _runs(f"[{wanted}]+", signs)


@cache
def _categories() -> tuple[str, dict[str, str]]:
    """A sign for the category of every character, in order, and which sign stands for which category."""
    categories = [*map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))]
    signs_of = {
        name: chr(0x100 + k) for k, name in enumerate(dict.fromkeys(categories))
    }
    return "".join(map(signs_of.__getitem__, categories)), signs_of


@cache
def _space() -> str:
    """White space as Unicode has it."""
    return _matching(rf"[^\S{SEPARATORS}]+")


def _matching(pattern: str) -> str:
    """The characters of which a pattern takes runs, as an expression writes them: `a-cx-z`."""
    return _runs(pattern, "".join(map(chr, range(sys.maxunicode + 1))))


def _runs(pattern: str, signs: str) -> str:
    """The same from a sign for every character, in order, and a pattern for runs of those that belong."""
    ends = ((run.start(), run.end() - 1) for run in re.finditer(pattern, signs))
    return "".join("-".join(map(re.escape, map(chr, sorted({*run})))) for run in ends)
