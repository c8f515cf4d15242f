"""Seal every displayed formula with what was done in this very build: it was run as printed, its function was checked."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from docutils import nodes
from evidence import LEDGER, SEALED, Address, Proof, Wrong, evidence_of
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from transformer_math.explorables.editing.write import tasks
from transformer_math.formulas.book import Formula
from transformer_math.formulas.sources import told

READING = "book/reading"  # the page that says how formulas are read
PRACTICE = "book/practice"  # the page on which they are written

logger = logging.getLogger(__name__)


def seal_formulas(app: Sphinx, doctree: nodes.document) -> None:
    """Put a seal behind every displayed formula; warn of one that was not run without a reason, or not checked."""
    docname, evidence = app.env.docname, evidence_of(app)
    for verdict in evidence.by_place()[1]:
        if verdict.formula.page == docname and verdict.problem:
            logger.warning(
                "$%s$: %s. Fix: the equation, or the line “%% inline:” above its paragraph (see RECIPES.md)",
                verdict.formula.tex,
                verdict.problem,
                location=(docname, verdict.formula.line),
                type="signature",
            )
    for formula in list(doctree.findall(nodes.math_block)):
        label = formula.get("label")
        verdict = evidence.verdict(docname, label, formula.astext())
        proofs = evidence.proofs.get(label, ())
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
    yield from dict.fromkeys(proof.fault for proof in proofs if proof.fault)


def plain_seal(app: Sphinx, docname: str, verdict) -> str:
    """The seal of a formula without a number: its mark, and under it a sentence."""
    kind = kind_of(verdict)
    mark, says = {
        "runs": ("✓ runs as printed", f"both sides agree in {{cases}} {_of_cases(verdict)}, largest difference {{largest}}"),
        "words": ("in words", "{words}"),
        "fails": ("✗ does not run", "{problem}"),
    }[kind]  # fmt: skip
    return (
        f'<details class="seal-line {kind} aside" data-formula="{kind}"><summary>{mark}</summary>'
        f"<p>{_filled(says, verdict)} {_reading_link(app, docname)}</p></details>"
    )


def _of_cases(verdict) -> str:
    beside = verdict and verdict.formula.beside
    return "cases of a numbered formula" if beside else "random cases drawn anew"


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
    checked = bool(proofs) and not any(proof.fault for proof in proofs)
    state = "sealed" if checked and kind != "fails" else "broken"
    formula = {
        "runs": '<span class="seal">✓ runs as printed</span> {cases} cases, largest difference from its function {largest}',
        "words": '<span class="seal quiet">in words</span> {words}',
        "fails": '<span class="seal">✗ does not run</span> {problem}',
    }[kind]
    body = "".join(_check_html(app, docname, proof) for proof in proofs)
    parts = _with_marks(formula, verdict), function_summary(proofs, checked)
    summary = " ".join(f'<span class="part">{part}</span>' for part in parts)
    return (
        f'<details class="signature {state}" data-formula="{kind}"{_anchor(verdict)}><summary>{summary}</summary>'
        f"<p>{_formula_sentence(kind, verdict)} {_reading_link(app, docname)}"
        f"{_practice_link(app, docname, verdict)}</p>{body}</details>"
    )


def _anchor(verdict) -> str:
    return f' id="seal-{verdict.formula.label}"' if verdict else ""


def _with_marks(text: str, verdict) -> str:
    mark, rest = text.split("</span> ")
    return f'{mark}</span> <span class="more">{_filled(rest, verdict)}</span>'


def _formula_sentence(kind: str, verdict) -> str:
    came = told(verdict.sources) if verdict else ""
    return {
        "runs": "The LaTeX of this formula was parsed, evaluated, and compared with what the function gave, in cases of the "
        f"checks below. {came}",
        "words": "This formula is not one that can be evaluated; its function is checked.",
        "fails": "The LaTeX of this formula does not give what its function gives.",
    }[kind]


def _reading_link(app: Sphinx, docname: str) -> str:
    if READING not in app.env.found_docs:
        return ""
    address = app.builder.get_relative_uri(docname, READING)
    return f'<a href="{address}">How formulas are read</a>'


def _practice_link(app: Sphinx, docname: str, verdict) -> str:
    label = verdict.formula.label if verdict else None
    if PRACTICE not in app.env.found_docs or label not in tasks():
        return ""
    address = app.builder.get_relative_uri(docname, PRACTICE)
    return f' · <a href="{address}?write={label}">Write it yourself</a>'


def function_summary(proofs: tuple, checked: bool) -> str:
    """What was done to a function: its mark, and the numbers."""
    if not proofs:
        return '<span class="seal">✗ not checked</span>'
    oracles = "; ".join(escape(oracle) for oracle in named_once(proofs))
    cases = sum(proof.cases for proof in proofs)
    wrong = sum(not one.missed for proof in proofs for one in proof.wrong)
    largest = max(proof.error for proof in proofs)
    verdict = "✓ function checked" if checked else "✗ check failed"
    return (
        f'<span class="seal">{verdict}</span> <span class="more">against {oracles}: {cases} cases, '
        f"largest error {number(largest)}, {wrong} wrong versions rejected</span>"
    )


def named_once(proofs: tuple) -> list[str]:
    """The oracles of some checks; one whose name is but the beginning of another's is left out."""
    names = dict.fromkeys(proof.oracle for proof in proofs)
    return [
        name
        for name in names
        if not any(other.startswith(f"{name},") for other in names)
    ]


