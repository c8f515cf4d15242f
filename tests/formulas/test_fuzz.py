"""No edit of a formula ends in a JavaScript error: whatever a finger does to the LaTeX, what is wrong is said in words."""

import json
import re
import subprocess

import pytest
from conftest import ROOT

from transformer_math.checks.proof import checks_of
from transformer_math.explorables._scripts import HERE
from transformer_math.formulas.engine import _node, _plain, katex_script
from transformer_math.formulas.reading import cases_of
from transformer_math.formulas.shipped import shipped
from transformer_math.formulas.words import WORDS

ROUNDS = 2
PRINTED = shipped()
KATEX_ENGLISH = re.compile(r"Expected |Got |Mismatch|No such|Can't|Unexpected|Invalid|KaTeX parse")  # fmt: skip


def first_case(label):
    for check in checks_of(label):
        for given, wanted in cases_of(check):
            return {"common": {}, "cases": [{"given": _plain(given), "wanted": _plain(wanted)}]}  # fmt: skip
    return None


def nested(before, behind, count=400):
    return r"\operatorname{gelu}(x) = " + before * count + "x" + behind * count


TURNED = PRINTED["eq-attention"]["tex"].replace(r"K^\top", "K^T")
STARRED = PRINTED["eq-softmax-vjp"]["tex"].replace("softmax}^{*}", "softmax}O^{*}")
# label, LaTeX, what is said of it
SAID = {
    "an emptied field": ("eq-gelu", "", "the formula is empty"),
    "spaces alone": ("eq-gelu", " \n ", "the formula is empty"),
    "300 nested fractions": ("eq-gelu", nested(r"\frac{1}{", "}", 300), ""),
    "300 fractions, one open": ("eq-gelu", nested(r"\frac{1}{", "}", 300)[:-1], "this “{” is not closed"),
    "brackets without an end": ("eq-gelu", nested("(", ")", 3000), "nested too deeply"),
    "towers of powers": ("eq-gelu", nested("x^{", "}", 1500), "nested too deeply"),
    "a very long formula": ("eq-gelu", nested("1 + ", "", 4000), "are read at most"),
    "a column of an index": ("eq-rope-half-split", r"[x'_{2r}; \dots] = 0", "At “"),
    "a sum with cases": ("eq-gelu", r"7 + \begin{cases} 1 & x \\ 2 \end{cases}", ""),
    "a letter for a transpose": ("eq-attention", TURNED, r"a transpose is written K^\top"),
    "a function in letters": ("eq-attention", "softmax(QK^T/sqrt(d_k))V", r"the name is written \operatorname{softmax}"),
    "a root in letters": ("eq-gelu", r"\operatorname{gelu}(x) = sqrt(x)", r"the name is written \sqrt{…}"),
    "a function as a command": ("eq-attention", r"A = \softmax(Q)", r"is written \operatorname{…}"),
    "an index of nothing": ("eq-gelu", r"\operatorname{gelu}(x) = x_{}", "an index is empty"),
    "a range without an end": ("eq-gelu", r"\operatorname{gelu}(x) = x, \qquad i = 0, \dots,", "“…” needs a last member"),
    "a quotient of ∂ alone": ("eq-gelu", r"\operatorname{gelu}(x) = \frac{\partial}{\partial x}", "one name over another"),
    "a product assigned to": ("eq-clipping", r"gn \leftarrow g", "an assignment has a name on its left"),
    "a member among numbers": ("eq-embedding-vjp", r"\mathrm{d}E_{vj} = \sum_{i : t_i \in v} \mathrm{d}X_{ij}", "compares no two"),
    "a dot product without a comma": ("eq-rope-relative", r"\langle R_i q\; R_j k \rangle = 0", "with a comma between"),
    "two values between bars": ("eq-gelu", r"\operatorname{gelu}(x) = |x, 1|", "stands one value, not 2"),
    "a sum of nothing": ("eq-gelu", r"\operatorname{gelu}(x) = x + \sum x", r"At “\sum”: a sum needs an index below it"),
    "a sum in a denominator": ("eq-softmax", r"\operatorname{softmax}(x)_i = \frac{x_i}{\sum x}", r"At “\sum”: a sum needs"),
    "a sum at the start": ("eq-gelu", r"\sum(x) = x", r"At “\sum”: a sum needs"),
    "a sum on a line of its own": ("eq-gelu", "x = \\sum\n   x", r"At “\sum”: a sum needs"),
    "a sum with limits": ("eq-gelu", r"x = \sum_{i} x + \sum\limits x", r"At “\sum”: a sum needs"),
    "a sum with an end alone": ("eq-gelu", r"x = \sum^n x", r"At “\sum”: a sum needs"),
    "a pullback that calls itself": ("eq-softmax-vjp", STARRED, "these formulas call each other without an end"),
    "a product at the end": ("eq-gelu", r"\operatorname{gelu}(x) = x + \prod", r"At “\prod”: a product needs"),
    "three columns of cases": ("eq-gelu", r"7 + \begin{cases} x & x > 0 & 1 \end{cases}", "a value and a condition"),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcome():
    cases = {label: first_case(label) for label in PRINTED if label not in WORDS}
    request = {
        "formulas": PRINTED,
        "cases": {label: case for label, case in cases.items() if case},
        "texts": [[label, tex] for label, tex, _ in SAID.values()],
        "seed": 1,
        "rounds": ROUNDS,
    }
    command = [_node(), str(ROOT / "tests/formulas/fuzz.mjs")]
    command += [str(katex_script()), str(HERE.parent)]
    found = subprocess.run(
        command, input=json.dumps(request), capture_output=True, check=True, text=True
    )
    return json.loads(found.stdout)


def test_no_edit_ends_in_an_error_of_javascript(outcome):
    assert outcome["tried"] > 30 * ROUNDS * len(PRINTED) // 5
    assert outcome["faults"] == []


def test_what_is_wrong_is_said_in_the_books_words(outcome):
    assert len(outcome["words"]) > 100
    foreign = [words for words, _ in outcome["words"] if KATEX_ENGLISH.search(words)]
    assert foreign == []


@pytest.mark.parametrize("name", SAID)
def test_an_edit_is_answered_with_words_that_fit(name, outcome):
    said = dict(zip(SAID, outcome["said"], strict=True))[name]
    wanted = SAID[name][2]
    assert wanted in said if wanted else said == ""
