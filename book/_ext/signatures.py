"""Seal every displayed formula with what was done in this very build: it was run as printed, its function was checked."""

from collections.abc import Iterator
from functools import cache
from html import escape

from docutils import nodes
from printed import counts, verdict_of
from source_pages import location
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

READING = "book/reading"  # the page that says how formulas are read

logger = logging.getLogger(__name__)


@cache
def proofs_of(label: str) -> tuple:
    """Run the checks of one equation, once per build."""
    from transformer_math.checks import checks_of, prove

    return tuple(prove(check) for check in checks_of(label))


def seal_formulas(app: Sphinx, doctree: nodes.document) -> None:
    """Put a seal behind every displayed formula; warn of one that was not run without a reason, or not checked."""
    docname = app.env.docname
    for formula in list(doctree.findall(nodes.math_block)):
        label = formula.get("label")
        verdict = verdict_of(app, docname, label, formula.astext())
        proofs = () if label is None else proofs_of(label)
        for fault in faults(label, verdict, proofs):
            logger.warning(
                "%s: %s",
                label or "a formula without a number",
                fault,
                location=formula,
                type="signature",
            )
        html = (
            plain_seal(app, docname, verdict)
            if label is None
            else seal_html(app, docname, verdict, proofs)
        )
        seal = nodes.raw("", html, format="html")
        formula.parent.insert(formula.parent.index(formula) + 1, seal)


def faults(label: str | None, verdict, proofs: tuple) -> Iterator[str]:
    """What a formula lacks, one sentence each; nothing where all is well."""
    if verdict is None:
        yield "the pages and the formulas that were run do not agree on its LaTeX"
    elif verdict.problem:
        yield f"as printed, it was not run: {verdict.problem}"
    if label is not None and not proofs:
        yield "its function has no check"
    yield from (fault(proof) for proof in proofs if not proof.holds)


def fault(proof) -> str:
    """Say in one sentence why a check does not hold."""
    name, outcome = proof.check.name, proof.outcome
    if outcome.exception is not None:
        return f"{name} raised {type(outcome.exception).__name__}: {outcome.exception}"
    if outcome.failed_case is not None:
        return f"{name} differs from {proof.check.oracle} by {outcome.error:.1e} in case {outcome.failed_case + 1}"
    if proof.missed:
        return f"{name} lets through {', '.join(wrong.name for wrong in proof.missed)}"
    return f"{name} has no wrong version"


def plain_seal(app: Sphinx, docname: str, verdict) -> str:
    """The seal of a formula without a number: one line."""
    kind = kind_of(verdict)
    says = {
        "runs": "✓ run as printed: both sides agree in {cases} random cases, largest difference {largest}",
        "words": "in words: {words}",
        "fails": "✗ not run as printed: {problem}",
    }[kind]
    return f'<p class="seal-line {kind}" data-formula="{kind}">{_filled(says, verdict)} {_reading_link(app, docname)}</p>'


def kind_of(verdict) -> str:
    """Whether a formula runs, is told in words, or fails."""
    if verdict is None or verdict.problem:
        return "fails"
    return "runs" if verdict.runs else "words"


def _filled(text: str, verdict) -> str:
    if verdict is None:
        return escape(text.format(problem="it was not found among the formulas"))
    return escape(
        text.format(
            cases=verdict.cases,
            largest=number(verdict.largest),
            words=verdict.words,
            problem=verdict.problem,
        )
    )


def seal_html(app: Sphinx, docname: str, verdict, proofs: tuple) -> str:
    """Two sentences, on the formula and on its function, unfolding into every check and every wrong version."""
    kind = kind_of(verdict)
    checked = bool(proofs) and all(proof.holds for proof in proofs)
    state = "sealed" if checked and kind != "fails" else "broken"
    formula = {
        "runs": '<span class="seal">✓ runs as printed</span> {cases} cases, largest difference from its function {largest}',
        "words": '<span class="seal quiet">in words</span> {words}',
        "fails": '<span class="seal">✗ does not run</span> {problem}',
    }[kind]
    body = "".join(_check_html(app, docname, proof) for proof in proofs)
    parts = _with_marks(formula, verdict), _function_summary(proofs, checked)
    summary = " ".join(f'<span class="part">{part}</span>' for part in parts)
    return (
        f'<details class="signature {state}" data-formula="{kind}"><summary>{summary}</summary>'
        f"<p>{_formula_sentence(kind)} {_reading_link(app, docname)}</p>{body}</details>"
    )


def _with_marks(text: str, verdict) -> str:
    mark, rest = text.split("</span> ")
    return f"{mark}</span> {_filled(rest, verdict)}"


