"""The book's own Sphinx extensions, on small books of their own."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pydata_sphinx_theme
import pytest
from conftest import ROOT
from pydata_sphinx_theme.toctree import add_toctree_functions
from small_books import conf
from source_pages import come_between, share_contents
from sphinx.events import EventListener
from sphinx_runs import run_sphinx

from transformer_math.formulas.book import displayed
from transformer_math.formulas.sources import told

PAGES = sorted((ROOT / "book" / "block").glob("*.md"))
GRADIENTS = sorted((ROOT / "book" / "gradient").glob("*.md"))


def build(
    folder: Path, text: str, extensions: list[str], *options: str, **environment: str
):
    (folder / "index.md").write_text(text, "utf-8")
    says = conf(f"extensions = {['myst_parser', *extensions]!r}\n")
    (folder / "conf.py").write_text(says, "utf-8")
    html = folder / "html"
    result = run_sphinx("-E", "-q", *options, folder, html, **environment)
    assert result.returncode == 0, result.stderr
    return (folder / "html" / "index.html").read_text("utf-8"), result.stderr


def test_a_fold_holds_what_stands_between_its_marks(tmp_path):
    text = "# T\n\nbefore\n\n% fold-start\n\n**Why so?**\n\nanswer\n\n% fold-end\n\nafter\n"
    html, warnings = build(tmp_path, text, ["folds"])
    inside = html.split("Why so?</summary>")[1].split("</details>")[0]
    assert "answer" in inside and "after" not in inside and "before" not in inside
    assert not warnings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# T\n\n% fold-start\n\n**A**\n\nx\n", "has no end"),
        ("# T\n\n% fold-end\n\nx\n", "never began"),
        ("# T\n\n% fold-start\n\nA\n\n% fold-end\n", "title in bold"),
    ],
)
def test_a_fold_that_is_not_closed_is_reported(tmp_path, text, words):
    assert words in build(tmp_path, text, ["folds"])[1]


def test_an_equation_without_a_check_is_reported_and_shown(tmp_path):
    html, warnings = build(
        tmp_path,
        "# T\n\n```{math}\n:label: eq-nobody\nx\n```\n",
        ["sphinx.ext.mathjax", "signatures"],
    )
    assert "eq-nobody: its function has no check" in warnings
    assert 'class="signature broken" data-formula="fails"' in html


@pytest.fixture
def timid(tmp_path):
    """A folder with a copy of the package in which the check of LayerNorm never draws ε = 0."""
    unwanted = shutil.ignore_patterns("*.pyc.*", "*.egg-info")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=unwanted)
    path = tmp_path / "src" / "transformer_math" / "checks" / "block" / "layer_norm.py"
    text = path.read_text("utf-8")
    bold = "or_edge(rng, 0.0, float(10 ** rng.uniform(-6, 0)))"
    assert bold in text
    path.write_text(text.replace(bold, "float(10 ** rng.uniform(-6, 0))"), "utf-8")
    return tmp_path


def test_a_check_that_never_visits_an_edge_stops_the_build(timid):
    (tex,) = (f.tex for f in displayed(ROOT, PAGES) if f.label == "eq-layer-norm")
    text = f"# T\n\n```{{math}}\n:label: eq-layer-norm\n{tex}\n```\n"
    extensions = ["sphinx.ext.mathjax", "signatures", "source_pages"]
    html, warnings = build(timid, text, extensions, "-W")  # the package as it is
    assert "✓ function checked" in html and not warnings

    shutil.rmtree(timid / "html")
    copied = {"PYTHONPATH": str(timid / "src")}
    said = "eq-layer-norm: the checks of layer_norm never visit eps = 0. Fix: draw it"
    with pytest.raises(AssertionError, match=said):
        build(timid, text, extensions, "-W", "--keep-going", **copied)
    html = (timid / "html" / "index.html").read_text("utf-8")
    assert "✗ check failed" in html


def test_an_opened_seal_says_where_the_values_of_its_formula_came_from(tmp_path):
    shown = {f.label: f.tex for f in displayed(ROOT, PAGES)}
    labels = "eq-relu", "eq-layer-norm", "eq-layer-norm-vjp"
    shown |= {f.label: f.tex for f in displayed(ROOT, GRADIENTS)}
    fenced = [f"```{{math}}\n:label: {one}\n{shown[one]}\n```\n" for one in labels]
    text = "\n".join(
        ["# T\n", *fenced, "% values: x: number\n\n```{math}\nx + x = 2 x\n```\n"]
    )
    html, _ = build(tmp_path, text, ["sphinx.ext.mathjax", "signatures"])
    *seals, identity = html.split('data-formula="runs"')[1:]
    for seal, source in zip(seals, ((), (), ("gradient",)), strict=True):
        assert told(source) in seal.split("How formulas are read")[0]
    assert "random cases drawn anew" in identity


@pytest.fixture
def proven(tmp_path):
    """A folder that knows what the book's own build found, so that what still holds is not found again."""
    kept = ROOT / "_build" / ".doctrees" / "evidence.json"
    if kept.exists():
        (tmp_path / "html" / ".doctrees").mkdir(parents=True)
        shutil.copy(kept, tmp_path / "html" / ".doctrees")


@pytest.mark.usefixtures("proven")
def test_the_ledger_reports_a_checked_equation_that_no_page_numbers(tmp_path):
    text = "# T\n\n```{math}\n:label: eq-relu\n\\operatorname{relu}(x) = \\max(0, x)\n```\n\n```{ledger}\n```\n"
    html, warnings = build(
        tmp_path, text, ["sphinx.ext.mathjax", "signatures", "source_pages", "ledger"]
    )
    assert "equation not found: eq-softmax" in warnings
    assert "eq-relu\n" not in warnings
    assert html.count("✓ function checked") == 2  # the seal and the row
    assert '<li id="ledger-eq-relu"' in html
    assert (
        tmp_path
        / "html"
        / "_source"
        / "transformer_math"
        / "block"
        / "feed_forward.html"
    ).exists()


def test_a_source_page_is_written_again_only_when_it_would_differ(tmp_path):
    def written(title):
        build(tmp_path, f"# {title}\n", ["source_pages"])
        page = tmp_path / "html" / "_source" / "transformer_math" / "palette.html"
        return page.stat().st_mtime_ns

    first = written("T")
    assert written("T") == first
    assert written("U") > first  # its sidebar holds the titles of the pages


def test_contents_beside_source_code_are_made_once_before_the_theme_shows_them():
    theme, app = Mock(), SimpleNamespace(contents_by_depth={})
    pydata_sphinx_theme.setup(theme)
    connected = [call.args for call in theme.connect.call_args_list]
    listeners = [EventListener(0, handler, 500) for event, handler in connected if event == "html-page-context"]  # fmt: skip
    app.events = SimpleNamespace(listeners={"html-page-context": listeners})
    come_between(app)
    called = [listener.handler for listener in listeners]
    place = called.index(share_contents)
    assert called[place - 1] is add_toctree_functions
    assert called.index(pydata_sphinx_theme.update_and_remove_templates) > place

    made = []
    for page in ("_source/package/one", "_source/package/other", "_source/deeper/package/one"):  # fmt: skip
        context = {"generate_toctree_html": lambda **how: made.append(how) or "<ul>"}
        share_contents(app, page, "page.html", context, None)
        assert context["generate_toctree_html"](kind="sidebar") == "<ul>"
    assert len(made) == 2  # one for each depth
