"""Exercises answer in the page: the right answer and each mistake of every question of the book is given, and its verdict read."""

import re
from functools import cache

import numpy as np
import pytest
from conftest import ROOT, reload_as_a_person
from contents import chapters
from execution import cache_folder
from jupyter_cache import get_cache
from playwright.sync_api import expect

from transformer_math.plots import (
    ask,
    choose,
    estimate,
    only,
    predict,
    sketch,
    together,
)
from transformer_math.plots.canonical import canonical, points
from transformer_math.plots.hidden import mark, unveil, veil
from transformer_math.plots.questions import TYPED

HTML = ROOT / "_build" / "html"
STATIC = ROOT / "book" / "_static"


# What was typed.


@pytest.fixture(scope="module")
def reader(browser):
    """A page that holds the reader of what is typed, and nothing else."""
    page = browser.new_page()
    page.add_script_tag(path=STATIC / "typed_answers.js")
    yield lambda call, *given: page.evaluate(f"(given) => {call}", given)
    page.close()


TYPED_NUMBERS = {
    "1/3": 1 / 3,
    "0,5": 0.5,
    "0,333": 0.333,
    "1,050,624": 1050624,
    "50 257": 50257,
    "1e-3": 0.001,
    "−2": -2,
    "2·3": 6,
    "2 × 3": 6,
    "2*3": 6,
    "√2": np.sqrt(2),
    "3√2": 3 * np.sqrt(2),
    r"\sqrt{2}": np.sqrt(2),
    "(√5 − 1)/2": (np.sqrt(5) - 1) / 2,
    "ln 9": np.log(9),
    "-ln9": -np.log(9),
    "log2 8": 3,
    "5²": 25,
    "2^10": 1024,
    "2**-1": 0.5,
    "-2^2": -4,
    "10⁻³": 0.001,
    "½": 0.5,
    "2π": 2 * np.pi,
    "53 %": 0.53,
    "x = 4": 4,
    "≈ 7": 7,
    "e^2": np.e**2,
    "6·28·2^20": 6 * 28 * 2**20,
    "(1+2)(3+4)": 21,
    "1.050.624": 1050624,
    r"\frac{3(3+1)}{2}": 6,
    r"2 \cdot \left(1 + 2\right)": 6,
    "13⅓": 40 / 3,
    "13 1/3": 40 / 3,
    r"13\frac13": 40 / 3,
    "1⅛": 1.125,
    "2 ⅜": 2.375,
    "−1½": -1.5,
    "-1 1/2": -1.5,
    "1,234½": 1234.5,
    "3·1 1/2": 4.5,
    "2^1½": 2**1.5,
    "3(1/2)": 1.5,
    "1/2 3/4": 3 / 8,
    "1/2 3": 1.5,
    "2.5 1/2": 1.25,
    r"\frac12": 0.5,
    r"\frac1{2}": 0.5,
    r"\frac{1}23": 1.5,
    r"\frac12\sqrt2": np.sqrt(2) / 2,
    r"\tfrac12 3": 1.5,
    r"\dfrac{\sqrt{2}}{2}": np.sqrt(2) / 2,
    "log_2 4": 2,
    "log₂ 4": 2,
    r"\log_2 4": 2,
    r"\log_{10} 100": 2,
    "log_e 9": np.log(9),
    "1_050_624": 1050624,
    "1{,}050{,}624": 1050624,
    r"1\,050\,624": 1050624,
}


@pytest.mark.parametrize("text", TYPED_NUMBERS)
def test_a_number_is_read_as_people_write_it(reader, text):
    value = reader("typedAnswers.evaluate(given[0])", text)
    assert np.isclose(value, TYPED_NUMBERS[text], rtol=1e-12)


@pytest.mark.parametrize("text", ["2**", "(1", "1)", "foo", "1/", "0/0", "1 2 +", "€"])
def test_what_is_no_number_is_refused_in_words(reader, text):
    say = "{ try { return String(typedAnswers.evaluate(given[0])) } catch (e) { return e.message } }"
    assert re.search(r"[a-z]{4}", reader(say, text))


