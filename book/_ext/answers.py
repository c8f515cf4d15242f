"""Let the symbols of displayed formulas answer: what each is, from the notation page or from the chapter's own words.

Formulas are marked while the book is built (`transformer_math.formulas.answers`); the page holds what they answer, and
`symbols.js`, which is loaded when a formula comes near, shows it.
"""

import json
import re
from pathlib import Path

from docutils import nodes
from evidence import evidence_of
from printed import formulas_of
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinxcontrib import katex

from transformer_math.formulas.answers import Marked
from transformer_math.formulas.notation import PAGE, rows_of

logger = logging.getLogger(__name__)


def marked_formulas(app: Sphinx) -> dict[str, Marked]:
    """Every displayed formula with its symbols marked, by label or place."""
    return evidence_of(app).marks


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