def number(error: float) -> str:
    """An error in few digits."""
    return "0" if error == 0 else f"{error:.1e}".replace("e-0", "e-").replace("-", "−")


def _check_html(app: Sphinx, docname: str, proof: Proof) -> str:
    code = link(app, docname, proof.function, proof.function_address)
    source = link(app, docname, proof.name, proof.address)
    state = f'<p class="fault">{escape(proof.fault)}</p>' if proof.fault else ""
    numbers = f"{proof.cases} seeded cases, largest error {number(proof.error)}, allowed {number(proof.tolerance)}"
    items = "".join(_wrong_html(app, docname, wrong) for wrong in proof.wrong)
    return f"<p>{code} is compared with {escape(proof.oracle)} by {source}: {numbers}. It rejects:</p>{state}<ul>{items}</ul>"


def _wrong_html(app: Sphinx, docname: str, wrong: Wrong) -> str:
    name = wrong.name.replace("_", " ")
    note = " <strong>not rejected</strong>" if wrong.missed else ""
    return f"<li>{link(app, docname, name, wrong.address, code=False)}{note}: {wrong.message}</li>"


def link(
    app: Sphinx, docname: str, text: str, address: Address, code: bool = True
) -> str:
    """A link to a line of the package's code."""
    page, anchor = address
    shown = f"<code>{escape(text)}</code>" if code else escape(text)
    return (
        f'<a href="{app.builder.get_relative_uri(docname, page)}#{anchor}">{shown}</a>'
    )


def seals(app: Sphinx, docname: str) -> str:
    """All that this build has to say of the formulas of a page: its seals, and what it counts or lists."""
    evidence = evidence_of(app)
    text = Path(app.env.doc2path(docname)).read_text("utf-8")
    labels = SEALED.findall(text)
    if LEDGER in text:
        labels += [label for label, proofs in evidence.proofs.items() if proofs]
    said = [
        seal_html(app, docname, evidence.verdicts.get(label), evidence.proofs.get(label, ()))
        for label in labels
    ]  # fmt: skip
    said += [
        plain_seal(app, docname, verdict)
        for verdict in evidence.verdicts.values()
        if verdict.formula.page == docname and not verdict.formula.label
    ]
    if "{formula-count" in text:
        said += [
            repr((one.formula.label, one.formula.page, one.runs, one.read))
            for one in evidence.verdicts.values()
        ]
    return "\n".join(said)