def forms(reader, text, /, **question):
    return reader("typedAnswers.forms(given[0], given[1])", text, question)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("176 million", 176e6),
        ("1.5 billion parameters", 1.5e9),
        ("60 thousand", 60e3),
        ("60k", 60e3),
        ("176M", 176e6),
        ("1.5 B", 1.5e9),
        ("1.5B", 1.5e9),
        ("1.5e9", 1.5e9),
        ("124M", 124e6),
        ("16 B", 16),
        ("three", 3),
        ("thirty-two", 32),
        ("Five hundred and twelve", 512),
        ("one hundred twenty eight thousand", 128_000),
        ("Two million", 2e6),
        ("2,197", 2.197),
        ("2,197", 2197),
        ("50 percent", 0.5),
        ("fifty percent", 0.5),
        ("33 per cent of the tokens", 0.33),
        ("two thirds", 2 / 3),
        ("two-thirds of the tokens", 2 / 3),
        ("2 thirds", 2 / 3),
        ("three quarters", 0.75),
        ("a half", 0.5),
        ("one half", 0.5),
        ("half", 0.5),
        ("three halves", 1.5),
        ("one and a half", 1.5),
        ("twenty and a half", 20.5),
        ("minus two", -2),
        ("minus two thirds", -2 / 3),
        ("three bits", 3),
        ("six thousand tokens", 6000),
        ("5x5", 25),
        ("1.8 x 10^8", 1.8e8),
        ("12 1/3 bits", 37 / 3),
    ],
)
def test_a_number_is_read_with_its_words_and_in_each_of_its_meanings(
    reader, text, value
):
    assert canonical(value) in forms(reader, text, kind="number", count=1)


@pytest.mark.parametrize(
    ("text", "value"),
    [("13 1/2", 40 / 3), ("2⅔", 4 / 3), ("0.5 percent", 0.5), ("2 thirds", 2)],
)
def test_no_word_and_no_part_is_left_out(reader, text, value):
    assert canonical(value) not in forms(reader, text, kind="number", count=1)


BITS, BYTES, PIXELS = "Bits a second:", "How many bytes?", "And the pixels?"


@pytest.mark.parametrize(
    ("text", "asking", "value"),
    [
        ("6 kbit", BITS, 6000),
        ("6 kbps", BITS, 6000),
        ("6 Kilobits per second", BITS, 6000),
        ("6000 bits/s", BITS, 6000),
        ("6000 kilobit", BITS, 6e6),
        ("6 kbit", PIXELS, 6000),
        ("48 kibit", PIXELS, 48 * 1024),
        ("6 megabytes", BYTES, 6e6),
        ("16 B", BYTES, 16),
    ],
)
def test_the_prefix_of_a_unit_scales(reader, text, asking, value):
    question = {"kind": "number", "count": 1, "text": asking}
    assert forms(reader, text, **question)[0] == canonical(value)


@pytest.mark.parametrize(
    ("text", "asking", "said"),
    [
        ("6000 megabytes", BITS, "write the number alone, in bits"),
        ("6000 bytes a second", BITS, "write the number alone, in bits"),
        ("6000 B", BITS, "write the number alone, in bits"),
        ("6000 bits", BYTES, "write the number alone, in bytes"),
        ("6000 megabytes", PIXELS, "write the number alone"),
        ("16 kB", PIXELS, "write the number alone"),
    ],
)
def test_bytes_are_no_bits(reader, text, asking, said):
    say = "{ try { return typedAnswers.forms(given[0], given[1]) } catch (e) { return e.message } }"
    assert reader(say, text, {"kind": "number", "count": 1, "text": asking}) == said


