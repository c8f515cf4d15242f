"""What readers type for LaTeX is understood, and the book's own formulas stay as they are."""

import json
import shutil
import subprocess

import pytest
from live_pages import look
from playwright.sync_api import expect

from transformer_math.explorables import FormulaExplorable
from transformer_math.explorables._scripts import FORMULAS, HERE
from transformer_math.explorables.editing._example import example
from transformer_math.formulas.engine import katex_script
from transformer_math.formulas.shipped import shipped

# the cells of a heatmap that are not empty
INKED = """(canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data
  .filter((x, i) => i % 4 === 3 && x > 0).length"""

SAME = {
    "eq-attention": [
        r"O = softmax(QK^T/sqrt(d_k))V",
        r"O = \softmax(Q K^{T} / \sqrt(d_k)) V",
        r"O = \text{softmax}(\frac{QKᵀ}{√(d_k)}) V",
        r"attention(Q, K, V) = softmax(QK^T/sqrt{d_k})V",
        r"softmax(QK^T/sqrt(d_k))V",
        r"\mathrm{softmax}(Q K^\top / sqrt (d_k)) V",
        "softmax(frac{Q K^top}{sqrt{d_k}}) V",
        "softmax(Q K^T / sqrt d_k) V",
        "A = softmax(Q K^T / √d_k)\n O = A V",
        r"A = softmax(Q K^T / sqrt{d_k}) \\ O = A V",
        "softmax(Q @ K.T / np.sqrt(d_k)) @ V",
        "softmax(QK'/sqrt(d_k))V",
        "softmax(QKᵀ/√dₖ)V",
        "softmax(Q K^T / d_k**0.5) V",
        "softmax(QK^T / d_k^(1/2)) V",
    ],
    "eq-softmax": [
        r"softmax(x)_j = exp(x_j) / sum_k exp(x_k)",
        r"\softmax(x)_j = e^{x_j - max x} / \sum_k e^{x_k - max x}",
        "softmax(x)_j = e^(x_j) / sum_k e^(x_k)",
    ],
    "eq-gelu": [r"gelu(x) = x * (1 + erf(x/sqrt(2))) / 2", r"x · (1 + erf(x / √2)) / 2"],
    "eq-layer-norm": [
        r"\begin{gathered} LayerNorm(x) = gamma * (x - mu) / sqrt(sigma^2 + varepsilon) + beta"
        r"\\ mu = \frac{1}{d} sum_{j=0}^{d-1} x_j"
        r"\\ sigma^2 = \frac{1}{d} sum_{j=0}^{d-1} (x_j - mu)^2 \\ varepsilon = 10^{-5} \end{gathered}",
    ],
}  # fmt: skip


def attention(typed):
    return {"label": "eq-attention", "typed": typed, "example": example("eq-attention")}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """A function that lets the page's modules read typed texts."""
    folder = tmp_path_factory.mktemp("typed")
    for source in (HERE, FORMULAS):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("*.py"))  # fmt: skip
    (folder / "package.json").write_text('{"type": "module"}')

    def ask(runs):
        request = folder / "request.json"
        request.write_text(json.dumps({"formulas": shipped(), "runs": runs}))
        script = HERE.parents[2] / "tests" / "explorables" / "typed.mjs"
        command = ["node", script, folder, katex_script(), request]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def test_what_readers_type_gives_the_books_numbers(answers):
    runs = [
        {"label": label, "typed": typed, "example": example(label)}
        for label, all_ in SAME.items()
        for typed in all_
    ]
    for run, got in zip(runs, answers(runs), strict=True):
        assert got.get("apart", 1) < 1e-9, (run["typed"], got)


@pytest.mark.parametrize(
    "label", ["eq-attention", "eq-softmax", "eq-gelu", "eq-layer-norm"]
)
def test_a_changed_formula_in_the_same_shorthand_is_not_the_books(answers, label):
    wrong = {
        "eq-attention": r"softmax(QK^T/d_k)V",
        "eq-softmax": r"softmax(x)_j = exp(x_j) / sum_k exp(-x_k)",
        "eq-gelu": r"x * (1 + erf(x/2)) / 2",
        "eq-layer-norm": SAME["eq-layer-norm"][0].replace("(x - mu) /", "x /"),
    }
    (got,) = answers([{"label": label, "typed": wrong[label], "example": example(label)}])  # fmt: skip
    assert got["apart"] > 1e-6


