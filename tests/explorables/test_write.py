"""What a reader writes is graded: right is right, known mistakes are named, copied names do not count, nothing ends in an error."""

import copy
import json
import random
import re
import shutil
import subprocess

import numpy as np
import pytest
from conftest import reload_as_a_person
from live_pages import EMPTY, look, open_file
from playwright.sync_api import expect

from tasks import outdated
from transformer_math.explorables import WriteExplorable
from transformer_math.explorables._scripts import FORMULAS, HERE
from transformer_math.explorables.editing.write import tasks
from transformer_math.formulas.engine import _node, _plain, katex_script
from transformer_math.formulas.shipped import printed, shipped
from writing.selection import candidate, on_paper
from writing.selection import tasks as made_anew
from writing.trials import standing_in

ROOT_TESTS = HERE.parents[2] / "tests" / "explorables"
TASKS = tasks()
PRINTED = {label: shipped()[label]["tex"] for label in TASKS}
LEAST = 40  # formulas that a reader can write

TYPED = {
    "eq-attention": [
        "softmax(QK^T/sqrt(d_k))V",
        "O = softmax(QK^T/sqrt(d_k))V",
        "attention(Q, K, V) = softmax(QK^T/sqrt(d_k))V",
        "A V\nA = softmax(Q K^T / sqrt(d_k))",
        r"A = softmax(Q K^T / sqrt(d_k)) \\ O = A V",
        "softmax(Q K^⊤ / √d_k) V",
    ],
    "eq-softmax": [r"exp(x_j) / \sum_k exp(x_k)", r"\frac{e^{x_j}}{\sum_i e^{x_i}}"],
    "eq-layer-norm": [
        r"gamma * (x - \mu) / sqrt(v + varepsilon) + beta"
        "\n\\mu = \\frac{1}{d} \\sum_{j=0}^{d-1} x_j\nv = \\frac{1}{d} \\sum_{j=0}^{d-1} (x_j - \\mu)^2"
    ],
    "eq-frequencies": [r"\sqrt[d_{\text{model}}]{b^{-2i}}"],
    "eq-distances": [r"\left\|X_i - C_j\right\|", r"\|X_i - C_j\|"],
    "eq-codebook-loss": [r"\frac1n \sum_i \|C_{a_i} - sg(Z_i)\|^2"],
    "eq-scores": ["QK^T / sqrt(d_k)", "Q @ K.T / sqrt(d_k)", "QKᵀ/√dₖ", r"QK^{\mathsf T} / sqrt(d_k)", r"QK^\intercal / sqrt(d_k)"],
    "eq-greedy": [r"\arg\max logits", r"\argmax(logits)", r"\arg\max_i \text{logits}_i"],
    "eq-swish": [r"x\sigma(x)", "x σ(x)", "x * sigmoid(x)", "x σ(x)\nσ(x) = 1/(1+e⁻ˣ)"],
    "eq-mask": [r"\begin{cases} S_{ij} & \text{if } M_{ij} \\ -\infty & \text{otherwise} \end{cases}"],
    "eq-relu": ["max(x, 0)", "(x + |x|) / 2"],
    "eq-gelu": [".5 x (1+erf(x/√2))", "x * Phi(x)\nPhi(x) = (1+erf(x/√2))/2"],
    "eq-causal-mask": [
        r"j \le i", "j <= i", "j ≤ i", r"i - j \ge 0", "i >= j", r"[j \le i]", r"\mathbb{1}[j \le i]", r"M_{ij} = j \le i",
    ],
    "eq-embedding": ["E[t_i]", "E[t[i]]", "E_{t[i]}"],
    "eq-rms-norm": ["γ * x / sqrt(1/d sum_{j=0}^{d-1} x_j² + eps)", r"\gamma * x / sqrt(1/d sum_{j=0}^{d-1} x_j^2 + epsilon)"],
    "eq-perplexity": ["e^loss", "exp(ℒ)", r"e^{\mathscr{L}}"],
    "eq-gelu-tanh": [r"\frac{x}{2}(1+\tanh u) \\ u=\sqrt{2/\pi}(x+0.044715x^3)", "x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))"],
    "eq-gelu-tanh-vjp": [
        r"\mathrm{d}y(\frac{1+\tanh u}{2}+\frac{x}{2}(1-\tanh^2 u)\sqrt{2/\pi}(1+0.134145x^2)) \\ u = \sqrt{2/\pi}(x+0.044715x^3)"
    ],
    "eq-prefix-mask": [r"j \le \max(i, p-1)", r"M_{ij} = j \le \max(i, p-1)"],
    "eq-padding-mask": [r"j < \text{length}_b", "(j < length_b)"],
    "eq-sliding-window-mask": [r"\max(0, i-w+1) \le j \le i"],
    "eq-relu-vjp": ["dy [x > 0]", "dy 1_{x > 0}"],
    "eq-embedding-scale-vjp": ["√(d_model) dX"],
    "eq-global-norm": [r"\|g\|_2", "||g||", "‖g‖_2"],
    "eq-one-hot": [
        r"\begin{cases}1, & \text{if } v=t\\0, & \text{otherwise}\end{cases}",
        r"\mathbb{1}(v=t)", r"\mathbb{1}_{v=t}", "1_{v=t}", r"\mathbf{1}[v=t]",
    ],
}  # fmt: skip
MISTAKEN = {
    ("eq-attention", "softmax(QK^T/d_k)V"): "its square root",
    ("eq-scores", "QK^T"): "",
    ("eq-relu", "|x|"): "absolute value",
    ("eq-sequence-score", r"\sum_{i=0}^{n-1} \ln p_{i\, t_i}"): "leave the length out",
    (
        "eq-sequence-score",
        r"n^\alpha \sum_{i=0}^{n-1} \ln p_{i\, t_i}",
    ): "multiply by the length",
}
POWERS = [
    ("eq-yarn-scale", r"0.1\ln^2 s + 1"),
    ("eq-gelu", r"\frac{x}{2}(1+\operatorname{erf}^2(x/\sqrt2))"),
    ("eq-attention", r"\operatorname{softmax}^2(QK^T/sqrt(d_k))V"),
    ("eq-relu", r"\max^{3}(0,x)"),
]
UNREAD = {
    (
        "eq-mask",
        r"\begin{cases}S_{ij} & \text{if not } M_{ij}\\-\infty&\text{otherwise}\end{cases}",
    ): "if not",
    (
        "eq-relu",
        r"\begin{cases}x & \text{if x > 0}\\0&\text{otherwise}\end{cases}",
    ): "if x > 0",
    (
        "eq-layer-norm",
        r"\gamma \frac{x-\mu}{\sqrt{v+\varepsilon}}+\beta"
        "\n\\mu = \\frac1d\\sum_{j=0}^{d-1} x_j\nv = \\frac1d\\sum_{j=0}^{d-1}(x_j-\\mu)^2",
    ): "⊙",
}


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """A function that lets the page's grader see answers and the results of wrong versions."""
    folder = tmp_path_factory.mktemp("write")
    for source in (HERE, FORMULAS):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("*.py"))  # fmt: skip
    (folder / "package.json").write_text('{"type": "module"}')

    def asked(answers=(), wrong=()):
        request = folder / "request.json"
        content = {"answers": list(answers), "wrong": list(wrong)}
        content |= {"formulas": shipped(), "tasks": list(TASKS.values())}
        request.write_text(json.dumps(content))
        command = [_node(), ROOT_TESTS / "write.mjs", folder, katex_script(), request]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return asked


