"""Let the symbols of displayed formulas answer: what each is, from the notation page or from the chapter's own words.

Formulas are marked while the book is built (`transformer_math.formulas.answers`); the page holds what they answer, and
`symbols.js`, which is loaded when a formula comes near, shows it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path

from docutils import nodes
from printed import fingerprint, formulas_of
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinxcontrib import katex

from transformer_math.formulas.answers import Answer, Marked, marked
from transformer_math.formulas.notation import PAGE, Row, own_rows, rows_of
from transformer_math.formulas.verdict import open_engine

logger = logging.getLogger(__name__)


def rows(app: Sphinx) -> Iterator[Row]:
    """The rows of the notation page, then the chapters' own words."""
    for name in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(name))
        if path.suffix == ".md":
            text = path.read_text("utf-8")
            yield from rows_of(text) if name == PAGE else own_rows(text, name)


def marked_formulas(app: Sphinx) -> dict[str, Marked]:
    """Every formula of the book with its symbols marked, by label or place."""
    return _marked(tuple(formulas_of(app)), tuple(rows(app)), Path(app.doctreedir))


@cache
def _marked(formulas: tuple, known: tuple[Row, ...], folder: Path) -> dict[str, Marked]:
    kept, made_from = folder / "symbols.json", fingerprint((*formulas, *known))
    if kept.exists():
        found = json.loads(kept.read_text("utf-8"))
        if found["made_from"] == made_from:
            return {name: _read(fields) for name, fields in found["marked"].items()}
    with open_engine(formulas) as engine:
        found = marked(formulas, list(known), engine)
    written = {name: asdict(one) for name, one in found.items()}
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"made_from": made_from, "marked": written}), "utf-8")
    return found


def _read(fields: dict) -> Marked:
    places = [
        (aloud, name, Answer(**{**answer, "target": tuple(answer["target"])}))
        for aloud, name, answer in fields["places"]
    ]
    return Marked(fields["html"], places, fields["faults"])


def warn_and_renew(app: Sphinx, env) -> list[str]:
    """Warn of every symbol that nothing explains; write again the pages whose answers changed."""
    found = marked_formulas(app)
    for one in (fault for mark in found.values() for fault in mark.faults):
        logger.warning(one, type="symbols")
    now: dict[str, str] = {}
    for formula in formulas_of(app):
        now[formula.page] = now.get(formula.page, "") + repr(found[formula.name])
    known, env.answers = getattr(env, "answers", {}), now
    return [
        name for name in now if name in env.all_docs and now[name] != known.get(name)
    ]


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
    app.connect("env-updated", warn_and_renew)
    app.connect("doctree-read", name_rows)
    app.connect("html-page-context", tell)
    return {"parallel_read_safe": True}
