"""What the pages print: every displayed formula of the book, as LaTeX, with its label where it has one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_CODE = re.compile(r"^```\{code-cell\}.*?^```$", re.DOTALL | re.MULTILINE)
_FORMULA = re.compile(
    r"(?:^% (?P<kind>values|words): (?P<remark>[^\n]*)\n\n?)?"
    r"(?:^```\{math\}\n(?::label: (?P<label>\S+)\n)?(?P<fenced>.*?)^```$|^\$\$\n?(?P<dollars>.*?)\$\$)",
    re.DOTALL | re.MULTILINE,
)

WHERE = "; where "
_SAID = re.compile(r"\$([^$]+)\$")


@dataclass(frozen=True)
class Formula:
    """A displayed formula: its LaTeX, its page, its line, its label (or none).

    `values` says what the symbols of one without a label stand for, `words` why it cannot be run.
    """

    tex: str
    page: str
    line: int
    label: str | None = None
    values: str | None = None
    words: str | None = None
    column: int | None = None  # of an equation inside a sentence

    @property
    def beside(self) -> str | None:
        """The label of the formula in whose cases this one must hold, where its values are `as eq-…`."""
        found = re.fullmatch(r"as (eq-[\w-]+)", self.values or "")
        return found and found[1]

    @property
    def where(self) -> list[str]:
        r"""What its values say of symbols in formulas of their own: `n, m: number; where $k = n + m$`."""
        return _SAID.findall((self.values or "").partition(WHERE)[2])

    def run(self, tex: str | None = None) -> str:
        """The LaTeX that is run: its own or another, and below it what its values say."""
        lines = [tex or self.tex, *self.where]
        return (
            " \\\\ ".join(lines).join((r"\begin{gathered}", r"\end{gathered}"))
            if self.where
            else lines[0]
        )

    @property
    def name(self) -> str:
        """Its label, or where it stands."""
        place = f"{self.page}:{self.line}"
        return self.label or (f"{place}:{self.column}" if self.column else place)


def without_code(text: str) -> str:
    """A page with empty lines in place of its code cells."""
    return _CODE.sub(lambda found: "\n" * found[0].count("\n"), text)


def without_formulas(text: str) -> str:
    """A page with empty lines in place of its code cells and displayed formulas."""
    return _FORMULA.sub(lambda found: "\n" * found[0].count("\n"), without_code(text))


def formulas_of(text: str, page: str) -> list[Formula]:
    """The displayed formulas of one page, from top to bottom.

    >>> formulas_of("Text\\n\\n$$\\na = b\\n$$\\n", "page")
    [Formula(tex='a = b', page='page', line=3, label=None, values=None, words=None, column=None)]
    """
    blank = without_code(text)
    return [
        Formula(
            (found["fenced"] or found["dollars"]).strip(),
            page,
            blank.count("\n", 0, found.start()) + 1,
            found["label"],
            found["remark"] if found["kind"] == "values" else None,
            found["remark"] if found["kind"] == "words" else None,
        )
        for found in _FORMULA.finditer(blank)
    ]


def displayed(root: Path, pages: Iterable[Path]) -> list[Formula]:
    """The displayed formulas of some pages; a page is named by its path below `root`."""
    return [
        formula
        for page in sorted(pages)
        for formula in formulas_of(
            page.read_text("utf-8"), page.relative_to(root).with_suffix("").as_posix()
        )
    ]
