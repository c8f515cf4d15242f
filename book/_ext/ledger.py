"""The ledger: every numbered equation, typeset, under its chapter, with what was done to it; `ledger.js` finds and filters.

The page itself holds the formulas in MathML, so that it is light and whole without a script; what KaTeX made of them lies
in a file for each chapter, which is fetched when the chapter is unfolded.
"""

import json
import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from answers import marked_formulas
from docutils import nodes
from evidence import Proof, evidence_of
from left_places import places
from signatures import function_summary, kind_of, link
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)

# What an oracle's name says of its kind; the first that fits.
KINDS = (
    ("finite differences", r"finite differences"),
    ("PyTorch", r"torch|PyTorch"),
    ("another library", r"Hugging Face|sentencepiece|SentencePiece|scipy|NumPy|codec"),
    ("a loop, a list or a closed form", r""),
)
TOOLS = """
<form class="ledger-tools" role="search" hidden>
<label>Find <input type="search" name="find" placeholder="softmax, rope, 104 …" autocomplete="off"></label>
<label>The formula <select name="formula"><option value="">runs or is told</option>
<option value="runs">runs as printed</option><option value="words">is told in words</option></select></label>
<label>Checked against <select name="against"><option value="">anything</option>{kinds}</select></label>
<p role="status"></p>
</form>"""


class ledger(nodes.General, nodes.Element):
    """Where the ledger is put when all equations have their numbers."""


class Ledger(SphinxDirective):
    """Every numbered equation, in reading order."""

    def run(self) -> list[nodes.Node]:
        """Leave its place."""
        places(self.env, "ledger").add(self.env.docname)
        return [ledger()]


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write it."""
    for place in list(doctree.findall(ledger)):
        html = html_of(app, docname)
        place.replace_self(nodes.raw("", html, format="html"))


def html_of(app: Sphinx, docname: str) -> str:
    """The tools that find, then a fold for each chapter."""
    kinds = "".join(f"<option>{kind}</option>" for kind, _ in KINDS)
    chapters = (
        _chapter(app, docname, page, list(labels))
        for page, labels in groupby(
            labels_in_order(app), key=lambda label: page_of(app, label)
        )
    )
    return TOOLS.format(kinds=kinds) + "".join(chapters)


def labels_in_order(app: Sphinx) -> list[str]:
    """Every checked equation by its place in the book; one that no page numbers is warned of."""
    numbered = app.env.get_domain("math").equations
    pages = reading_order(app.env)
    proven = [label for label, proofs in evidence_of(app).proofs.items() if proofs]
    for label in proven:
        if label not in numbered:
            logger.warning("equation not found: %s", label, type="ledger")
    found = (label for label in proven if label in numbered)
    return sorted(found, key=lambda one: (pages[numbered[one][0]], numbered[one][1]))


def page_of(app: Sphinx, label: str) -> str:
    """The page on which an equation stands."""
    return app.env.get_domain("math").equations[label][0]


def number_of(app: Sphinx, label: str) -> str:
    """An equation's number in the book."""
    page, own = app.env.get_domain("math").equations[label]
    numbers = app.env.toc_fignumbers.get(page, {}).get("displaymath", {})
    return ".".join(map(str, numbers.get(f"equation-{label}", [own])))


def reading_order(env: BuildEnvironment) -> dict[str, int]:
    """The place of every page in the table of contents, read from top to bottom."""

    def walk(page: str) -> Iterator[str]:
        yield page
        for child in env.toctree_includes.get(page, []):
            yield from walk(child)

    return {page: place for place, page in enumerate(walk(env.config.root_doc))}


def _chapter(app: Sphinx, docname: str, page: str, labels: list[str]) -> str:
    drawn = {label: _drawn(app, label) for label in labels}
    script = _write_drawn(app, page, {label: two[1] for label, two in drawn.items()})
    title = escape(app.env.titles[page].astext())
    address = app.builder.get_relative_uri(docname, page)
    rows = "".join(_row(app, docname, label, drawn[label][0]) for label in labels)
    many = f"{len(labels)}\u00a0equation{'s' * (len(labels) != 1)}"
    return (
        f'<details class="ledger-chapter" data-drawn="{script}"><summary>{title} <span>{many}</span></summary>'
        f'<p><a href="{address}">Read the chapter</a></p><ol>{rows}</ol></details>'
    )


def _drawn(app: Sphinx, label: str) -> tuple[str, str]:
    """A formula in MathML, and in KaTeX's boxes, without the marks of its symbols."""
    html = marked_formulas(app)[label].html
    (mathml,) = re.findall(r"<math .*?</math>", html, re.DOTALL)
    boxes = html[html.index('<span class="katex-html"') :]
    return (
        re.sub(r"<annotation.*?</annotation>", "", mathml, flags=re.DOTALL),
        re.sub(r' data-(?:s|part)="\d*"', "", boxes).removesuffix("</span></span>"),
    )


def _write_drawn(app: Sphinx, page: str, boxes: dict[str, str]) -> str:
    name = f"ledger/{page.rpartition('book/')[2].replace('/', '-')}.js"
    path = Path(app.outdir) / "_static" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"ledgerDrawn({json.dumps(boxes, ensure_ascii=False)})\n", "utf-8")
    return name


def _row(app: Sphinx, docname: str, label: str, mathml: str) -> str:
    evidence = evidence_of(app)
    verdict, proofs = evidence.verdicts.get(label), evidence.proofs[label]
    number = number_of(app, label)
    address = app.builder.get_relative_uri(docname, page_of(app, label))
    functions = {proof.function: proof.function_address for proof in proofs}
    links = ", ".join(link(app, docname, *one) for one in functions.items())
    checked = not any(proof.fault for proof in proofs)
    kind = kind_of(verdict)
    runs = {"runs": "✓ runs as printed", "words": "in words", "fails": "✗ does not run"}
    return (
        f'<li id="ledger-{label}" data-formula="{kind}" data-against="{escape("|".join(against(proofs)))}">'
        f'<div class="ledger-formula" data-label="{label}">{mathml}</div>'
        f'<p><a href="{address}#equation-{label}">({number})</a> {links}</p>'
        f'<p class="done"><span class="seal">{runs[kind]}</span> · {function_summary(proofs, checked)} '
        f'<a href="{address}#seal-{label}">See which</a></p></li>'
    )


def against(proofs: tuple[Proof, ...]) -> list[str]:
    """The kinds of the oracles with which a function was compared."""
    return sorted({kind_of_oracle(proof.oracle) for proof in proofs})


def kind_of_oracle(oracle: str) -> str:
    """What kind of thing an oracle is.

    >>> kind_of_oracle("torch.relu"), kind_of_oracle("a loop over all pairs of tokens")
    ('PyTorch', 'a loop, a list or a closed form')
    """
    return next(kind for kind, words in KINDS if re.search(words, oracle))


def give_script(
    app: Sphinx, pagename: str, templatename: str, context: dict, doctree
) -> None:
    """Load what finds and filters on this page alone."""
    if pagename in places(app.env, "ledger"):
        app.add_js_file("ledger.js", loading_method="defer")


def setup(app: Sphinx) -> dict:
    """Leave a place when pages are read, fill it when all numbers are known."""
    app.setup_extension("left_places")
    app.add_node(ledger)
    app.add_directive("ledger", Ledger)
    app.connect("doctree-resolved", fill)
    app.connect("html-page-context", give_script)
    return {"parallel_read_safe": True}