def test_the_unit_is_that_of_the_question(browser, tmp_path):
    question = ask(BITS, 6000, (750, "Those are bytes."))._repr_html_()
    page = tmp_path / "question.html"
    script = (STATIC / "questions.js").as_uri()
    page.write_text(
        f'<meta charset="utf-8"><div class="exercise" id="one">{question}</div><script src="{script}"></script>',
        "utf-8",
    )
    tab = browser.new_page()
    tab.goto(page.as_uri())
    for text, said in {
        "6000 B": "I cannot read this: write the number alone, in bits.",
        "6 kbit": "Right.",
    }.items():
        tab.locator("input").fill(text)
        tab.locator("input").press("Enter")
        expect(tab.locator("[role=status]")).to_have_text(said)
    tab.close()


def test_a_width_may_carry_its_index(reader):
    question = {"kind": "formula", "letters": ["d"], "points": list(points(1))}
    for text in (
        "12 d_model",
        r"12 d_\text{model}",
        "12 d_{model}",
        r"12\,d_{\text{model}}",
    ):
        assert forms(reader, text, **question)[0] == canonical(lambda d: 12 * d)


JUDGED = [
    (1 / 3, 2, {"0.33": "+", "0.333": "+", "0.32": None, "0.34": None, "0.3": "~"}),
    (60170.3, 2, {"60000": "+", "59000": None, "61000": None}),
    (1.209e24, 2, {"1.2e24": "+", "1.1e24": None, "1.3e24": None}),
    (2.19722, None, {"2.20": "+", "2.19": "+", "2.197": "+", "2.18": None}),
    (2 / 3, None, {"0.67": "~", "0.666": "+", "0.667": "+", "0.668": None}),
    (8 / 9, None, {"0.89": "~", "0.888": "+", "0.889": "+", "0.890": None}),
    (0.124496, None, {"0.1245": "+", "0.124": "+", "0.125": None}),
]


@pytest.mark.parametrize(("value", "digits", "all_"), JUDGED)
def test_a_right_rounding_is_right_and_its_neighbours_are_not(
    reader, value, digits, all_
):
    data = ask("How much?", value, (-1, "No."), digits=digits).data
    for text, due in all_.items():
        wanted = {key: data[key] for key in ("kind", "count", "digits") if key in data}
        keys = [f"{data['salt']}|{form}" for form in forms(reader, text, **wanted)]
        said = [unveil(data["replies"][mark(key)], key) for key in keys if mark(key) in data["replies"]]  # fmt: skip
        assert (said[0][0] if said else None) == due, text


def test_long_numbers_are_written_out():
    data = ask("How many?", 60170.3, (1, "No.")).data
    key = f"{data['salt']}|{canonical(60170.3)}"
    assert unveil(data["replies"][mark(key)], key) == "+It is 60\u202f170. "


NUMBERS = [0, 1, -3, 24, 1050624, 1 / 3, -0.5, 2.19722, 1e-9, 6.02e23, 0.99999]


@pytest.mark.parametrize("digits", [None, 2, 5])
@pytest.mark.parametrize("value", NUMBERS)
def test_page_and_build_agree_on_the_form_of_a_number(reader, value, digits):
    question = {"kind": "number", "count": 1} | ({"digits": digits} if digits else {})
    forms = reader("typedAnswers.forms(given[0], given[1])", repr(value), question)
    assert canonical(value, digits) in forms[:2]


@pytest.mark.parametrize(
    "text",
    [
        "3, 2",
        "(3, 2)",
        "3 × 2",
        "3x2",
        "[3 2]",
        "3;2",
        "3 by 2",
        r"3 \times 2",
        "3 and 2",
        "3 → 2",
    ],
)
def test_a_shape_is_read_as_people_write_it(reader, text):
    question = {"kind": "numbers", "count": 2}
    assert (
        reader("typedAnswers.forms(given[0], given[1])", text, question)[0]
        == canonical((3, 2))
        == "3,2"
    )


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("4, 8, 16 and 32", (4, 8, 16, 32)),
        ("4, 8, 16, and 32", (4, 8, 16, 32)),
        ("one and a half, 3", (1.5, 3)),
        ("1 1/2, -1/2", (1.5, -0.5)),
        ("1 1/2 -1/2", (1, 0.5, -0.5)),
        ("2,144, 704, 704, 2,144", (2144, 704, 704, 2144)),
        ("0,5, -0,5", (0.5, -0.5)),
    ],
)
def test_a_list_is_cut_into_as_many_numbers_as_are_wanted(reader, text, values):
    question = {"kind": "numbers", "count": len(values)}
    assert forms(reader, text, **question)[0] == canonical(values)


