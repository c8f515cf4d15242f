"""A formula that the reader edits gives Python's numbers, on the page without a network; what is wrong is said at its place."""

import json
import re
import shutil
import subprocess
from inspect import signature
from itertools import combinations

import numpy as np
import pytest
from abouts import told
from live_pages import EMPTY, look, open_file, settle
from playwright.sync_api import expect

from transformer_math.checks.proof import checks_of
from transformer_math.explorables import FormulaExplorable
from transformer_math.explorables._scripts import FORMULAS, HERE
from transformer_math.explorables.editing._example import example, sums
from transformer_math.explorables.editing.offers import OFFERS
from transformer_math.formulas.engine import katex_script
from transformer_math.formulas.shipped import shipped
from transformer_math.formulas.symbols import sizes_of

ROOT_TESTS = HERE.parents[2] / "tests" / "explorables"

# Of several forms the one that is furthest from the truth counts; None stands for an edit that cannot be run.
EDITED = told("EDITS")
PRINTED = {label: shipped()[label]["tex"] for label in OFFERS}
ATTENTION = PRINTED["eq-attention"]

# label, LaTeX, what is said, the stretch that is marked
CALL = r"\operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right)"
TWO, NORM = r"\operatorname{softmax}(A, V)", r"\operatorname{LayerNorm}(V)"


def changed(label, find, replace):
    return label, PRINTED[label].replace(find, replace)


REFUSED = {
    "shapes that do not meet": (*changed("eq-attention", "A V", "V A"), "6 columns meet 12 rows", "V A"),
    "shapes in a fraction": (*changed("eq-attention", r"K^\top", "K"), "8 columns meet 13 rows", "Q K"),
    "an unknown name": (*changed("eq-attention", "A V", "A F"), "nothing says what F is", "F"),
    "an unknown function": (*changed("eq-attention", "max}", "mux}"), "no formula of this book", CALL.replace("max", "mux")),
    "the wrong number of arguments": (*changed("eq-attention", "A V", TWO), "softmax takes 1", TWO),
    "inside another formula": (*changed("eq-attention", "A V", NORM), "nothing says what", NORM),
    "a printed shape": (*changed("eq-attention", r"n \times m", r"n \times d_k"), "the printed shape is 12 × 8", None),
    "a brace left open": (*changed("eq-attention", r"\sqrt{d_k}", r"\sqrt{d_k"), "“{” is not closed", None),
    "a bracket left open": (*changed("eq-attention", "A V", "(A V"), "opening “(” has no partner", "("),
    "a bracket too many": (*changed("eq-attention", "A V", "A V)"), "closing “)” has no partner", ")"),
    "nothing after an operator": (*changed("eq-attention", "A V", "A V +"), "something is missing", "+"),
    "no command": (*changed("eq-attention", r"\sqrt", r"\squirt"), r"\squirt is no command", r"\squirt"),
    "two exponents": (*changed("eq-attention", r"K^\top", r"K^\top^2"), "two superscripts", None),
    "an index outside": (*changed("eq-softmax", r"\max x", "x_{20}"), "outside 0…12", "x_{20}"),
    "two vectors": (*changed("eq-layer-norm", r"\gamma \odot", r"\gamma"), "makes their dot product", None),
    "a name lost": (*changed("eq-layer-norm", r"\mu = \frac", r"\nu = \frac"), "nothing says what mu is", r"\mu"),
    "nothing at all": ("eq-gelu", "", "the formula is empty", ""),
    "half an equation": ("eq-gelu", r"\operatorname{gelu}(x) =", "something is missing", None),
    "defined by itself": (*changed("eq-attention", "A = ", "A = A + "), "defined by itself", "A"),
    "a sum without an end": ("eq-gelu", r"\operatorname{gelu}(x) = \sum_{k=0}^{10^{12}} x", "too many", r"\sum_{k=0}^{10^{12}} x"),
    "sums in sums": ("eq-gelu", r"\operatorname{gelu}(x) = \sum_{k=0}^{9999} \sum_{l=0}^{9999} x", "too many steps", None),
    "calls without an end": ("eq-gelu", r"\operatorname{gelu}(x) = \operatorname{gelu}(x + 1)", "without an end", None),
}  # fmt: skip