def verdicts(ask, pairs):
    pairs = list(pairs)
    asked = [{"label": label, "text": text} for label, text in pairs]
    return list(zip(pairs, ask(asked)["answers"], strict=True))


def test_there_are_tasks_enough_and_none_shows_its_formula():
    assert len(TASKS) >= LEAST
    text = json.dumps(list(TASKS.values()), ensure_ascii=False)
    assert not [label for label, tex in PRINTED.items() if len(tex) > 20 and json.dumps(tex)[1:-1] in text]  # fmt: skip


def test_every_printed_formula_is_right(ask):
    found = verdicts(ask, [(label, "$printed") for label in TASKS])
    assert [(pair, one) for pair, one in found if one["kind"] != "right"] == []


def test_the_left_side_is_no_answer_and_a_functions_own_name_is_refused(ask):
    found = verdicts(ask, [(label, f"{text}$left") for label in TASKS for text in ("", "0 + ")])  # fmt: skip
    assert "right" not in {one["kind"] for _, one in found}
    found = [
        (pair, one) for pair, one in found if r"\approx" not in one["left"]
    ]  # gelu is another formula's
    bare = [(label, one) for (label, text), one in found if text == "$left" and r"\leftarrow" not in PRINTED[label]]  # fmt: skip
    assert {one["kind"] for _, one in bare} == {"copied"}
    functions = [one["kind"] for _, one in found if one["left"].startswith(r"\operatorname")]  # fmt: skip
    assert len(functions) > 60 and set(functions) == {"copied"}


