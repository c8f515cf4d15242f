"""The running text of a page as its source has it: sentences with their lines, and the sentences that cells speak."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from conftest import ROOT
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer
from myst_parser.parsers.mdit import create_md_parser

BOOK = ROOT / "book"
PAGES = sorted(page.relative_to(BOOK).as_posix() for page in BOOK.rglob("*.md"))

PARSER = create_md_parser(
    MdParserConfig(
        enable_extensions={
            "amsmath",
            "attrs_inline",
            "colon_fence",
            "deflist",
            "dollarmath",
        }
    ),
    DocutilsRenderer,
)
SPOKEN = {"caption", "alt", "title"}  # arguments that a page shows as sentences
QUESTIONS = {"ask", "choose", "predict", "estimate"}
NOT_PROSE = ("{code-cell}", "{math}", "{raw}", "{bibliography}", "{signature}")
OPTION = re.compile(r"^:.*$", re.MULTILINE)
END_OF_SENTENCE = re.compile(r"(?<=[.!?;])[”)]*\s+(?=\S)")


class Sentence(NamedTuple):
    """A sentence of a page: `⟨math⟩`, `⟨code⟩`, `⟨cite⟩`, `⟨link⟩` stand where those stood; `{…}` for what a cell computes.

    `settings` are the numbers in the code of the cell that says the sentence.
    """

    line: int
    text: str
    settings: frozenset[float] = frozenset()


def written(markdown: str, first_line: int = 1) -> Iterator[Sentence]:
    """The sentences of Markdown text, tables and folded directives included."""
    for token in PARSER.parse(markdown):
        line = first_line + (token.map[0] if token.map else 0)
        if token.type == "inline":
            for text in _split(_plain(token.children)):
                yield Sentence(line, text)
        elif _holds_prose(token):
            yield from written(_without_options(token.content), line + 1)


def spoken(markdown: str) -> Iterator[Sentence]:
    """The sentences that cells say: `say(…)`, captions, alternative texts. What is computed in them is `{…}`."""
    for token in PARSER.parse(markdown):
        if token.type == "fence" and token.info.startswith("{code-cell}"):
            tree = ast.parse(_without_options(token.content))
            settings = frozenset(
                float(node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant)
                and isinstance(node.value, int | float)
            )
            for argument in _shown(tree):
                for text in _split(_literal(argument)):
                    line = token.map[0] + 1 + argument.lineno
                    yield Sentence(line, text, settings)


def sentences(page: str) -> list[Sentence]:
    """All sentences of a page of the book, in the order of their lines."""
    markdown = (BOOK / page).read_text("utf-8")
    return sorted([*written(markdown), *spoken(markdown)], key=lambda s: s.line)


def _holds_prose(token) -> bool:
    directive = token.type in {"fence", "colon_fence"} and token.info.startswith("{")
    return directive and not token.info.startswith(NOT_PROSE)


def _without_options(content: str) -> str:
    return OPTION.sub("", content)


def _plain(children) -> str:
    """Text of an inline token; math, code, roles and links are named, not quoted."""
    text = ""
    for child in children:
        if child.type == "text":
            text += child.content
        elif child.type in {"softbreak", "hardbreak"}:
            text += " "
        elif child.type.startswith("math"):
            text += "⟨math⟩"
        elif child.type == "code_inline":
            text += "⟨code⟩"
        elif child.type == "myst_role":
            text += "⟨cite⟩" if child.meta["name"].startswith("cite") else "⟨link⟩"
    return text


def _split(text: str) -> list[str]:
    return [part.strip() for part in END_OF_SENTENCE.split(text) if part.strip()]


def _shown(tree: ast.AST) -> Iterator[ast.expr]:
    """The arguments of calls that end up in a sentence of the page."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if getattr(node.func, "id", "") == "say":
                yield from node.args
            if getattr(node.func, "id", "") in QUESTIONS:
                yield from filter(_is_text, ast.walk(node))
            yield from (key.value for key in node.keywords if key.arg in SPOKEN)


def _is_text(node: ast.AST) -> bool:
    """Whether a part of some code is a sentence, and no name or value."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return any(isinstance(p, ast.Constant) and " " in str(p.value) for p in parts)


def _literal(node: ast.expr) -> str:
    """The typed part of a string; computed parts are `{…}`, code and math in it are named."""
    if isinstance(node, ast.Constant):
        text = str(node.value)
    elif isinstance(node, ast.JoinedStr):
        text = "".join(
            part.value if isinstance(part, ast.Constant) else "{…}"
            for part in node.values
        )
    elif isinstance(node, ast.BinOp):
        text = _literal(node.left) + _literal(node.right)
    else:
        return "{…}"
    text = re.sub(r"`[^`]*`", "⟨code⟩", text)
    return re.sub(r"\$[^$]*\$", "⟨math⟩", text)
