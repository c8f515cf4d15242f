"""What every symbol of every displayed formula answers: its meaning, shape and name in the code; or that nobody says it.

Where the page shows code that is worth the same as a part of a formula (`links`), that part answers too: with its code.
"""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from html import escape
from typing import Any

from transformer_math.checks.proof import checks_of
from transformer_math.checks.registry import Check
from transformer_math.formulas.book import Formula
from transformer_math.formulas.cases import Drawn, letters, own_symbol
from transformer_math.formulas.engine import Engine
from transformer_math.formulas.links import Part, parts_of
from transformer_math.formulas.notation import PAGE, Row
from transformer_math.formulas.reading import cases_of
from transformer_math.formulas.symbols import core, symbol
from transformer_math.formulas.watching import Piece
from transformer_math.formulas.words import WORDS
from transformer_math.plots import symbols as typeset

_SIZES = {letter: f"${letter}$" for letter in ("n", "m", "V", "d", "N", "d_k", "d_v")}
_SIZES |= {f"d_{word}": rf"$d_{{\text{{{word}}}}}$" for word in ("model", "ff")}
_SIZES["n_heads"] = "$H$"

Lexicon = list[dict[str, int]]


@dataclass(frozen=True)
class Answer:
    """What a symbol is, as HTML; `target` is the page and the anchor where it is explained."""

    meaning: str
    shape: str
    code: str
    target: tuple[str, str]


@dataclass(frozen=True)
class Marked:
    """A formula with its symbols marked: for each, in reading order, its sound, its name and its answer.

    After the symbols of a part that has code stands the part. `code` are the pieces of shown code of each place,
    `texts` its LaTeX.
    """

    html: str
    places: list[tuple[str, str, Answer]]
    faults: list[str]
    code: list[list[Piece]]
    texts: list[str]


def marked(
    formulas: Iterable[Formula], rows: list[Row], engine: Engine
) -> dict[str, Marked]:
    """Mark all formulas; `rows` are those of the notation page and the chapters' own words."""
    book = Dictionary(rows, engine)
    return {one.name: mark(one, book, engine) for one in formulas}


class Dictionary:
    """All rows, and the functions that formulas define, by the keys under which a symbol may be looked up."""

    def __init__(self, rows: list[Row], engine: Engine) -> None:
        self.rows = rows
        cells = iter(engine.keys([tex for row in rows for tex in row.symbols]))
        self.keys = [[key for _ in row.symbols for key in next(cells)] for row in rows]
        self.functions = engine.definers()
        self.names = list(self.functions)

    def lexicon(self, formula: Formula) -> Lexicon:
        """Whom a formula asks, the nearest first: its page, its group's tables, those for all, others, the functions."""
        group = formula.page.split("/")[1] if "/" in formula.page else ""
        notation = [(i, row) for i, row in enumerate(self.rows) if row.page == PAGE]
        own = [
            i
            for i, row in enumerate(self.rows)
            if row.page == formula.page != PAGE and row.line < formula.line
        ]
        tables = [
            [i for i, row in notation if group in row.groups],
            [i for i, row in notation if not row.groups],
            [i for i, row in notation if group in row.also],
        ]
        functions = {name: len(self.rows) + i for i, name in enumerate(self.names)}
        return [
            self._names(own),
            *(self._names(rows, unique=True) for rows in tables),
            functions,
        ]

    def _names(self, rows: list[int], unique: bool = False) -> dict[str, int]:
        pairs = [(key, i) for i in rows for key in self._keys_of(i)]
        times = Counter(key for key, _ in set(pairs))
        return {key: i for key, i in pairs if not unique or times[key] == 1}

    def _keys_of(self, i: int) -> list[str]:
        kinds = ("exact",) if self.rows[i].exact else ("general", "exact")
        return [key[kind] for key in self.keys[i] for kind in kinds if key.get(kind)]

    def candidates(self, base: str) -> list[Row]:
        """Rows that speak of a letter, in whatever form."""
        return [
            row
            for row, keys in zip(self.rows, self.keys)
            if row.page == PAGE and any(key["exact"] == base for key in keys)
        ]

    def answer(
        self, number: int, name: str, bound: dict[str, tuple[str, str]]
    ) -> Answer:
        """What a row, or the function behind a printed definition, says of a name."""
        if number >= len(self.rows):
            return self._function(self.names[number - len(self.rows)])
        row = self.rows[number]
        place = self._place(number, name)
        code, shape = bound.get(name.replace("_[]", "[]"), ("", ""))
        shape = shape or _part(row.shape, place)
        own = f"`{code}`" if code else _part(row.code, place)
        target = (PAGE, row.anchor) if row.page == PAGE else (row.page, "")
        return Answer(html_of(row.meaning), html_of(shape), html_of(own), target)

    def _place(self, number: int, name: str) -> tuple[int, int]:
        keys = self.keys[number]
        found = (i for i, key in enumerate(keys) if name in key.values())
        return next(found, 0), len(keys)

    def _function(self, name: str) -> Answer:
        label = self.functions[name][0]
        checks = [check for label in self.functions[name] for check in checks_of(label)]
        first = next(iter(checks), None)
        says = (inspect.getdoc(first.target) or "").partition("\n")[0] if first else ""
        code = first.target.__name__ if first else ""
        meaning = says or "A function that this book's formulas define."
        return Answer(
            html_of(meaning.replace("$", "")),
            "",
            html_of(f"`{code}`"),
            ("", f"equation-{label}"),
        )