def test_nothing_that_is_given_is_an_answer_by_itself(ask):
    pairs = [(label, text) for label, task in TASKS.items() for text in ("0", "1", *plain_names(task))]  # fmt: skip
    assert [pair for pair, one in verdicts(ask, pairs) if one["kind"] == "right"] == []


def plain_names(task):
    return [name for name in task["cases"][0]["given"] if re.fullmatch(r"[A-Za-z]'?", name)]  # fmt: skip


def test_other_names_of_the_same_function_are_refused(ask):
    pairs = [
        ("eq-attention", r"\operatorname{blockwise}(Q, K, V)"),
        ("eq-blockwise-attention", r"\operatorname{attention}(Q, K, V)"),
    ]
    assert [one["kind"] for _, one in verdicts(ask, pairs)] == ["copied", "copied"]


def test_another_function_that_gives_other_numbers_is_wrong_and_no_copy(ask):
    pairs = [("eq-greedy", r"\operatorname{softmax}(\text{logits})")]
    assert [one["kind"] for _, one in verdicts(ask, pairs)] == ["wrong"]


def test_a_name_that_the_books_formula_calls_too_is_no_copy(ask):
    text = r"\operatorname{softmax}(\text{logits})"  # the temperature is forgotten
    [(_, one)] = verdicts(ask, [("eq-temperature", text)])
    assert one["kind"] == "wrong" and "temperature" in one["why"]


@pytest.mark.parametrize(
    ("label", "code", "meaning"),
    [("eq-alibi-bias", "slopes[h]", "slope of head"), ("eq-softmax-vjp", "x", "its score")],
)  # fmt: skip
def test_a_letter_means_what_its_chapter_says(label, code, meaning):
    rows = [
        row for row in TASKS[label]["symbols"] if row["code"] == f"<code>{code}</code>"
    ]
    assert [meaning in row["meaning"] for row in rows] == [True]


def test_what_readers_type_is_right(ask):
    pairs = [(label, text) for label, all_ in TYPED.items() for text in all_]
    assert [(pair, one) for pair, one in verdicts(ask, pairs) if one["kind"] != "right"] == []  # fmt: skip


HELD = {
    r"\frac1n \sum_i \|Z_i - sg(C_{a_i})\|^2",
    r"\frac1n \sum_i \|Z_i - C_{a_i}\|^2",
    r"sg(\frac1n \sum_i \|Z_i - C_{a_i}\|^2)",
}


def test_the_right_numbers_with_other_gradients_stopped_are_not_right(ask):
    found = verdicts(ask, [("eq-codebook-loss", text) for text in HELD])
    assert [one["kind"] for _, one in found] == ["held"] * len(HELD)


NEAR = {  # graded right while all cases had one row, or none at a border
    "eq-dual-contrast": r"\frac{1 - \alpha}{B} \sum_i \operatorname{contrast}(R_i, S_i)",
    "eq-convolve": r"b_j + \sum_{u=0}^{2} \sum_{v=1}^{2} \sum_k X^{\text{pad}}_{r+u,s+v,k} K_{uvkj}",
    "eq-accuracy": r"\frac{1}{n} \sum_{i=1}^{n-1} [\operatorname{argmax}_k \text{logits}_{ik} = y_i]",
    "eq-dropout-mask": "[u > p]",
    "eq-relu-vjp": r"\mathrm{d}y [x \ge 0]",
}