def test_a_matrix_is_read_row_by_row(reader):
    question = {"kind": "numbers", "count": 4}
    forms = reader("typedAnswers.forms(given[0], given[1])", "[[1, 0], [0, 1/2]]", question)  # fmt: skip
    assert forms[0] == canonical([[1, 0], [0, 0.5]])


@pytest.mark.parametrize(
    ("text", "count", "found"), [("4 2 2", 2, 3), ("4 2", 3, 2), ("4 2 2", 4, 3)]
)
def test_numbers_with_spaces_are_counted(reader, text, count, found):
    say = "{ try { return typedAnswers.forms(given[0], given[1]) } catch (e) { return e.message } }"
    said = reader(say, text, {"kind": "numbers", "count": count})
    assert said == f"{count} numbers are wanted, and {found} are here"


@pytest.mark.parametrize(
    "text",
    [
        "third",
        "twenty-third",
        "2 third",
        "eleventy",
        "and two",
        "two three",
        "two 3",
        "two million three",
        "6 hundred",
        "6 dozen",
        "3 megatokens",
        "ten five",
        "two hundred hundred hundred",
        "zero one",
    ],
)
def test_a_number_word_is_no_beginning_of_another(reader, text):
    say = "{ try { return typedAnswers.forms(given[0], given[1]) } catch (e) { return e.message } }"
    assert isinstance(reader(say, text, {"kind": "number", "count": 1}), str)


@pytest.mark.parametrize("text", ["2wn - w(w+1)", "2*n*w − w² − w", "w(2n − (w + 1))"])
def test_a_formula_is_known_however_it_is_written(reader, text):
    question = {"kind": "formula", "letters": ["n", "w"], "points": list(points(2))}
    form = reader("typedAnswers.forms(given[0], given[1])", text, question)[0]
    assert form == canonical(lambda n, w: 2 * w * n - w * (w + 1))


@pytest.mark.parametrize(
    "text", [r"\frac12 n(n+1)", r"\tfrac{n(n+1)}{2}", r"\dfrac n2(n+1)", r"½\,n(n+1)"]
)
def test_a_fraction_in_a_formula_ends_where_it_ends_in_tex(reader, text):
    question = {"kind": "formula", "letters": ["n"], "points": list(points(1))}
    assert forms(reader, text, **question)[0] == canonical(lambda n: n * (n + 1) / 2)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("“ea”, sea", "ea sea"),
        ("ea and sea", "ea sea"),
        ("ea → sea", "ea sea"),
        ("ea, then sea.", "ea sea"),
        ("ea + sea", "ea sea"),
        ("and and sea", "and and sea"),
        ("U+20AC.", "U+20AC"),
        ("U+ 20AC", "U+20AC"),
    ],
)
def test_words_are_known_by_what_stands_between_them(reader, text, wanted):
    assert canonical(wanted) in forms(reader, text, kind="words")


def test_a_code_point_is_not_its_digits(reader):
    assert canonical("U+20AC") not in forms(reader, "20AC", kind="words")


# What an author writes.


def test_what_cannot_be_told_apart_is_refused():
    with pytest.raises(ValueError, match="two of the answer and the mistakes are 3"):
        ask("How many?", 3, (3.0, "That is the answer."))
    with pytest.raises(ValueError, match="mistakes are 333e-3"):
        ask("How much?", 0.5, (1 / 3, "One way."), (0.3333, "Another way."))
    with pytest.raises(ValueError, match="two of the answer"):
        ask("Which?", lambda n: 2 * n, (lambda n: n + n, "The same."))
    with pytest.raises(ValueError, match="knows no mistake"):
        ask("How many?", 3)


