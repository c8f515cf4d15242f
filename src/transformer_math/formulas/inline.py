"""Equations inside sentences: which of them state a computation, and with which values they are run."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from transformer_math.formulas.book import Formula, without_formulas

# Pages that quote: signs that are explained, rows that explain symbols, what others wrote wrongly.
QUOTING = {"book/reading", "book/notation", "book/corrections"}

_SPAN = re.compile(
    r"(?<![\\$`])\$(?![\s$])((?:[^$\\`]|\\.)+?)(?<!\s)\$(?!\$)", re.DOTALL
)
_REMARK = re.compile(r"^[ \t]*% inline(?P<words> words)?: ?(?:\$(?P<tex>[^$]+)\$ \| )?(?P<remark>.*)$", re.MULTILINE)  # fmt: skip
_RELATION = re.compile(r"=|<|>|\\(?:leq?|geq?|propto|leftarrow)(?![A-Za-z])")
_LETTERS = (
    "ell alpha beta gamma delta varepsilon theta lambda mu nu xi sigma omega varphi eta psi pi"
    " Delta Pi"
)
_NAMES = re.compile(
    r"\\(?:text|operatorname|mathrm|mathbf|mathsf|mathcal|mathbb)\s*\{[^{}]*\}"
    rf"|\\(?:{_LETTERS.replace(' ', '|')})(?![A-Za-z])"
)
_SCRIPT = re.compile(
    r"_(?:\{[^{}]*\}|\\\w+|\w)|\^(?:\\top|\{\([^{}]*\)\}|[QKVOh*]|\{x\})|'"
)
_OPERATION = re.compile(
    r"[-+/^]|\\(?:t?frac|sqrt|cdot|odot|times|sum|prod|ln|log|exp|max|min|cos|sin|tanh|partial|dots)(?![A-Za-z])"
    r"|[A-Za-z)\]}]\s*(?:\\[,;!]\s*)?[A-Za-z(]|\d\s*[A-Za-z(]"
)
_BELOW = re.compile(r"_\{[^{}]*\}")
_GRADIENT = re.compile(r"\\mathrm\{d\}\s*[A-Za-z]")
_SIZES = set("nmdHVN")


def states(tex: str) -> bool:
    r"""Whether an equation says what something comes to, rather than gives a name its value or its size.

    >>> states("X = Z W + b"), states("n = 6 d"), states(r"T = \tfrac12"), states("(a + b)^2 = a^2 + 2ab + b^2")
    (True, False, False, True)
    """
    sides = [_bare(side) for side in _RELATION.split(_BELOW.sub("", tex))]
    at_work = [side for side in sides if _OPERATION.search(side)]
    if len(sides) < 2 or not at_work or ("," in tex and r"\dots" in tex):
        return False
    if len(at_work) > 1:
        return any(map(_letters, sides))
    named = any(re.fullmatch("[A-Za-z]", side) for side in sides)
    of_sizes = set().union(*map(_letters, sides)) <= _SIZES
    return not (of_sizes or (named and not _letters(at_work[0])))


def _letters(side: str) -> set[str]:
    return set(re.findall("[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", side)))


def _bare(side: str) -> str:
    """A side with one letter for each name, and without the signs of numbers."""
    named = _NAMES.sub("x", _GRADIENT.sub("x", side))
    while (plain := _SCRIPT.sub("", named)) != named:
        named = plain
    return re.sub(r"(^|[(,])\s*-\s*(?=\d)", r"\1", named.strip())


def inline_of(text: str, page: str) -> list[Formula]:
    r"""The equations inside the sentences of one page that state a computation, from top to bottom.

    >>> [one] = inline_of("% inline: a, b: number\nWe know that $a + b = b + a$, for $n = 3$.\n", "page")
    >>> one.tex, one.values
    ('a + b = b + a', 'a, b: number')
    """
    if page in QUOTING:
        return []
    bare = without_formulas(text)
    blocks = re.finditer(r"(?:^[^\n]*\S[^\n]*\n?)+", bare, re.MULTILINE)
    return [one for block in blocks for one in _of_block(block, bare, page)]


def _of_block(block: re.Match, text: str, page: str) -> Iterator[Formula]:
    remarks = [found.groupdict() for found in _REMARK.finditer(block[0])]
    shown = re.sub(r"^[ \t]*%[^\n]*", lambda line: " " * len(line[0]), block[0], flags=re.MULTILINE)  # fmt: skip
    for found in _SPAN.finditer(shown):
        tex = " ".join(found[1].split())
        own = [one for one in remarks if one["tex"] == tex]
        if not own and not states(tex):
            continue
        remark = next(iter(own or [one for one in remarks if one["tex"] is None]), {})
        place = block.start() + found.start()
        yield Formula(
            tex,
            page,
            text.count("\n", 0, place) + 1,
            None,
            None if remark.get("words") else remark.get("remark"),
            remark["remark"] if remark.get("words") else None,
            place - text.rfind("\n", 0, place),
        )


def inline(root: Path, pages: Iterable[Path]) -> list[Formula]:
    """The equations inside sentences of some pages; a page is named by its path below `root`."""
    return [
        formula
        for page in sorted(pages)
        for formula in inline_of(
            page.read_text("utf-8"), page.relative_to(root).with_suffix("").as_posix()
        )
    ]
