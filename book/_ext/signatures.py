"""Sign every numbered equation with the proof that was made in this very build; list them all in the ledger."""

from collections.abc import Iterator
from functools import cache
from html import escape

from docutils import nodes
from source_pages import location
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


@cache
def proofs_of(label: str) -> tuple:
    """Run the checks of one equation, once per build."""
    from transformer_math.checks import checks_of, prove

    return tuple(prove(check) for check in checks_of(label))


def sign_equations(app: Sphinx, doctree: nodes.document) -> None:
    """Put a signature behind every labelled equation; warn of one that has no check or whose proof fails."""
    for equation in list(doctree.findall(nodes.math_block)):
        label = equation.get("label")
        if label is None:
            continue
        proofs = proofs_of(label)
        if not proofs:
            logger.warning(
                "equation %s has no check",
                label,
                location=equation,
                type="signature",
                subtype="unproved",
            )
        for proof in proofs:
            if not proof.holds:
                logger.warning(
                    "%s: %s",
                    label,
                    fault(proof),
                    location=equation,
                    type="signature",
                    subtype="failed",
                )
        signature = nodes.raw(
            "", signature_html(app, app.env.docname, proofs), format="html"
        )
        equation.parent.insert(equation.parent.index(equation) + 1, signature)


def fault(proof) -> str:
    """Say in one sentence why a proof does not hold."""
    name, outcome = proof.check.name, proof.outcome
    if outcome.exception is not None:
        return f"{name} raised {type(outcome.exception).__name__}: {outcome.exception}"
    if outcome.failed_case is not None:
        return f"{name} differs from {proof.check.oracle} by {outcome.error:.1e} in case {outcome.failed_case + 1}"
    if proof.missed:
        return f"{name} lets through {', '.join(wrong.name for wrong in proof.missed)}"
    return f"{name} has no wrong version"


def signature_html(app: Sphinx, docname: str, proofs: tuple) -> str:
    """A line that sums the proofs up, unfolding into every check and every wrong version."""
    holds = bool(proofs) and all(proof.holds for proof in proofs)
    kind, verdict = ("proved", "✓ proved") if holds else ("unproved", "✗ not proved")
    summary = (
        f'<summary><span class="seal">{verdict}</span> {_summary(proofs)}</summary>'
    )
    body = (
        "".join(_check_html(app, docname, proof) for proof in proofs)
        or "<p>There is no check for this equation.</p>"
    )
    return f'<details class="signature {kind}">{summary}{body}</details>'


def _summary(proofs: tuple) -> str:
    if not proofs:
        return ""
    oracles = "; ".join(dict.fromkeys(escape(proof.check.oracle) for proof in proofs))
    cases = sum(proof.check.cases for proof in proofs)
    wrong = sum(len(proof.check.wrong_versions) - len(proof.missed) for proof in proofs)
    largest = max(proof.outcome.error for proof in proofs)
    return f"against {oracles} · {cases} cases · largest error {number(largest)} · {wrong} wrong versions rejected"


def number(error: float) -> str:
    """An error in few digits."""
    return "0" if error == 0 else f"{error:.1e}".replace("e-0", "e-").replace("-", "−")


def _check_html(app: Sphinx, docname: str, proof) -> str:
    check = proof.check
    code, source = (
        _link(app, docname, text, function)
        for text, function in (
            (check.target.__name__, check.target),
            (check.name, check.case),
        )
    )
    state = "" if proof.holds else f'<p class="fault">{escape(fault(proof))}</p>'
    numbers = f"{check.cases} seeded cases, largest error {number(proof.outcome.error)}, allowed {number(check.tolerance)}"
    items = "".join(
        _wrong_html(app, docname, wrong, wrong in proof.missed)
        for wrong in check.wrong_versions
    )
    return f"<p>{code} is compared with {escape(check.oracle)} by {source}: {numbers}. It rejects:</p>{state}<ul>{items}</ul>"


def _wrong_html(app: Sphinx, docname: str, wrong, missed: bool) -> str:
    name = "a variant" if wrong.name == "<lambda>" else wrong.name.replace("_", " ")
    note = " <strong>not rejected</strong>" if missed else ""
    return f"<li>{_link(app, docname, name, wrong.implementation, code=False)}{note}: {escape(wrong.message)}</li>"


def _link(app: Sphinx, docname: str, text: str, function, code: bool = True) -> str:
    page, anchor = location(function)
    shown = f"<code>{escape(text)}</code>" if code else escape(text)
    return (
        f'<a href="{app.builder.get_relative_uri(docname, page)}#{anchor}">{shown}</a>'
    )


class Signature(SphinxDirective):
    """The signature of one equation, away from the equation itself."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Prove it and write the line."""
        html = signature_html(
            self.env.app, self.env.docname, proofs_of(self.arguments[0])
        )
        return [nodes.raw("", html, format="html")]


class Ledger(SphinxDirective):
    """A table of every equation that the checks prove, in reading order."""

    def run(self) -> list[nodes.Node]:
        """Prove everything and build the table."""
        from transformer_math.checks import equations

        rows = [self._row(label, proofs_of(label)) for label in equations()]
        head = nodes.row(
            "",
            *(
                nodes.entry("", nodes.paragraph(text=text))
                for text in ("Equation", "Function", "Proof")
            ),
        )
        group = nodes.tgroup(
            "", *(nodes.colspec(colwidth=width) for width in (12, 22, 66)), cols=3
        )
        group += [nodes.thead("", head), nodes.tbody("", *rows)]
        return [nodes.table("", group, classes=["ledger"])]

    def _row(self, label: str, proofs: tuple) -> nodes.row:
        reference = pending_xref(
            "",
            nodes.Text(label),
            refdomain="math",
            reftype="eq",
            reftarget=label,
            refdoc=self.env.docname,
            refwarn=True,
        )
        app, docname = self.env.app, self.env.docname
        functions = dict.fromkeys(proof.check.target for proof in proofs)
        links = "<br>".join(
            _link(app, docname, function.__name__, function) for function in functions
        )
        cells = [
            nodes.paragraph("", "", reference),
            nodes.raw("", f"<p>{links}</p>", format="html"),
            nodes.raw("", signature_html(app, docname, proofs), format="html"),
        ]
        return nodes.row("", *(nodes.entry("", cell) for cell in cells), equation=label)


def sort_ledger(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Bring the rows of the ledger into reading order: by page as in the table of contents, then by number."""
    numbered = app.env.get_domain("math").equations
    pages = reading_order(app.env)

    def place(row: nodes.row) -> tuple[int, int]:
        page, number = numbered.get(row["equation"], (None, 0))
        return pages.get(page, len(pages)), number

    for rows in doctree.findall(nodes.tbody):
        if all("equation" in row for row in rows):
            rows.children.sort(key=place)


def reading_order(env: BuildEnvironment) -> dict[str, int]:
    """The place of every page in the table of contents, read from top to bottom."""

    def walk(page: str) -> Iterator[str]:
        yield page
        for child in env.toctree_includes.get(page, []):
            yield from walk(child)

    return {page: place for place, page in enumerate(walk(env.config.root_doc))}


def setup(app: Sphinx) -> dict:
    """Sign equations as pages are read."""
    app.add_directive("signature", Signature)
    app.add_directive("ledger", Ledger)
    app.connect("doctree-read", sign_equations)
    app.connect("doctree-resolved", sort_ledger)
    return {"parallel_read_safe": True}