def test_an_answer_that_is_not_offered_is_refused():
    with pytest.raises(ValueError, match="none of"):
        choose("Which?", "c", ("a", "No."), ("b", "No."))
    with pytest.raises(ValueError, match="all different"):
        predict("Which?", "a", ("a", "Yes."), ("a", "No."))
    with pytest.raises(ValueError, match=r"0 options fit.*repaired"):
        only([])
    with pytest.raises(ValueError, match="2 options fit"):
        only([1, 1])
    with pytest.raises(ValueError, match="longer slider"):
        estimate("How many?", 11, 0, 10)


def test_a_curve_that_cannot_be_drawn_is_refused():
    xs = range(5)
    with pytest.raises(ValueError, match="one value for each place"):
        sketch("Draw.", xs, [1, 2], 0, 10)
    with pytest.raises(ValueError, match="a higher picture"):
        sketch("Draw.", xs, [1, 2, 3, 4, 11], 0, 10)
    with pytest.raises(ValueError, match="a level line"):
        sketch("Draw.", xs, [5, 5, 5, 5, 5.5], 0, 10)


def test_nothing_that_is_said_stands_in_the_page_in_the_open():
    question = ask("How much?", 2.1972, (9.25, "Take the logarithm."), because="Since")
    html = question._repr_html_()
    assert "How much?" in html
    assert not any(text in html for text in ("2.197", "9.25", "logarithm", "Since"))
    assert unveil(veil("Take √2", "words"), "words") == "Take √2"


def test_neighbours_have_other_marks():
    assert len({mark(str(n)) for n in range(10_000)}) == 10_000


def test_several_questions_come_from_one_cell():
    two = together(
        choose("A?", True, (True, "a"), (False, "b")), ask("B?", 1, (2, "c"))
    )
    assert two._repr_html_().count('class="question ') == 2
    assert [len(typed) for typed in two._repr_mimebundle_()[TYPED]] == [2, 2]


# Every question of the book.


@cache
def typed() -> dict[str, list]:
    """By chapter, in the order of the page: for each question what is given, and the verdict to come."""
    found = {}
    cache = get_cache(cache_folder())
    for record in cache.list_cache_records():
        outputs = [
            output.data[TYPED]
            for cell in cache.get_cache_bundle(record.pk).nb.cells
            for output in cell.get("outputs", [])
            if TYPED in output.get("data", {})
        ]
        if outputs:
            found[record.uri] = [question for cell in outputs for question in cell]
    return found


ASKS = re.compile(r"^ *(?:together|ask|choose|predict|estimate|sketch)\(", re.MULTILINE)
ASKING = [
    page.relative_to(ROOT).as_posix()
    for page in chapters()
    if ASKS.search(page.read_text("utf-8"))
]

ANSWER = """
async ([i, given]) => {
  const draw = (field, { points, last, range: [low, high] }, ys) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    field.setPointerCapture = () => {};  // of a pointer that no hand holds
    const place = (k) => [left + (width * points[k][0]) / last, top + (height * (high - ys[k])) / (high - low)];
    const at = (type, k) => {
      const [clientX, clientY] = place(k);
      field.dispatchEvent(new PointerEvent(type, { clientX, clientY, cancelable: true, pointerId: 1 }));
    };
    at("pointerdown", 0);
    points.forEach((_, k) => at("pointermove", k));
    at("pointerup", points.length - 1);
  };
  const node = document.querySelectorAll(".question")[i];
  const form = node.querySelector("form");
  if (node.matches(".sketch")) draw(node.querySelector(".sketch-field"), JSON.parse(node.dataset.question), given);
  const field = form.querySelector("input:not([type=radio])");
  if (field) field.value = given;
  else if (!node.matches(".sketch")) form.querySelectorAll("input")[given].checked = true;
  const says = node.querySelector(".question-says");
  says.className = "";
  form.requestSubmit();
  for (let turn = 0; turn < 200 && !says.className; turn++) await new Promise((done) => setTimeout(done, 5));
  return [says.className.split(" ").at(-1), says.innerText];
}
"""


