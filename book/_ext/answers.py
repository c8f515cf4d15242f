"""Let the symbols of displayed formulas answer: what each is, from the notation page or from the chapter's own words.

Formulas are marked while the book is built (`transformer_math.formulas.answers`); the page holds what they answer, and
`symbols.js`, which is loaded when a formula comes near, shows it.
"""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from dependencies import hash_of
from docutils import nodes
from evidence import Keys, at_once, definitions, engine, formulas_of, identity, told
from memory import read_json, write_json
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinxcontrib import katex

from transformer_math.formulas import answers
from transformer_math.formulas.answers import Answer, Dictionary, Marked, mark
from transformer_math.formulas.book import Formula
from transformer_math.formulas.notation import PAGE, Row, own_rows, rows_of
from transformer_math.formulas.shown import shown_on
from transformer_math.formulas.watching import Piece
from transformer_math.plots.source import source

ANSWERS = Path(answers.__file__)

logger = logging.getLogger(__name__)


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


@cache
def marked_formulas(app: Sphinx) -> dict[str, Marked]:
    """Every formula of the book with its symbols marked, by label or place; kept from build to build while it holds."""
    formulas, known = formulas_of(app), rows(app)
    folder, keys = Path(app.doctreedir), Keys()
    kept = read_json(folder / "symbols.json")
    names = definitions(formulas, keys, folder)["names"]
    marking = keys.package.digest(keys.judging, keys.package.closure([ANSWERS]))
    codes = {page: repr([source(one).code for one in shown_on(text).values()]) for page, text in texts(app)}  # fmt: skip
    words, every = Words(known), marking + repr(sorted(names.items()))
    wanted = {
        one: hash_of(repr([every, codes[one.page], identity(one), words.heard(one)]))
        for one in formulas
    }

    def fresh(formula: Formula) -> bool:
        last = kept.get(identity(formula), {})
        return last.get("key") == wanted[formula] and last["sources"] == sources(formula, last, keys)  # fmt: skip

    stale = [one for one in formulas if not fresh(one)]
    new = dict(at_once(_mark, stale, formulas, known, texts(app)))
    for formula, one in new.items():
        one |= {"key": wanted[formula], "sources": sources(formula, one, keys)}
    found = {one: new.get(one) or kept[identity(one)] for one in formulas}
    whole = {identity(o): one for o, one in found.items() if not one["marked"]["faults"]}  # fmt: skip
    write_json(folder / "symbols.json", whole)
    return {formula.name: _read(one["marked"]) for formula, one in found.items()}


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


def sources(formula: Formula, kept: dict, keys: Keys) -> list[str]:
    """Hashes of the code that says what a formula's arguments are called, and what the functions do that it calls."""
    called = {answer["target"][1] for _, _, answer in kept["marked"]["places"]}
    labels = {anchor.removeprefix("equation-") for anchor in called if anchor.startswith("equation-")}  # fmt: skip
    return [keys.cases(label) for label in sorted({*labels, formula.label or ""})]


def _mark(formula: Formula) -> dict:
    """In a process of its own: mark one formula."""
    shown = _shown(formula.page)
    return {"marked": asdict(mark(formula, _dictionary(), engine(), shown))}


@cache
def _shown(page: str) -> dict[str, Callable]:
    return shown_on(dict(told()[2])[page])


@cache
def _dictionary() -> Dictionary:
    return Dictionary(list(told()[1]), engine())


def _read(fields: dict) -> Marked:
    places = [
        (aloud, name, Answer(**{**answer, "target": tuple(answer["target"])}))
        for aloud, name, answer in fields["places"]
    ]
    code = [[Piece(**piece) for piece in pieces] for pieces in fields["code"]]
    return Marked(fields["html"], places, fields["faults"], code, fields["texts"])


def warn(app: Sphinx, env) -> None:
    """Warn of every symbol that nothing explains."""
    for formula in formulas_of(app):
        for fault in marked_formulas(app)[formula.name].faults:
            logger.warning(fault, type="symbols", location=(formula.page, formula.line))


def answers_on(app: Sphinx, docname: str) -> str:
    """All that the symbols of a page answer."""
    found = marked_formulas(app)
    own = (one.name for one in formulas_of(app) if one.page == docname)
    return repr([found[name] for name in own])


def visit(self, node: nodes.math_block) -> None:
    """Write a displayed formula as KaTeX sets it, with its symbols marked and its name."""
    app, docname = self.builder.app, self.builder.current_docname
    name = name_of(app, docname, node)
    if name is None:
        katex.html_visit_displaymath(self, node)
    self.body.append(self.starttag(node, "div", CLASS="math", **{"data-symbols": name}))
    if node["number"]:
        number = katex.get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Permalink to this equation")
        self.body.append("</span>")
    self.body.append(f"{marked_formulas(app)[name].html}</div>")
    raise nodes.SkipNode


def name_of(app: Sphinx, docname: str, node: nodes.math_block) -> str | None:
    """The name of a displayed formula: its label, or where it stands."""
    if node.get("label"):
        return node["label"] if node["label"] in marked_formulas(app) else None
    text = node.astext().split()
    same = (
        one.name
        for one in formulas_of(app)
        if one.page == docname and not one.label and one.tex.split() == text
    )
    return next(same, None)


def name_rows(app: Sphinx, doctree: nodes.document) -> None:
    """Give every row of the notation page an anchor."""
    if app.env.docname != PAGE:
        return
    known = iter(rows_of(Path(app.env.doc2path(PAGE)).read_text("utf-8")))
    for body in doctree.findall(nodes.tbody):
        for row in body.findall(nodes.row):
            row["ids"].append(next(known).anchor)


def tell(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put what the symbols of a page answer below its text, each answer once."""
    body = context.get("body", "")
    names = re.findall(r'data-symbols="([^"]*)"', body)
    if not names:
        return
    found, texts = marked_formulas(app), []
    formulas = {}
    for name in names:
        formulas[name] = []
        for aloud, symbol, answer in found[name].places:
            text = [symbol, answer.meaning, answer.shape, answer.code]
            text.append(address(app, pagename, answer.target))
            if text not in texts:
                texts.append(text)
            formulas[name].append([aloud, texts.index(text)])
    data = json.dumps(
        {"answers": [text[1:] for text in texts], "formulas": formulas},
        ensure_ascii=False,
        separators=(",", ":"),
    )
    data = data.replace("</", "<\\/")
    script = context["pathto"]("_static/symbols.js", resource=True)
    context["body"] = (
        f'{body}<script type="application/json" class="symbols" data-script="{script}?v=00000000">{data}</script>'
    )


def address(app: Sphinx, pagename: str, target: tuple[str, str]) -> str:
    """The address of an explanation as seen from a page; nothing where the page itself gives it."""
    page, anchor = target
    if not page:
        label = anchor.removeprefix("equation-")
        equations = app.env.get_domain("math").equations
        page = equations[label][0] if label in equations else ""
    if not anchor or not page:
        return ""
    here = page == pagename
    return (
        f"#{anchor}"
        if here
        else f"{app.builder.get_relative_uri(pagename, page)}#{anchor}"
    )


def setup(app: Sphinx) -> dict:
    """Take the place of the renderer of displayed formulas."""
    app.add_html_math_renderer("symbols", (katex.html_visit_math, None), (visit, None))
    app.connect("env-updated", warn)
    app.connect("doctree-read", name_rows)
    app.connect("html-page-context", tell)
    return {"parallel_read_safe": True}