def test_what_fails_at_a_border_alone_is_wrong(ask):
    found = verdicts(ask, NEAR.items())
    assert [pair for pair, one in found if one["kind"] != "wrong"] == []


def test_what_overflows_in_a_computer_is_right_on_paper(ask):
    pairs = [
        ("eq-softmax", r"\frac{e^{x_j}}{\sum_i e^{x_i}}"),
        ("eq-log-softmax", r"x_j - \ln \sum_k e^{x_k}"),
    ]
    found = verdicts(ask, [*pairs, ("eq-softmax", r"\frac{e^{-x_j}}{\sum_i e^{x_i}}")])
    assert [one["kind"] for _, one in found] == ["right", "right", "wrong"]
    assert all("overflow" in one["why"] for _, one in found[:2])


def test_what_overflows_and_ends_in_a_number_is_told_so(ask):
    texts = [r"e^{x_j - \ln \sum_k e^{x_k}}", r"\exp(x_j - \ln \sum_k \exp(x_k))"]
    texts += [r"e^{x_j/2 - \ln \sum_k e^{x_k}}", r"e^{x_j} / \sum_k e^{-x_k}"]
    found = verdicts(ask, [("eq-softmax", text) for text in texts])
    assert [one["onlyOverflow"] for _, one in found] == [True, True, False, False]


LATE = {  # the logarithm of a softmax: the book's numbers wherever all are finite
    r"\ln softmax(x)_j": "after softmax",
    r"\ln(softmax(x))_j": "after softmax",
    r"\log \frac{e^{x_j}}{\sum_k e^{x_k}}": None,
}


def test_what_is_off_only_where_it_is_not_finite_is_told_so(ask):
    label = "eq-log-softmax"
    found = verdicts(ask, [(label, text) for text in [*LATE, r"x_j - \ln \sum_k x_k"]])
    assert {one["kind"] for _, one in found} == {"wrong"}
    assert [one["onlyInfinite"] for _, one in found] == [True] * len(LATE) + [False]
    for ((_, text), one), words in zip(found, LATE.values(), strict=False):
        assert words is None or words in one["why"], text


def test_an_index_that_only_the_left_side_has_is_named(ask):
    texts = [r"\ln softmax(x)", r"x - \max x", r"x - \ln \sum_k e^{x_k}"]
    for (_, text), one in verdicts(ask, [("eq-log-softmax", text) for text in texts]):
        assert one["kind"] == "unread", text
        assert "perhaps a _j is missing" in one["why"], text


def test_an_empty_field_is_empty(ask):
    found = verdicts(ask, [("eq-softmax", text) for text in ("", "  ", "\n \n")])
    assert {one["kind"] for _, one in found} == {"empty"}


def test_the_power_of_a_function_counts(ask):
    assert {one["kind"] for _, one in verdicts(ask, POWERS)} == {"wrong"}


def test_what_is_not_computed_is_named_and_never_left_out(ask):
    for pair, one in verdicts(ask, UNREAD):
        assert one["kind"] == "unread", pair
        assert UNREAD[pair] in one["why"], pair


def test_mistakes_are_named(ask):
    for pair, one in verdicts(ask, MISTAKEN):
        assert one["kind"] == "wrong" and one["why"], (pair, one)
        assert MISTAKEN[pair] in one["why"]


def test_messages_show_no_label_and_no_inner_name(ask):
    pairs = [
        ("eq-attention", "softmax(QK^T/sqrt(d_k) + ln M) V"),
        ("eq-softmax", r"\mathscr{H}"),
    ]
    for pair, one in verdicts(ask, pairs):
        assert one["kind"] == "unread", pair
        assert not re.search(r"eq-|math[a-z]+:", one["why"]), one["why"]


def test_no_garbage_ends_in_an_error(ask):
    pairs = list(mutations(random.Random(3), rounds=3))
    assert len(pairs) > 500
    found = verdicts(ask, pairs)
    assert [(pair, one["why"]) for pair, one in found if one["kind"] == "fault"] == []
    for (_, text), one in found:
        if one["kind"] == "unread":
            start, end = one["place"]
            assert 0 <= start <= end <= len(text) + 1, text