def as_typed(given, data: dict):
    """What a test types: for a formula a polynomial that has its values at the points where the page looks."""
    if data["kind"] != "formula":
        return given
    x = [point[0] for point in data["points"]]
    c = np.linalg.solve(np.vander(x, increasing=True), given).tolist()
    letter = data["letters"][0]
    return f"({c[0]!r}) + ({c[1]!r})*{letter} + ({c[2]!r})*{letter}^2"


AS_THEY_CAME = """
document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;
  window.questions = [...document.querySelectorAll(".question")].map((node) => node.cloneNode(true));
});
"""
ANEW = """
() => new Promise((done) => {
  localStorage.clear();
  document.querySelectorAll(".question").forEach((node, i) => node.replaceWith(window.questions[i].cloneNode(true)));
  const script = document.createElement("script");
  script.onload = done;
  script.src = document.querySelector("script[src*='questions.js']").src;
  document.head.append(script);
})
"""


def opened(context, page):
    tab = context.new_page()
    address = (HTML / page).with_suffix(".html").as_uri()
    tab.goto(address, wait_until="domcontentloaded")  # its scripts have run
    return tab


@pytest.fixture
def context(browser):
    """A window that remembers nothing from before."""
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    yield context
    context.close()


ONCE = ("prediction", "sketch")


def due_now(answers: list, kind: str, turn: int) -> list:
    """What a question is given when a page is opened for the `turn`-th time: a prediction is made once, all else is tried anew."""
    if kind in ONCE:
        return answers[turn : turn + 1]
    return [] if turn else sorted(answers, key=lambda answer: answer[0] == "right")


def verdicts(tab, turn: int, questions: list) -> list[str]:
    """Give the questions of a page their answers, and say which verdict is not the one that was due."""
    faults = []
    data = tab.locator(".question").evaluate_all("all => all.map(e => JSON.parse(e.dataset.question))")  # fmt: skip
    for i, answers in enumerate(questions):
        for due, given in due_now(answers, data[i]["kind"], turn):
            name, text = tab.evaluate(ANSWER, [i, as_typed(given, data[i])])
            reason = re.sub(r"^(?:No\.|Right\.)\s*", "", text)
            if name != due and data[i]["kind"] != "estimate":
                faults.append(f"{i}: {given}: {name}, not {due}: {text}")
            elif due == "wrong" and len(reason) < 8:
                faults.append(f"{i}: {given}: no reason: {text}")
    return faults


@pytest.mark.parametrize("page", ASKING)
def test_every_answer_and_every_mistake_gets_its_verdict(page, context):
    """For each further turn the questions are put back as they came, and their script runs once more."""
    questions = typed()[page]
    again = re.search(r"\b(?:predict|sketch)\(", (ROOT / page).read_text("utf-8"))
    context.add_init_script(AS_THEY_CAME)
    tab = opened(context, page)
    for turn in range(max(map(len, questions)) if again else 1):
        if turn:
            tab.evaluate(ANEW)
        assert tab.locator(".exercise .question").count() == len(questions)
        assert verdicts(tab, turn, questions) == []
    tab.close()


def test_every_exercise_with_pencil_or_prediction_is_asked():
    assert len(ASKING) >= 60
    assert set(typed()) >= set(ASKING)


# One page, by hand.

PAGE = "book/attention/scaled_dot_product.md"