class Signature(SphinxDirective):
    """The seal of one equation, away from the equation itself."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Run and check, and write the line."""
        app, label = self.env.app, self.arguments[0]
        evidence = evidence_of(app)
        verdict, proofs = evidence.verdicts.get(label), evidence.proofs.get(label, ())
        html = seal_html(app, self.env.docname, verdict, proofs)
        return [nodes.raw("", html, format="html")]


class FormulaCount(SphinxDirective):
    """How many formulas run as printed, in one sentence."""

    def run(self) -> list[nodes.Node]:
        """Count what this build found."""
        shown, _ = evidence_of(self.env.app).by_place()
        running = sum(verdict.runs for verdict in shown)
        text = f"{running} of the {len(shown)} displayed formulas run as printed; "
        link = _page_reference(
            self.env.docname, "book/reading", "the others are told in words"
        )
        return [
            nodes.paragraph("", text, link, nodes.Text("."), classes=["formula-counts"])
        ]


class FormulaCounts(SphinxDirective):
    """How many formulas run as printed, and by name all that do not."""

    def run(self) -> list[nodes.Node]:
        """Count what this build found."""
        shown, inside = evidence_of(self.env.app).by_place()
        told = [verdict.formula for verdict in shown if not verdict.runs]
        running = sum(verdict.runs for verdict in inside)
        paragraph = nodes.paragraph("", "", classes=["formula-counts"])
        paragraph += nodes.Text(
            f"{len(shown) - len(told)} of {len(shown)} displayed formulas run as printed. {len(told)} are told in words, where a "
            "misprint could pass: "
        )
        for number, (formula, *others) in enumerate(by_name(told)):
            paragraph += [nodes.Text(", ")] * (number > 0)
            paragraph += _reference(self.env.docname, formula)
            paragraph += [nodes.Text(f" ({len(others) + 1} formulas)")] * bool(others)
        numbered = [one for one in shown if one.runs and one.formula.label]
        paragraph += nodes.Text(
            f". Of the {len(numbered)} numbered ones that run, {sum(one.read for one in numbered)} have a reading: a function of a "
            "few lines that turns a check's calls into the formula's symbols. The others take arguments and results as they are"
        )
        paragraph += nodes.Text(
            f". Of {len(inside)} equations inside sentences {running} run; the others name something, choose something, ask a "
            "question, or repeat a formula that runs."
        )
        return [paragraph]


def by_name(formulas: list[Formula]) -> list[list[Formula]]:
    """Formulas with one number, or without any on one page, together."""
    found: dict[str, list[Formula]] = {}
    for formula in formulas:
        found.setdefault(formula.label or formula.page, []).append(formula)
    return list(found.values())


def _reference(docname: str, formula) -> pending_xref:
    """A link to a formula by its number, or to the page of one without."""
    if formula.label:
        return equation_reference(docname, formula.label)
    return _page_reference(docname, formula.page)


def _page_reference(docname: str, page: str, words: str = "") -> pending_xref:
    """A link to a page of the book, by its title unless there are other words for it."""
    return pending_xref(
        "",
        nodes.inline("", words or page),
        refdomain="std",
        reftype="doc",
        reftarget=f"/{page}",
        refdoc=docname,
        refexplicit=bool(words),
        refwarn=True,
    )


def equation_reference(docname: str, label: str) -> pending_xref:
    """A link to a numbered formula, which shows its number."""
    return pending_xref(
        "",
        nodes.Text(label),
        refdomain="math",
        reftype="eq",
        reftarget=label,
        refdoc=docname,
        refwarn=True,
    )


def setup(app: Sphinx) -> dict:
    """Seal formulas as pages are read."""
    app.add_directive("signature", Signature)
    app.add_directive("formula-count", FormulaCount)
    app.add_directive("formula-counts", FormulaCounts)
    app.connect("doctree-read", seal_formulas)
    return {"parallel_read_safe": True}