def test_the_books_own_formulas_are_read_as_they_stand(answers):
    runs = [{"label": label, "typed": one["tex"]} for label, one in shipped().items()]
    changed = [
        (run["label"], got["read"])
        for run, got in zip(runs, answers(runs), strict=True)
        if got["read"] != run["typed"]
    ]
    assert changed == []


def test_a_missing_transposition_is_asked_for(answers):
    (got,) = answers([attention("softmax(QK/sqrt(d_k))V")])
    assert "perhaps a ⊤ is missing" in got["problem"]


MEANT = {
    "softmx(QK^T/sqrt(d_k))V": "Did you mean softmax?",
    r"\sotfmax(QK^T/sqrt(d_k))V": "Did you mean softmax?",
    r"\operatorname{softmaxx}(QK^T)V": "Did you mean softmax?",
    "Softmax(QK^T)V": "Did you mean softmax?",
    r"softmax(\farc{QK^T}{sqrt(d_k)})V": r"Did you mean \frac?",
    "softmax(QK^T/sqrt(d_q))V": "Did you mean d_k or d_v?",
    "softmax(QK^T/sqrt(dk))V": "Did you mean d_k?",
    "softmax(qK^T/sqrt(d_k))V": "Did you mean Q?",
    "softmax QK^T/sqrt(d_k)": "Did you mean softmax(…)?",
    r"softmax(Q \cdot K^T)V": "matrices are multiplied without a sign",
    "softmax(QK^T/sqrt(d_k)V": "this opening “(” has no partner",
    "softmax(QK^T/sqrt(d_k)))V": r"“max}(QK^\top/\sqrt{d_k}))”: this closing “)” has no partner",
    r"softmax(\frac{QK^T}{\sqrt{d_k})V": r"At “{\sqrt{d_k})V”: this “{” is not closed",
    r"softmax(\frac{QK^T}}{\sqrt{d_k}})V": "this “}” closes nothing",
}


def test_what_is_nearly_right_is_answered_with_what_was_meant(answers):
    for (typed, words), got in zip(MEANT.items(), answers([attention(typed) for typed in MEANT]), strict=True):  # fmt: skip
        assert words in got["problem"], (typed, got)


@pytest.mark.parametrize("name", ["F", "xyz", r"\zzyzx", r"\sigma(V)"])
def test_what_is_near_to_nothing_is_not_guessed(answers, name):
    (got,) = answers([attention(f"softmax(QK^T){name}")])
    assert "Did you mean" not in got["problem"]


def test_what_a_formula_leaves_unsaid_is_named(answers):
    (got,) = answers([attention("softmax(QK^T/sqrt(d_k))V")])
    assert got["unsaid"] == ["A"]


def test_a_part_alone_is_recognised_and_what_is_unsaid_is_not_drawn(show):
    figure = look(show(FormulaExplorable("eq-attention")))
    figure.locator("textarea").fill("softmax(QK^T)V")
    says = figure.locator(".xp-says")
    expect(says).to_contain_text("It does not say what A is.")
    expect(says).to_contain_text("Tasks done: 1 of 3.")
    own, right = (
        canvas.evaluate(INKED) for canvas in figure.locator(".xp-both canvas").all()
    )
    assert own == 0 < right


def test_the_page_says_how_it_read_what_was_typed(show):
    figure = look(show(FormulaExplorable("eq-attention")))
    height = figure.locator("section.xp").bounding_box()["height"]
    field = figure.locator("textarea")
    says = figure.locator(".xp-says")
    for typed, words in (
        ("softmax(QK^T/sqrt(d_k))V", "The book’s numbers for O"),
        ("softmax(QK/sqrt(d_k))V", "perhaps a ⊤ is missing"),
    ):
        field.fill(typed)
        expect(says).to_contain_text(words)
        expect(says).to_contain_text(r"Read as “\operatorname{softmax}(QK")
    assert figure.locator("section.xp").bounding_box()["height"] == height