def test_the_keyboard_answers_and_the_verdict_is_read_out(context):
    tab = opened(context, PAGE)
    field = tab.locator("#ex-two-scores input")
    status = tab.locator("#ex-two-scores [role=status]")
    for text, said in {
        "ln 9": "Right. It is 2.197.",
        "2": "Rounded too far",
        "9": "No. That is the ratio",
        "77": "No.",
        "ln(": "I cannot read this",
        "": "The field is empty.",
    }.items():
        field.fill(text)
        field.press("Enter")
        status.filter(has_text=said).wait_for(timeout=2000)
    tab.close()


def test_a_solution_waits_for_the_prediction_and_what_was_right_is_remembered(context):
    tab = opened(context, PAGE)
    tab.evaluate(
        "document.addEventListener('exercise:done', (e) => (window.finished = e.detail.exercise))"
    )
    solution = tab.locator("#ex-equal-keys ~ details.solution").first
    solution.locator("summary").click()
    assert not solution.evaluate("e => e.open")
    for question in tab.locator("#ex-equal-keys .question").all():
        assert tab.evaluate("window.finished") is None
        question.locator("input").first.check()
        question.locator("button").click()
    assert tab.evaluate("window.finished") == "ex-equal-keys"
    solution.locator("summary").click()
    assert solution.evaluate("e => e.open")
    reload_as_a_person(tab)
    assert tab.locator("#ex-equal-keys .question.done").count() == 2
    assert "What happens" in tab.locator("#ex-equal-keys").inner_text()
    tab.close()


def test_a_guess_and_the_result_stand_on_one_scale(context):
    tab = opened(context, "book/tokenization/vocabulary_size.md")
    question = tab.locator(".question.estimate").first
    slider = question.locator("input")
    slider.press("End")
    assert question.locator("output").inner_text() == "100\u00a0%"
    question.locator("button").click()
    guess, truth = (
        question.locator(f".question-scale .{name}").bounding_box()
        for name in ("guess", "truth")
    )
    assert truth["x"] + truth["width"] < guess["x"] + guess["width"]
    assert (
        "You said 100\u00a0%; it is" in question.locator("[role=status]").inner_text()
    )
    tab.close()


EXERCISE = """<meta charset="utf-8"><div class="exercise" id="one">{}</div>
<div class="cell"><div class="cell_output"><div class="grade wrong">✗</div></div></div>
<details class="solution"><summary>Solution</summary></details><script src="{}"></script>"""


@pytest.fixture
def faulty(browser, tmp_path):
    """An exercise with a faulty function behind it, whose box holds what is given."""
    pages = []

    def opened(asked: str):
        (page := tmp_path / "exercise.html").write_text(
            EXERCISE.format(asked, (STATIC / "questions.js").as_uri()), "utf-8"
        )
        pages.append(tab := browser.new_page())
        tab.goto(page.as_uri())
        return tab, tab.locator(".grade.wrong")

    yield opened
    for tab in pages:
        tab.close()


def test_the_checks_speak_after_the_reader_has(faulty):
    tab, verdict = faulty("<p>Repair it.</p>")
    button = tab.get_by_role("button", name="See what the checks say")
    button.click()
    expect(verdict).to_be_hidden()
    tab.get_by_role("textbox").fill("an <i>odd</i> number")
    tab.get_by_role("textbox").press("Enter")
    expect(verdict).to_be_visible()
    expect(tab.get_by_role("status").filter(has_text="You")).to_have_text(
        "You said: an <i>odd</i> number. The checks:"
    )


BROKEN = choose("Which breaks it?", 3, (2, "It does not."), (3, "It does."))
WAITS = "The verdict of the checks opens when you have answered."


@pytest.mark.parametrize("given", [2, 3])
def test_where_a_break_is_asked_for_the_checks_speak_after_any_answer(faulty, given):
    tab, verdict = faulty(BROKEN._repr_html_())
    expect(tab.get_by_text(WAITS)).to_be_visible()
    assert tab.get_by_role("textbox").count() == 0
    tab.get_by_role("button", name="Check").click()
    expect(verdict).to_be_hidden()
    tab.get_by_role("radio", name=str(given)).check()
    expect(verdict).to_be_hidden()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("status")).to_contain_text("It does")
    expect(verdict).to_be_visible()
    expect(tab.get_by_text(WAITS)).to_have_count(0)
    tab.reload()
    assert verdict.is_visible() == (given == 3)  # what was right is remembered


