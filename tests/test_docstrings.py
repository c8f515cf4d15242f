"""The equation in a docstring is the one on the page, and the examples in the tools' docstrings run."""

import doctest
from importlib import import_module

import pytest
from conftest import ROOT

from docstrings import equations, modules, with_equation, written
from plain_math import plain

KNOWN = equations()
OUTSIDE = [  # of the package, whose own examples are collected with the tests
    (folder, path)
    for folder in (ROOT / "book" / "_ext", ROOT / "tools")
    for path in sorted(folder.rglob("*.py"))
    if ">>>" in path.read_text("utf-8") and "idea" not in path.parts
]


@pytest.mark.parametrize("path", modules(), ids="{0.parent.name}/{0.stem}".format)
def test_docstrings_hold_the_equations_of_the_pages(path):
    text = path.read_text("utf-8")
    assert text == written(text, KNOWN), "Fix: make docstrings"


def test_a_label_that_no_page_has_is_refused():
    source = 'def f():\n    """Add.\n\n    Book: eq-nowhere.\n    """\n'
    with pytest.raises(ValueError, match="f names eq-nowhere, which is on no page"):
        written(source, KNOWN)


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"a &= \frac{b + 1}{\sqrt{2 \pi}} c \\ &= d", "a = (b + 1)/√(2 π) c = d"),
        (
            r"\begin{cases} x & \text{if } y \\ 0 & z > 1 \end{cases}",
            "{x if y; 0 if z > 1}",
        ),
        (r"\mathrm{d}W^Q_h = e^{x_j} (W^Q)^\top", "dW^Q_h = e^(x_j) (W^Q)ᵀ"),
        (r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}^{-1}", "[a, b; c, d]⁻¹"),
        (r"\operatorname*{argmax}_{s} \ln \Bigl( P \Bigr)", "argmax_s ln (P)"),
    ],
)
def test_formulas_read_as_text(tex, text):
    assert plain(tex) == text


def test_an_unknown_command_is_refused():
    with pytest.raises(ValueError, match="oint has no plain text"):
        plain(r"\oint f")


def test_an_equation_comes_in_once():
    once = with_equation('"""Add.\n\n    Book: eq-a.\n    """\n', "y = x", 4)
    assert with_equation(once, "y = x", 4) == once and once.count("y = x") == 1


@pytest.mark.parametrize(
    ("folder", "path"), OUTSIDE, ids=[path.stem for _, path in OUTSIDE]
)
def test_examples_outside_of_the_package_run(folder, path):
    name = ".".join(path.relative_to(folder).with_suffix("").parts)
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed
