"""Answers that stand in the open: what a question asks may not be readable in its exercise, before a fold is opened.

Readable is the text of the exercise but for its hints, and what the cells before its solution show: their code, their outputs,
with captions and alternative texts. An answer is looked for where it is more than a small number that may be given as well:
words, a row of numbers that are not all 0, or a number of three digits or more.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser

from nbformat import NotebookNode

from transformer_math.plots.canonical import number, words
from transformer_math.plots.questions import TYPED

BEGINS = re.compile(r"^(?=`{3,}\{exercise\}|% fold-start)", re.MULTILINE)
EXERCISE = re.compile(r"`{3,}\{exercise\}")
CLOSED = re.compile(r"% fold-start")
HINT = re.compile(r"^:::+ *\{dropdown\}.*?^:::+$", re.MULTILINE | re.DOTALL)
GROUPED = re.compile(r"(?<=\d)(?:\\,|\{,\}|,|[\u202f\u2009\u00a0])(?=\d{3}(?!\d))")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")
STOP = re.compile(r"[.:!?](?=\W|$)")
TOLD = {"alt", "aria-label", "title"}  # attributes that are read
FEWEST_DIGITS, OF_A_ROW = 3, 2
ASKING = {"ask", "choose", "predict", "estimate"}


def leaks(notebook: NotebookNode) -> Iterator[tuple[int, str]]:
    """Each answer that can be read before it is given, or is written out in code, with the place of the cell that asks."""
    readable, is_open = "", False
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            for piece in BEGINS.split(cell.source):
                begins = EXERCISE.match(piece)
                is_open = bool(begins) or (is_open and not CLOSED.match(piece))
                readable = ("" if begins else readable) + HINT.sub("", piece) * is_open
            continue
        yield from ((place, answer) for answer in written_out(cell.source))
        for answer in answers(cell):
            if found_in(readable, answer):
                yield place, answer
        readable += "\n".join(["", *shown(cell), ""]) * is_open


def answers(cell: NotebookNode) -> Iterator[str]:
    """The right answers to the questions of a cell, as somebody types them; choices and formulas are left out."""
    data = (output.get("data", {}) for output in cell.get("outputs", []))
    questions = (question for one in data for question in one.get(TYPED, []))
    for verdict, answer in (pair for question in questions for pair in question):
        if verdict == "right" and isinstance(answer, (str, float)):
            yield str(answer)


def written_out(code: str) -> Iterator[str]:
    """The answers that a cell holds as they are, where it should compute them."""
    tree = ast.parse(re.sub(r"^[%!].*", "", code, flags=re.MULTILINE))
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ASKING:
            with suppress(ValueError):  # of what is computed
                yield repr(ast.literal_eval(call.args[1]))


def shown(cell: NotebookNode) -> Iterator[str]:
    """What a cell shows: its code and its outputs, but for its questions."""
    tags = cell.metadata.get("tags", [])
    if "remove-input" not in tags and "remove-cell" not in tags:
        yield cell.source
    for output in cell.get("outputs", []):
        data = output.get("data", {"text/plain": output.get("text", "")})
        if TYPED not in data:
            markup = data.get("text/html") or data.get("image/svg+xml")
            yield read(markup) if markup else data.get("text/plain", "")


class Reader(HTMLParser):
    """Collects what somebody reads or hears of some HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Between two tags there is room; some attributes are read."""
        self.heard += [
            " ",
            *(f"{text} " for name, text in attrs if text and name in TOLD),
        ]

    def handle_data(self, data: str) -> None:
        """Text is read, also that of a style sheet, which does no harm."""
        self.heard.append(data)


def read(markup: str) -> str:
    """The text of some HTML, with the alternative texts of its pictures."""
    reader = Reader()
    reader.feed(markup)
    return "".join(reader.heard)


def found_in(text: str, answer: str) -> bool:
    """Whether an answer can be read in a text.

    >>> found_in("There are 1,050,624 of them.", "1050624.0"), found_in("There are 16 of them.", "16.0")
    (True, False)
    """
    if not re.fullmatch(r"[-\d.e+, ]+", answer):
        return f" {words(answer)} " in f" {words(STOP.sub(' ', text))} "
    row = answer.split(", ")
    fewest = FEWEST_DIGITS if len(row) == 1 else OF_A_ROW
    if sum(map(significant, row)) < fewest:
        return False
    return f" {' '.join(numbers_of(answer))} " in f" {' '.join(numbers_of(text))} "


def numbers_of(text: str) -> list[str]:
    """All numbers in a text, in the form in which answers are compared."""
    plain = GROUPED.sub("", text.replace("−", "-"))
    return [number(float(one)) for one in NUMBER.findall(plain)]


def significant(value: str) -> int:
    """How many digits a number has, without zeros in front and behind."""
    return len(re.sub(r"\D", "", value.partition("e")[0]).strip("0"))