CURVE = "book/output/probabilities.md"


def test_a_curve_is_drawn_by_keyboard_and_both_are_seen(context):
    tab = opened(context, CURVE)
    question = tab.locator(".question.sketch")
    points = question.get_by_role("slider")
    status = question.locator("[role=status]")
    question.locator("button").click()
    expect(status).to_have_text("Draw what you expect first.")
    points.first.focus()
    tab.keyboard.press("End")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("PageUp")
    tab.keyboard.press("ArrowUp")
    expect(points.nth(0)).to_have_attribute("aria-valuetext", "largest probability 1")
    expect(points.nth(1)).to_have_attribute(
        "aria-valuetext", "largest probability 0.62"
    )
    expect(points.nth(1)).to_be_focused()
    assert not question.locator("polyline.truth").get_attribute("points")
    question.locator("button").click()
    assert len(question.locator("polyline.truth").get_attribute("points").split()) == 41
    expect(status).to_contain_text("your curve is")
    expect(status).to_contain_text("farthest at temperature 0.")
    reload_as_a_person(tab)
    expect(points.nth(1)).to_have_attribute(
        "aria-valuetext", "largest probability 0.62"
    )
    assert question.locator("button").count() == 0
    tab.close()


def test_the_distance_of_a_drawn_curve_is_that_of_its_points(context):
    """Every point drawn a tenth of the range too low: the sentence says so much, and which way."""
    (_, right), _ = typed()[CURVE][drawn_at(CURVE)]
    tab = opened(context, CURVE)
    i = tab.locator(".question").evaluate_all(
        "all => all.findIndex((one) => one.matches('.sketch'))"
    )
    low = [y - 0.1 for y in right]
    verdict, text = tab.evaluate(ANSWER, [i, low])
    assert verdict == "wrong" and text.startswith("The curve lies higher.")
    assert "your curve is 0.1 off on average" in text
    tab.close()


def drawn_at(page) -> int:
    """The place of a page's curve among its questions."""
    return next(
        i for i, answers in enumerate(typed()[page]) if isinstance(answers[0][1], list)
    )


def test_what_was_given_to_another_question_does_no_harm(context):
    tab = opened(context, PAGE)
    for given in ({"0": 99, "1": 0}, {"0": {}, "7": None}):
        tab.evaluate(
            "(given) => localStorage.setItem('exercise:ex-equal-keys', JSON.stringify({ given }))",
            given,
        )
        tab.reload()
        expect(tab.locator("#ex-two-scores form")).to_be_visible()
        assert tab.locator("#ex-equal-keys .question form").count() == 2
    tab.close()


@pytest.mark.parametrize("page", chapters(), ids="{0.stem}".format)
def test_exercises_are_numbered_on_each_page(page):
    html = (HTML / page.relative_to(ROOT)).with_suffix(".html").read_text("utf-8")
    numbers = re.findall(r'caption-number">Exercise (\d+) ', html)
    assert numbers == [str(i) for i in range(1, len(numbers) + 1)]
    assert len(numbers) >= 3


def test_what_listens_weighs_little():
    import gzip

    files = [STATIC / name for name in ("questions.js", "questions.css")]
    assert sum(len(gzip.compress(f.read_bytes(), 9)) for f in files) < 6000


def test_what_draws_a_curve_weighs_little_and_is_on_its_pages_alone():
    import gzip

    files = [STATIC / name for name in ("sketch.js", "sketch.css")]
    assert sum(len(gzip.compress(f.read_bytes(), 9)) for f in files) < 4000
    for page in chapters():
        html = (HTML / page.relative_to(ROOT)).with_suffix(".html").read_text("utf-8")
        assert ("sketch.js" in html) == ('class="question sketch"' in html)
