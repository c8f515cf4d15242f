"""The symbols of all displayed formulas, marked, and what they answer: kept from build to build while it holds."""

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dependencies import hash_of
from evidence_keys import Keys, identity
from printed import formulas_of
from sphinx.application import Sphinx
from workers import drawn, engine, told

from transformer_math.formulas.answers import Answer, Dictionary, Marked, mark
from transformer_math.formulas.book import Formula
from transformer_math.formulas.notation import PAGE, Row, own_rows, rows_of
from transformer_math.formulas.shown import shown_on
from transformer_math.formulas.watching import Piece
from transformer_math.plots.source import source


class Book(NamedTuple):
    """The displayed formulas of a book, the rows that explain symbols, and the pages with formulas and what is written there."""

    formulas: tuple[Formula, ...]
    rows: tuple[Row, ...]
    pages: tuple[tuple[str, str], ...]


def book_of(app: Sphinx) -> Book:
    """What the build knows."""
    return Book(formulas_of(app), rows(app), texts(app))


@cache
def rows(app: Sphinx) -> tuple[Row, ...]:
    """The rows of the notation page, then the chapters' own words."""
    found: list[Row] = []
    for name in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(name))
        if path.suffix == ".md":
            text = path.read_text("utf-8")
            found += rows_of(text) if name == PAGE else own_rows(text, name)
    return tuple(found)


@cache
def texts(app: Sphinx) -> tuple[tuple[str, str], ...]:
    """The pages with formulas, and what is written there."""
    pages = sorted({one.page for one in formulas_of(app)})
    return tuple((page, Path(app.env.doc2path(page)).read_text("utf-8")) for page in pages)  # fmt: skip


class Words:
    """All that the book says of symbols, as it decides which words answer for the symbols of a formula."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        said = [(row, repr(replace(row, line=0))) for row in rows]
        self.notation = hash_of(repr([text for row, text in said if row.page == PAGE]))
        self.own = [(row, text) for row, text in said if row.page != PAGE]

    def heard(self, formula: Formula) -> list[str]:
        """What a formula hears: the notation page, and what stands above it on its own page."""
        own = [text for row, text in self.own if row.page == formula.page and row.line < formula.line]  # fmt: skip
        return [self.notation, *own]


def keys_of_marks(
    book: Book, names: dict, keys: Keys
) -> Callable[[Formula, dict], dict]:
    """Hashes of all that decides how a formula is marked: which words of the book answer, which code stands beside it."""
    answers = keys.package.folder / "formulas" / "answers.py"
    own = keys.package.digest(keys.judging, keys.package.closure([answers]))
    words, every = Words(book.rows), own + repr(sorted(names.items()))
    codes = {page: repr([source(one).code for one in shown_on(text).values()]) for page, text in book.pages}  # fmt: skip
    wanted = {
        one: hash_of(repr([every, codes[one.page], identity(one), words.heard(one)]))
        for one in book.formulas
    }
    return lambda one, found: {"key": wanted[one], "sources": sources(one, found, keys)}


def sources(formula: Formula, kept: dict, keys: Keys) -> list[str]:
    """Hashes of the code that says what a formula's arguments are called, and what the functions do that it calls."""
    called = {answer["target"][1] for _, _, answer in kept["marked"]["places"]}
    labels = {anchor.removeprefix("equation-") for anchor in called if anchor.startswith("equation-")}  # fmt: skip
    return [keys.cases(label) for label in sorted({*labels, formula.label or ""})]


def mark_one(formula: Formula) -> dict:
    """In a process of its own: mark one formula."""
    shown = _shown(formula.page)
    found = mark(formula, _dictionary(), engine(), shown, drawn(formula))
    return {"marked": asdict(found)}


@cache
def _shown(page: str) -> dict[str, Callable]:
    return shown_on(dict(told()[2])[page])


@cache
def _dictionary() -> Dictionary:
    return Dictionary(list(told()[1]), engine())


def read(fields: dict) -> Marked:
    """A marked formula, as it was kept."""
    places = [
        (aloud, name, Answer(**{**answer, "target": tuple(answer["target"])}))
        for aloud, name, answer in fields["places"]
    ]
    code = [[Piece(**piece) for piece in pieces] for pieces in fields["code"]]
    return Marked(fields["html"], places, fields["faults"], code, fields["texts"])
