"""Break functions and formulas on purpose: the checks fail, the build fails, and a page built all the same says so in red."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from small_books import conf
from sphinx_runs import run_sphinx

from transformer_math.formulas.book import displayed

BREAKS = {
    "attention/softmax.py": (
        "np.maximum(powers.sum(axis=-1, keepdims=True), 1)",
        "(powers.sum(axis=-1, keepdims=True) + 1)",
    ),
    "block/layer_norm.py": ("np.sqrt(variance + eps)", "(np.sqrt(variance) + eps)"),
    "position/sinusoidal.py": (
        "-np.arange(0, d_model, 2) / d_model",
        "np.arange(0, d_model, 2) / d_model",
    ),
}
FAILING = [
    "softmax_equals_torch",
    "layer_norm_equals_torch",
    "frequencies_equal_closed_form",
]
LABELS = ("eq-softmax", "eq-layer-norm", "eq-frequencies", "eq-relu")
PRINTED = {one.label: one.tex for one in displayed(ROOT, (ROOT / "book").rglob("*.md"))}
CONF = conf(
    'extensions = ["myst_parser", "sphinx.ext.mathjax", "signatures", "source_pages"]'
)


def page(formulas):
    return "# Formulas\n\n" + "\n\n".join(
        f"```{{math}}\n:label: {label}\n{tex}\n```" for label, tex in formulas.items()
    )


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A copy of the package with three wrong formulas, a page that shows them, and an environment that imports the copy."""
    folder = tmp_path_factory.mktemp("broken")
    shutil.copytree(
        ROOT / "src",
        folder / "src",
        ignore=shutil.ignore_patterns("*.pyc.*", "*.egg-info"),
    )
    for name, (right, wrong) in BREAKS.items():
        path = folder / "src" / "transformer_math" / name
        text = path.read_text("utf-8")
        assert right in text
        path.write_text(text.replace(right, wrong), "utf-8")
    (folder / "book").mkdir()
    formulas = {label: PRINTED[label] for label in LABELS}
    (folder / "book" / "index.md").write_text(page(formulas), "utf-8")
    (folder / "book" / "conf.py").write_text(CONF, "utf-8")
    return folder, {"PYTHONPATH": str(folder / "src")}


def build(folder, *options, **environment):
    places = folder / "book", folder / "html"
    return run_sphinx("-E", "-q", *options, *places, seconds=600, **environment)


def test_the_build_fails(broken):
    folder, environment = broken
    result = build(folder, "-W", "--keep-going", **environment)
    assert result.returncode != 0
    for label in LABELS[:3]:
        assert label in result.stderr
    assert "eq-relu" not in result.stderr


def test_a_page_built_all_the_same_says_so_in_red(broken):
    folder, environment = broken
    assert build(folder, **environment).returncode == 0
    html = (folder / "html" / "index.html").read_text("utf-8")
    assert html.count('class="signature broken"') == 3
    assert html.count("✗ check failed") == 3
    assert html.count('class="signature sealed" data-formula="runs"') == 1
    css = (ROOT / "book" / "_static" / "book.css").read_text("utf-8")
    assert "details.signature.broken" in css


WRONG = {
    "eq-gelu": "x = y",
    "eq-relu": r"\operatorname{relu}(x) = \max(0, -x)",
    "eq-swish": r"\operatorname{swish}(x) = \frac{x}{1 + e^{x}}",
    "eq-gelu-tanh": r"\operatorname{gelu}(x) = \begin{smallmatrix} x \end{smallmatrix}",
}


@pytest.fixture(scope="module")
def misprinted(tmp_path_factory):
    """A page of wrong formulas whose functions are right: what its build says, and what it writes."""
    folder = tmp_path_factory.mktemp("misprinted")
    (folder / "book").mkdir()
    (folder / "book" / "index.md").write_text(page(WRONG), "utf-8")
    (folder / "book" / "conf.py").write_text(CONF, "utf-8")
    result = build(folder, "-W", "--keep-going")
    return result, (folder / "html" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("label", WRONG)
def test_a_wrong_formula_above_a_right_function_stops_the_build(label, misprinted):
    result, html = misprinted
    assert result.returncode != 0
    assert f"{label}: as printed, it was not run" in result.stderr
    assert "has no check" not in result.stderr
    failing = html.count('class="signature broken" data-formula="fails"')
    assert failing == html.count("✓ function checked") == len(WRONG)


def test_the_tests_fail(broken):
    folder, environment = broken
    code = (
        "from transformer_math.checks import all_checks, prove\n"
        f"print([n for n in {FAILING} if not prove(all_checks()[n]).holds])"
    )
    failed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=folder,
    )
    assert failed.stdout.strip() == str(FAILING), failed.stderr
    registry = str(ROOT / "tests" / "checks" / "test_registry.py")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "softmax_equals_torch",
        registry,
    ]
    result = subprocess.run(
        command,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        cwd=ROOT,
    )
    assert result.returncode == 1, result.stdout
    assert "[softmax_equals_torch]" in result.stdout