def mark(
    formula: Formula,
    book: Dictionary,
    engine: Engine,
    shown: dict[str, Callable] | None = None,
    drawn: Drawn | None = None,
) -> Marked:
    """Mark one formula; `shown` are the functions that its page shows the code of, `drawn` keeps the calls of its checks."""
    own, drawn = book.lexicon(formula), drawn or Drawn()
    bound = arguments(formula.label, drawn)
    names = {symbol: code for symbol, (code, _) in bound.items()}
    parts = parts_of(formula, shown, engine, names, drawn) if shown else []
    larger = [one for one in parts if one.kind != "sym"]
    found = engine.mark(formula.tex, own, [one.written for one in larger])
    places, code, texts = [], [], []
    for one in found["symbols"]:
        part = larger[one["part"]] if "part" in one else None
        if part:
            places.append((_aloud(part), "", PART))
        else:
            answer = book.answer(one["answer"], one["name"], bound)
            places.append((one["aloud"], one["name"], answer))
        code.append(list(part.pieces) if part else _code_of(one["place"], parts))
        texts.append(_tex(formula, one["place"], part))
    in_words = formula.words or WORDS.get(
        formula.label or ""
    )  # words explain themselves
    missing = dict.fromkeys(
        one["key"] for one in found["missing"] if not (in_words and one["isWord"])
    )
    faults = [fault(formula, key, book) for key in missing]
    return Marked(found["html"], places, faults, code, texts)


def _tex(formula: Formula, place: list[int], part: Part | None) -> str:
    """The LaTeX at a place, with the root that KaTeX gives no place."""
    tex = formula.tex[slice(*place)].strip()
    return rf"\sqrt{tex}" if part and part.kind == "sqrt" else tex


def _code_of(place: list[int], parts: list[Part]) -> list[Piece]:
    """The code of a symbol: of the part that stands where it stands, or that it calls."""
    start, end = place
    own = [one for one in parts if one.kind == "sym" and (one.start, one.end) == (start, end)]  # fmt: skip
    called = [one for one in parts if one.kind in CALLS and one.start == start < end < one.end]  # fmt: skip
    return [piece for one in (own or called)[:1] for piece in one.pieces]