SCRAPS = [*r"{}()\_^&=$%#x0é∑", "\n", r"\\", r"\frac", r"\sum", r"\left(", r"\begin{cases}"]  # fmt: skip


def mutations(rng, rounds):
    """The printed formulas with some of their signs lost, doubled, or taken from elsewhere."""
    for label, tex in PRINTED.items():
        for _ in range(rounds):
            letters = list(tex)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(letters))
                letters[at : at + rng.randint(0, 3)] = rng.choice(["", rng.choice(SCRAPS), letters[at] * 2])  # fmt: skip
                letters = letters or ["x"]
            yield label, "".join(letters)


# ---- the tasks are those that `make tasks` writes, and wrong versions are recognised ----


def test_a_wrong_version_gets_what_comes_behind_an_argument_that_is_left_out():
    def score(total, length, end=None, power=0.0):
        return total / length**power

    def multiplied(total, length, end=None, power=0.0):
        return total * length**power

    assert standing_in(score, multiplied)(6.0, 2, power=1.0) == 12.0


@pytest.mark.parametrize(
    ("label", "words"), [("eq-greedy", "Choose the "), ("eq-sequence-score", "Score each ")]
)  # fmt: skip
def test_a_search_asks_for_its_formula(label, words):
    assert TASKS[label]["says"].startswith(words)


@pytest.fixture(scope="module")
def fresh():
    """The candidates among the tasks, found anew."""
    asked = (formula for formula in printed() if formula.label in TASKS)
    found = list(filter(None, map(candidate, asked)))
    return {one.formula.label: one for one in on_paper(found)}


def test_every_wrong_version_is_recognised_by_its_numbers(ask, fresh):
    wrong = [
        {
            "label": label,
            "says": told["says"],
            "results": _plain([trial.wrong[told["says"]] for trial in one.trials]),
        }
        for label, one in fresh.items()
        for told in one.known
    ]
    assert len(wrong) > 3 * len(TASKS)
    found = ask(wrong=wrong)["recognised"]
    pairs = zip(wrong, found, strict=True)
    assert [(one["label"], one["says"], says) for one, says in pairs if says != one["says"]] == []  # fmt: skip


def test_the_tasks_are_those_that_make_tasks_writes(fresh, monkeypatch):
    monkeypatch.setattr("writing.selection.candidates", lambda: ())
    monkeypatch.setattr("writing.selection.on_paper", lambda _: fresh.values())
    again = {task["label"]: task for task in made_anew()}
    assert list(again) == list(TASKS)
    for label, task in TASKS.items():
        assert words(task) == words(again[label]), label
        np.testing.assert_allclose(figures(task), figures(again[label]), rtol=1e-9, atol=1e-9)  # fmt: skip


@pytest.mark.parametrize(
    ("part", "where"),
    [("says", lambda task: task), ("meaning", lambda task: task["symbols"][0])],
)
def test_words_that_nobody_says_now_are_found_at_once(part, where):
    kept = copy.deepcopy(list(TASKS.values()))
    assert outdated(kept) == []
    where(kept[0])[part] = "the distance from which on all share the last range"
    assert outdated(kept) == [f"{kept[0]['label']}: {where(kept[0])[part]}"]


def words(value):
    """A task without its numbers."""
    if isinstance(value, dict):
        return {name: words(part) for name, part in value.items()}
    if isinstance(value, list):
        return [words(part) for part in value]
    return value if isinstance(value, str | bool) else None


def figures(value):
    """The numbers of a task."""
    if isinstance(value, dict):
        return [x for part in value.values() for x in figures(part)]
    if isinstance(value, list):
        return [x for part in value for x in figures(part)]
    return [] if isinstance(value, str | bool) else [float(value)]


# ---- the page ----


@pytest.fixture
def page(browser, explorables_folder):
    """A page with the explorable, without a network."""
    path = explorables_folder / "write.html"
    path.write_text(EMPTY.format(body=WriteExplorable().html()), "utf-8")
    with open_file(browser, path) as (page, requests):
        page.requests = requests
        yield page