def _formula_sentence(kind: str) -> str:
    return {
        "runs": "The LaTeX of this formula was parsed, evaluated on cases of the checks below, and compared with what "
        "the function gave.",
        "words": "This formula is not one that can be evaluated; its function is checked.",
        "fails": "The LaTeX of this formula does not give what its function gives.",
    }[kind]


def _reading_link(app: Sphinx, docname: str) -> str:
    if READING not in app.env.found_docs:
        return ""
    address = app.builder.get_relative_uri(docname, READING)
    return f'<a href="{address}">How formulas are read</a>'


def _function_summary(proofs: tuple, checked: bool) -> str:
    if not proofs:
        return '<span class="seal">✗ not checked</span>'
    oracles = "; ".join(escape(oracle) for oracle in named_once(proofs))
    cases = sum(proof.check.cases for proof in proofs)
    wrong = sum(len(proof.check.wrong_versions) - len(proof.missed) for proof in proofs)
    largest = max(proof.outcome.error for proof in proofs)
    verdict = "✓ function checked" if checked else "✗ check failed"
    return (
        f'<span class="seal">{verdict}</span> against {oracles}: {cases} cases, largest error {number(largest)}, '
        f"{wrong} wrong versions rejected"
    )


def named_once(proofs: tuple) -> list[str]:
    """The oracles of some checks; one whose name is but the beginning of another's is left out."""
    names = dict.fromkeys(proof.check.oracle for proof in proofs)
    return [
        name
        for name in names
        if not any(other.startswith(f"{name},") for other in names)
    ]


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
    from transformer_math.checks.showing import as_html

    name = "a variant" if wrong.name == "<lambda>" else wrong.name.replace("_", " ")
    note = " <strong>not rejected</strong>" if missed else ""
    return f"<li>{_link(app, docname, name, wrong.implementation, code=False)}{note}: {as_html(wrong.message)}</li>"


def _link(app: Sphinx, docname: str, text: str, function, code: bool = True) -> str:
    page, anchor = location(function)
    shown = f"<code>{escape(text)}</code>" if code else escape(text)
    return (
        f'<a href="{app.builder.get_relative_uri(docname, page)}#{anchor}">{shown}</a>'
    )


class Signature(SphinxDirective):
    """The seal of one equation, away from the equation itself."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Run and check, and write the line."""
        app, label = self.env.app, self.arguments[0]
        verdict = verdict_of(app, self.env.docname, label, "")
        html = seal_html(app, self.env.docname, verdict, proofs_of(label))
        return [nodes.raw("", html, format="html")]


class FormulaCounts(SphinxDirective):
    """A sentence that counts the displayed formulas, and those that run as printed."""

    def run(self) -> list[nodes.Node]:
        """Count what this build found."""
        found = counts(self.env.app)
        text = (
            f"{found['numbered']} numbered formulas: {found['numbered that run']} run as printed, "
            f"{found['numbered'] - found['numbered that run']} are told in words. {found['others']} more without a number: "
            f"{found['others that run']} run, {found['others'] - found['others that run']} are told in words."
        )
        return [nodes.paragraph("", text, classes=["formula-counts"])]


class Ledger(SphinxDirective):
    """A table of every numbered equation, in reading order."""

    def run(self) -> list[nodes.Node]:
        """Run and check everything, and build the table."""
        from transformer_math.checks import equations

        rows = [self._row(label) for label in equations()]
        head = nodes.row(
            "",
            *(
                nodes.entry("", nodes.paragraph(text=text))
                for text in ("Equation", "Function", "What was done")
            ),
        )
        group = nodes.tgroup(
            "", *(nodes.colspec(colwidth=width) for width in (12, 22, 66)), cols=3
        )
        group += [nodes.thead("", head), nodes.tbody("", *rows)]
        return [nodes.table("", group, classes=["ledger"])]

    def _row(self, label: str) -> nodes.row:
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
        proofs = proofs_of(label)
        functions = dict.fromkeys(proof.check.target for proof in proofs)
        links = "<br>".join(
            _link(app, docname, function.__name__, function) for function in functions
        )
        verdict = verdict_of(app, docname, label, "")
        cells = [
            nodes.paragraph("", "", reference),
            nodes.raw("", f"<p>{links}</p>", format="html"),
            nodes.raw("", seal_html(app, docname, verdict, proofs), format="html"),
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
    """Seal formulas as pages are read."""
    app.add_directive("signature", Signature)
    app.add_directive("formula-counts", FormulaCounts)
    app.add_directive("ledger", Ledger)
    app.connect("doctree-read", seal_formulas)
    app.connect("doctree-resolved", sort_ledger)
    return {"parallel_read_safe": True}