# right in the example, and wrong with other numbers
HERE_ALONE = {
    "a number for d_k": changed("eq-attention", r"\sqrt{d_k}", r"\sqrt{8}"),
    "a number for d_model": changed("eq-layer-norm", r"\frac{1}{d}", r"\frac{1}{4}"),
    "a number for the last index": changed("eq-softmax", r"\sum_k", r"\sum_{k=0}^{12}"),
    "numbers for base and size": changed(
        "eq-sinusoidal", r"\omega_i", "10000^{-2i/16}"
    ),
    "a number for the last pair": changed("eq-rope-relative", "d_k", "8"),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What the page's modules make of every edit and of every refused formula, by label and edit."""
    folder = tmp_path_factory.mktemp("modules")
    for source in (HERE, FORMULAS):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("*.py"))  # fmt: skip
    (folder / "package.json").write_text('{"type": "module"}')
    keys = [(label, name) for label, offer in OFFERS.items() for name in ("", *offer.edits)]  # fmt: skip
    runs = [
        {"label": label, "replacements": OFFERS[label].edits.get(name, [])}
        for label, name in keys
    ]
    runs += [
        {"label": label, "tex": tex}
        for label, tex, *_ in (REFUSED | HERE_ALONE).values()
    ]
    rng = np.random.default_rng(0)
    vectors = [rng.normal(size=n).tolist() for n in (1, 7, 100)]
    request = {
        "formulas": shipped(),
        "runs": [run | {"example": example(run["label"])} for run in runs],
        "vectors": vectors,
    }
    (folder / "request.json").write_text(json.dumps(request))
    command = ["node", ROOT_TESTS / "editing.mjs", folder, katex_script(), folder / "request.json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert len(answer["answers"]) == len(runs)
    found = dict(zip([*keys, *REFUSED, *HERE_ALONE], answer["answers"]))
    return found | {"sums": (vectors, answer["sums"])}


EDITS = [(label, name) for label, offer in OFFERS.items() for name in ("", *offer.edits)]  # fmt: skip


@pytest.mark.parametrize(("label", "name"), EDITS)
def test_an_edit_gives_pythons_numbers(outcomes, label, name):
    (compute, _), got = EDITED[label][name], outcomes[label, name]
    if compute is None:
        assert "problem" in got
        return
    assert "problem" not in got, got
    calls = OFFERS[label].calls()
    wanted = compute() if len(calls) > 1 else compute(*calls[0])
    assert set(got["parts"]) == set(wanted)
    right = example(label)["cases"]
    for part, values in wanted.items():
        shown = np.array(got["parts"][part], float)
        if name == "" or shown.shape != np.ravel(values).shape:
            np.testing.assert_allclose(shown, np.ravel(values), atol=1e-11)
        elif "rope" in label and name in ("Swap i and j on the right", "Sine for cosine"):  # fmt: skip
            truth = np.ravel([case["wanted"][part] for case in right])
            farther = np.where(abs(np.ravel(values) - truth) > 0, np.ravel(values), truth)  # fmt: skip
            np.testing.assert_allclose(shown, farther, atol=1e-9)
        else:
            np.testing.assert_allclose(shown, np.ravel(values), atol=1e-9)


@pytest.mark.parametrize(("label", "name"), EDITS)
def test_every_edit_changes_the_printed_formula(outcomes, label, name):
    for find, _ in OFFERS[label].edits.get(name, []):
        assert find in PRINTED[label]
    if name:
        assert outcomes[label, name]["tex"] != PRINTED[label]


@pytest.mark.parametrize(("label", "name"), EDITS)
def test_a_known_wrong_version_is_recognised_and_no_other(outcomes, label, name):
    known = outcomes[label, name].get("known")
    _, wanted = EDITED[label][name]
    assert (wanted in known["says"]) if wanted else known is None
    messages = {wrong.message for check in checks_of(label) for wrong in check.wrong_versions}  # fmt: skip
    messages |= {says for says, _ in OFFERS[label].mistakes()}
    assert known is None or known["right"] or known["says"] in messages


@pytest.mark.parametrize(("label", "name"), EDITS)
def test_every_edit_ends_in_a_sentence_about_it(outcomes, label, name):
    got = outcomes[label, name]
    same = name == "" or (EDITED[label][name][1] is None and "known" not in got and furthest(got, label) < 1e-9)  # fmt: skip
    assert same or got.get("known") or got["problem"]["words"]


def furthest(got, label):
    """How far an edit's numbers are from the book's."""
    apart = [np.inf]
    for part, own in got.get("parts", {}).items():
        right = [np.ravel(case["wanted"][part]) for case in example(label)["cases"]]
        apart.append(abs(np.array(own, float) - np.concatenate(right)).max())
    return max(apart[1:] or apart)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_run_is_explained_at_its_place(outcomes, name):
    _, tex, words, marked = REFUSED[name]
    got = outcomes[name]
    assert words in got["problem"]["words"], got
    start, end = got["problem"]["place"]
    assert 0 <= start <= end <= len(tex) + 1
    if marked is not None:
        assert tex[start:end] == marked
        assert marked == "" or "At “" in got["problem"]["words"]
    assert got["took"] < 4000


@pytest.mark.parametrize("name", HERE_ALONE)
def test_what_is_right_here_alone_is_no_formula(outcomes, name):
    label, tex = HERE_ALONE[name]
    got = outcomes[name]
    assert tex != PRINTED[label] and furthest(got, label) < 1e-9, got
    assert float(got["elsewhere"]) > 1e-3


@pytest.mark.parametrize("label", OFFERS)
def test_the_printed_formula_is_right_elsewhere_too(outcomes, label):
    assert float(outcomes[label, ""]["elsewhere"]) < 1e-9


def test_sides_that_no_longer_agree_are_noticed(outcomes):
    assert float(outcomes["eq-gelu", "ReLU"]["apart"]) > 0.1
    assert float(outcomes["eq-rope-relative", "Turn neither"]["apart"]) > 0.1
    for label in OFFERS:
        assert float(outcomes[label, ""]["apart"]) < 1e-9


def test_fingerprints_are_the_same_in_both_languages(outcomes):
    for vector, found in zip(*outcomes["sums"]):
        np.testing.assert_allclose(found, sums(np.array(vector)), atol=1e-10)


def test_sizes_of_arguments_are_those_that_the_build_uses():
    found = shipped()
    assert len(found) > 40
    for label, formula in found.items():
        if checks := checks_of(label):
            wanted = sizes_of(checks[0].target)
            assert formula["sizes"] == wanted or not any(wanted), label


# ---- the page ----


@pytest.fixture
def page_of(browser, explorables_folder):
    """Open a page with one formula; yields the page and what it asked for."""
    opened = []

    def opener(explorable, **options):
        path = explorables_folder / f"formula{len(opened)}.html"
        path.write_text(EMPTY.format(body=explorable.html()), "utf-8")
        opened.append(open_file(browser, path, **options))
        return opened[-1].__enter__()

    yield opener
    for page in opened:
        page.__exit__(None, None, None)


def says(page):
    page.wait_for_function("() => !/on its way/.test(document.querySelector('.xp-says').textContent)")  # fmt: skip
    settle(page)
    return page.locator(".xp-says").inner_text()


@pytest.mark.parametrize("label", OFFERS)
def test_a_reader_edits_a_formula_from_a_folder_without_a_network(page_of, label):
    page, requests = page_of(FormulaExplorable(label))
    figure = look(page)
    assert not [url for url in requests if "katex" in url]
    field = figure.get_by_role("textbox")
    assert field.input_value() == PRINTED[label]
    name, words = next((n, said) for n, (_, said) in EDITED[label].items() if said)
    figure.get_by_role("button", name=name, exact=True).click()
    assert words in says(page)
    assert {"katex.min.js", "katex.cut.css"} <= {url.split("/")[-1].split("?")[0] for url in requests}  # fmt: skip
    assert figure.locator(".xp-typeset .katex-html").count() == 1
    figure.get_by_role("button", name="Back to the book’s formula").click()
    assert "it differs from the function by" in says(page)
    assert field.input_value() == PRINTED[label]
    field.press("Control+End")
    field.press_sequentially(" +")
    assert re.search("“.*”|missing|environment|expected", says(page))
    assert field.get_attribute("aria-invalid") == "true"
    for _ in range(2):
        field.press("Backspace")
    assert "it differs from the function by" in says(page)
    assert field.get_attribute("aria-invalid") == "false"


HIDDEN = """node => [node.firstElementChild.getBoundingClientRect().top - node.getBoundingClientRect().top,
  node.scrollHeight - node.clientHeight]"""


@pytest.mark.parametrize("label", OFFERS)
def test_the_books_formula_is_seen_whole_and_a_taller_one_from_its_top(page_of, label):
    page, _ = page_of(FormulaExplorable(label))
    figure = look(page)
    figure.get_by_role("button", name="Back to the book’s formula").click()
    field, shown = figure.get_by_role("textbox"), figure.locator(".xp-typeset")
    field.fill(f"{PRINTED[label]} ")
    expect(shown.locator(".katex-html")).to_be_attached()
    assert shown.evaluate(HIDDEN)[1] <= 0
    tall = r"\begin{gathered} x" + r" \\ x" * 15 + r" \end{gathered}"
    field.fill(tall)
    expect(shown.locator("annotation")).to_have_text(tall)
    top, hidden = shown.evaluate(HIDDEN)
    assert top >= 0 and hidden > 0


# the second is a chapter's column in a window of 1,280, with the margins of this page
@pytest.mark.parametrize("width", [360, 720])
@pytest.mark.parametrize("label", OFFERS)
def test_what_a_button_says_has_room(page_of, label, width):
    page, _ = page_of(
        FormulaExplorable(label), viewport={"width": width, "height": 768}
    )
    figure = look(page)
    room = figure.locator(".explorable-room")
    height = room.bounding_box()["height"]
    for button in figure.locator(".xp-edits button").all():
        button.click()
        says(page)
        assert room.bounding_box()["height"] == pytest.approx(height, abs=1), (
            button.inner_text()
        )


def test_typing_runs_and_marks_the_place(page_of):
    page, _ = page_of(FormulaExplorable("eq-attention"))
    figure = look(page)
    field = figure.get_by_role("textbox")
    field.fill(ATTENTION.replace(r"\sqrt{d_k}", r"\sqrt{2 d_k}"))
    assert says(page).startswith("Largest difference: 0.")
    field.fill(ATTENTION.replace(r"K^\top", "K"))
    assert "8 columns meet 13 rows" in says(page)
    assert figure.locator("mark").inner_text() == "Q K"
    assert figure.locator(".xp-shade").inner_text().strip() == field.input_value().strip()  # fmt: skip
    field.fill(ATTENTION.replace("A V", "A V + 0"))
    assert "the same numbers" in says(page)
    field.fill(ATTENTION.replace(r"\sqrt{d_k}", r"\sqrt{8}"))
    assert says(page).startswith(
        "The book’s numbers here, and wrong elsewhere, by up to"
    )
    for same in (ATTENTION.replace("A V", "A  V"), ATTENTION.replace("d_k", "d_{k}")):
        field.fill(same)
        assert says(page).startswith("The book’s formula, run on this page")
    assert figure.locator("mark").inner_text() == ""


def test_only_letters_stay_faint_when_they_cannot_be_typeset(page_of):
    page, _ = page_of(FormulaExplorable("eq-gelu"))
    figure = look(page)
    field = figure.get_by_role("textbox")
    field.fill(r"\operatorname{gelu}(x) = x")
    assert says(page).startswith("Largest difference")
    field.fill(r"\operatorname{gelu}(x) = \frac{x")
    assert "“{” is not closed" in says(page)
    assert "xp-stale" in figure.locator(".xp-typeset").get_attribute("class")
    assert figure.locator(".xp-typeset .katex-html").count() == 1
    field.fill(r"\operatorname{gelu}(x) = \frac{x}{2}")
    assert says(page).startswith("Largest difference")
    assert "xp-stale" not in figure.locator(".xp-typeset").get_attribute("class")


def test_those_who_listen_get_the_formula_at_the_next_pause(page_of):
    page, _ = page_of(FormulaExplorable("eq-gelu"))
    field = look(page).get_by_role("textbox")
    field.fill(r"\operatorname{gelu}(x) = \frac{x}{2}")
    spoken = page.locator(".xp-typeset annotation")
    expect(spoken).to_have_text(r"\operatorname{gelu}(x) = \frac{x}{2}")
    assert page.locator(".xp-typeset .katex-html").count() == 1


def test_a_formula_as_wide_as_the_last_one_keeps_its_size(page_of):
    page, _ = page_of(FormulaExplorable("eq-attention"))
    figure = look(page)
    field, shown = figure.get_by_role("textbox"), figure.locator(".xp-typeset")
    for width in range(14, 24):
        sizes = []
        for digit in "23232":
            field.fill(ATTENTION.replace("A V", f"{digit} A V" + r"\," * width))
            says(page)
            sizes.append(shown.evaluate("node => node.style.fontSize"))
        assert len(set(sizes[2:])) == 1, (width, sizes)


def test_an_emptied_field_says_so(page_of):
    page, _ = page_of(FormulaExplorable("eq-gelu"))
    figure = look(page)
    field = figure.get_by_role("textbox")
    for nothing in ("", "  ", "\n"):
        field.fill("x")
        field.fill(nothing)
        assert "The field is empty" in says(page)
        assert field.input_value().strip() == ""
    figure.get_by_role("button", name="Back to the book’s formula").click()
    assert "it differs from the function by" in says(page)


def test_the_keyboard_alone_will_do(page_of):
    page, _ = page_of(FormulaExplorable("eq-layer-norm"))
    look(page).get_by_role("textbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "ε outside the root"
    page.keyboard.press("Enter")
    assert "outside the square root" in says(page)
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"  # fmt: skip


def test_a_formula_that_python_set_is_run_at_once(page_of):
    tex = PRINTED["eq-gelu"].replace(r"\Phi(x)", r"\Phi(2 x)")
    page, _ = page_of(FormulaExplorable("eq-gelu", latex=tex))
    look(page)
    page.wait_for_function("() => /Largest difference/.test(document.querySelector('.xp-says').textContent)")  # fmt: skip


def test_without_katex_the_page_says_so(browser, explorables_folder):
    path = explorables_folder / "without.html"
    path.write_text(EMPTY.format(body=FormulaExplorable("eq-gelu").html()), "utf-8")
    page = browser.new_page()
    page.route("**/katex.min.js*", lambda route: route.abort())
    page.goto(path.as_uri())
    look(page).get_by_role("button", name="Without √2").click()
    assert "KaTeX could not be loaded: katex is missing." in says(page)
    page.close()


# ---- Python ----


def test_another_equation_brings_its_own_example():
    explorable = FormulaExplorable("eq-gelu", latex="x")
    explorable.equation = "eq-attention"
    assert explorable.latex == "" and "A" in explorable.example["cases"][0]["wanted"]
    assert explorable.right.shape == (12, 13)
    with pytest.raises(ValueError, match="wanted one of eq-attention"):
        explorable.equation = "eq-nothing"
    assert explorable.equation == "eq-attention"


@pytest.mark.parametrize("label", OFFERS)
def test_the_still_picture_shows_what_the_function_gives(label):
    explorable = FormulaExplorable(label)
    assert "<svg" in explorable.still()
    assert f"{explorable.right.max():.2f}" in explorable.description()
    assert len(explorable.html()) < 16_000


def test_python_sends_katex_when_it_is_asked():
    explorable, sent = FormulaExplorable(), []
    explorable.send = lambda content, buffers: sent.append((content, buffers))
    explorable._handle_custom_msg({"library": "other"}, [])
    assert sent == []
    explorable._handle_custom_msg({"library": "katex"}, [])
    assert sent[0][0] == {"library": "katex"} and b"ParseError" in sent[0][1][0]


# ---- what may not be confused differs in the example ----


def changed_by_exchange(label, one, other):
    """How far the function's result moves when two of its arguments of the same shape are exchanged, at most."""
    function = checks_of(label)[0].target
    names = list(signature(function).parameters)
    apart = []
    for call in OFFERS[label].calls():
        arguments = dict(zip(names, call, strict=False))
        if np.shape(arguments[one]) != np.shape(arguments[other]):
            continue
        swapped = arguments | {one: arguments[other], other: arguments[one]}
        results = [function(**some) for some in (arguments, swapped)]
        flat = [np.concatenate([np.ravel(part) for part in (r if isinstance(r, tuple) else (r,))]) for r in results]  # fmt: skip
        apart.append(np.abs(flat[0] - flat[1]).max())
    return max(apart, default=np.inf)


def arguments_of(label):
    names = list(signature(checks_of(label)[0].target).parameters)
    return [name for name, value in zip(names, OFFERS[label].calls()[0], strict=False) if np.ndim(value)]  # fmt: skip


EXCHANGES = [(label, *pair) for label in OFFERS for pair in combinations(arguments_of(label), 2)]  # fmt: skip


@pytest.mark.parametrize(("label", "one", "other"), EXCHANGES)
def test_two_arguments_exchanged_give_other_numbers(label, one, other):
    assert changed_by_exchange(label, one, other) > 0.01


@pytest.mark.parametrize("label", OFFERS)
def test_no_two_sizes_of_an_example_are_alike(label):
    found = {**example(label)["common"], **example(label)["cases"][0]["given"]}
    sizes = {name: found[name] for name in ("n", "m", "d_k", "d_v", "d_model") if name in found}  # fmt: skip
    assert len(set(sizes.values())) == len(sizes), sizes