CALLS = ("call", "index")
PART = Answer("Worth the same as this code in every case that was compared.", "", "", ("", ""))  # fmt: skip
WAYS = {
    "sqrt": "root",
    "sum": "sum",
    "power": "power",
    "add": "sum or difference",
    "norm": "length",
    "times": "product",
}


def _aloud(part: Part) -> str:
    """How a part is read aloud before the symbols in it are."""
    way = "quotient" if part.name == "/" else WAYS.get(part.kind, "part")
    return f"{part.name or way} of" if part.kind == "call" else f"{way} of"


def fault(formula: Formula, key: str, book: Dictionary) -> str:
    """What to do where a symbol has no answer."""
    rows = book.candidates(re.split(r"[\^_]", key)[0])
    where = f"{formula.page}.md, line {formula.line}: "
    own = (
        "`% symbols: $…$ | what it is | its shape | its name in the code` on a line of its own above the formula "
        "(above its `% values:`), if this chapter alone means it so"
    )
    lines = " and ".join(str(row.line) for row in rows)
    if rows:
        return (
            f"{where}nothing says what the symbol {key} is on this page; {PAGE}.md has it in line {lines} for other groups, or "
            f"twice. Fix: add this page's group to the `% of:` below the right table's heading, or write {own}."
        )
    return f"{where}nothing says what the symbol {key} is. Fix: add it to a table of {PAGE}.md, or write {own}."


def arguments(
    label: str | None, drawn: Drawn | None = None
) -> dict[str, tuple[str, str]]:
    """What the cases of a formula bind to arguments of its function: their name in the code, and their shape."""
    checks = checks_of(label) if label and label not in WORDS else ()
    if not checks:
        return {}
    made = (drawn or Drawn())(checks[0])
    given, wanted = next(cases_of(checks[0], made), ({}, {}))
    named = dict(_arguments(checks[0]))
    return {
        name: named[name.removesuffix("[]")]
        for name in given
        if name.removesuffix("[]") in named and name not in wanted
    }


def _arguments(check: Check) -> Iterator[tuple[str, tuple[str, str]]]:
    axes = letters(check)
    for name, parameter in inspect.signature(check.target).parameters.items():
        kind, own = parameter.annotation, own_symbol(name, check.symbols)
        if is_dataclass(kind):
            yield from _fields(kind, name)
        elif own:
            yield own, (name, _shape(axes.get(name, core(kind))))


def _fields(kind: Any, path: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for field in fields(kind):
        if is_dataclass(field.type):
            yield from _fields(field.type, f"{path}.{field.name}")
        else:
            shape = _shape(core(field.type))
            yield symbol(field.name), (f"{path}.{field.name}", shape)


def _shape(letters: list[str] | None) -> str:
    """The letters of a shape, where the notation has them all; nothing where it is no array, or speaks of others."""
    bare = [letter.lstrip("#") for letter in letters or ()]
    known = all(letter in _SIZES for letter in bare)
    return " × ".join(_SIZES[letter] for letter in bare) if known else ""


def _part(text: str, place: tuple[int, int]) -> str:
    """Of a cell that tells something of each of its row's symbols, what it tells of one."""
    number, total = place
    parts = re.split("[;,] ", text)
    return parts[number] if len(parts) == total > 1 else text


def html_of(text: str) -> str:
    r"""A cell of the notation as HTML without scripts or fonts of its own.

    >>> html_of(r"width, $d_{\text{model}}$, as `d_model`")
    'width, <span class="symbol"><i>d</i><sub>model</sub></span>, as <code>d_model</code>'
    """
    plain = re.sub(r"\{\w+\}(?=`)", "", text)
    pieces = plain.split("`")
    return "".join(
        f"<code>{escape(piece)}</code>" if i % 2 else _typeset(piece)
        for i, piece in enumerate(pieces)
    )


def _typeset(text: str) -> str:
    try:
        return typeset.html(text)
    except ValueError:
        return escape(re.sub(r"\\([a-zA-Z]+)\s*|[{}$]", r"\1", text))