def test_a_reader_writes_a_formula_and_it_is_remembered(page):
    figure = look(page)
    assert not [url for url in page.requests if "katex" in url]
    figure.get_by_label("Formula", exact=True).select_option("eq-attention")
    field, says = figure.get_by_role("textbox"), figure.locator(".xp-says")
    field.fill("softmax(QK^T/d_k)V")
    expect(says).to_contain_text("its square root")
    field.fill("softmax(QK^T/sqrt(d_k)V")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("softmax(QK^T/sqrt(d_k))V")
    expect(says).to_contain_text("It is marked as written")
    expect(figure.locator(".katex-html")).to_be_attached()
    count = f"1 of {len(TASKS)} written"
    expect(figure.locator(".xp-count")).to_have_text(count)
    reload_as_a_person(page)
    figure = look(page)
    expect(figure.locator(".xp-count")).to_have_text(count)
    assert "✓ attention" in figure.locator("option").all_text_contents()


def test_a_logarithm_taken_too_late_is_no_mere_difference(page):
    figure = look(page)
    figure.get_by_label("Formula", exact=True).select_option("eq-log-softmax")
    field, says = figure.get_by_role("textbox"), figure.locator(".xp-says")
    field.fill(r"\ln softmax(x)_j")
    expect(says).to_contain_text(
        "Where all its numbers are finite, they are the book’s"
    )
    field.fill(r"\ln softmax(x)")
    expect(says).to_contain_text("perhaps a _j is missing")


def test_an_overflow_is_no_mere_difference(page):
    figure = look(page)
    figure.get_by_label("Formula", exact=True).select_option("eq-softmax")
    figure.get_by_role("textbox").fill(r"e^{x_j - \ln \sum_k e^{x_k}}")
    says = figure.locator(".xp-says")
    expect(says).to_contain_text("where an exponential overflows")
    expect(says).to_contain_text("subtract the largest exponent")


def test_a_copied_name_is_refused_kindly(page):
    figure = look(page)
    figure.get_by_label("Formula", exact=True).select_option("eq-softmax")
    figure.get_by_role("textbox").fill("softmax(x)_j")
    expect(figure.locator(".xp-says")).to_contain_text("softmax(x)_j is a name for what is asked")  # fmt: skip


def test_the_shown_formula_does_not_count(page):
    figure = look(page)
    for words in ("A hint: what goes in", "A hint: the first sign", "Show the formula"):
        figure.get_by_role("button", name=words).click()
    expect(figure.locator(".xp-solution .katex")).to_be_visible()
    figure.get_by_role("textbox").fill("QK^T/sqrt(d_k)")
    expect(figure.locator(".xp-says")).to_contain_text("not marked as written")
    expect(figure.locator(".xp-count")).to_have_text(f"0 of {len(TASKS)} written")
    figure.get_by_role("button", name="Start again").click()
    expect(figure.get_by_role("textbox")).to_have_value("")
    expect(figure.locator(".xp-solution")).to_be_hidden()


def test_an_address_names_a_formula_and_buttons_lead_on(page):
    page.goto(f"{page.url}?write=eq-gelu")
    figure = look(page)
    choice = figure.get_by_label("Formula", exact=True)
    expect(choice).to_have_value("eq-gelu")
    labels = list(TASKS)
    at = labels.index("eq-gelu")
    figure.get_by_role("button", name="Next").click()
    expect(choice).to_have_value(labels[at + 1])
    for _ in range(2):
        figure.get_by_role("button", name="Previous").click()
    expect(choice).to_have_value(labels[at - 1])


def test_every_question_fits_its_room(page):
    figure = look(page)
    height = figure.locator("section.xp").bounding_box()["height"]
    for label in list(TASKS)[::9]:
        figure.get_by_label("Formula", exact=True).select_option(label)
        wide = figure.locator(".xp-question").evaluate("node => node.scrollWidth > node.clientWidth + 1")  # fmt: skip
        assert not wide, label
    assert figure.locator("section.xp").bounding_box()["height"] == height


def test_python_chooses_a_formula():
    explorable = WriteExplorable("eq-softmax")
    assert "softmax" in explorable.description() and "<svg" in explorable.still()
    with pytest.raises(ValueError, match="wanted one of"):
        explorable.equation = "eq-nothing"
    assert explorable.equation == "eq-softmax"
    assert len(explorable.html()) < 4000
