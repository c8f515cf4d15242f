"""The home page's first screen: the model goes on in whole words, attention breaks, and nothing is fetched unasked."""

import re

import numpy as np
import pytest
from conftest import ROOT
from live_pages import EMPTY, open_file, said, settle

from transformer_math.checks.attention.scaled_dot_product import mask_ignored
from transformer_math.explorables import BreakingExplorable, ContinuationExplorable
from transformer_math.explorables.attention import breaking
from transformer_math.explorables.model.continuation import MOST_READ
from transformer_math.formulas.engine import Engine
from transformer_math.formulas.shipped import printed, shipped

HOME = ROOT / "_build" / "html" / "book" / "index.html"
LAPTOP = {"viewport": {"width": 1366, "height": 768}}
TEXTS = [
    "My original opinion remains unchanged; but it is only an",
    "The great wh",  # an unfinished word
    "the United",  # a finished one of two tokens
    "My original opinion remains unchanged",
    "I think it’s a “naïve”\n\tidea 🚀",
    "x",
    "It was the whiteness of the whale that above all things appalled me. But how can I hope to explain myself here; and "
    "yet, in some dim, random way, explain myself I must, else all these chapters might be naught. "
    * 2,
    "The whale é",  # its bytes are drawn one by one
    "é",
]


@pytest.fixture
def live(show):
    """A continuation that has been touched, its field, and what it shows when it has written."""
    page = show("continuation")
    page.locator(".explorable-still textarea:enabled").press("End")
    page.keyboard.type("x")
    page.locator(".explorable-live textarea").wait_for()
    return page


WRITTEN = """([text, draw]) => {
  const shown = (part) => document.querySelector(part).textContent;
  const asked = (text === null || shown(".xp-shade span") === text) && (draw === null || shown("caption").endsWith(` ${draw}`));
  return asked && /It goes on|Type a/.test(shown(".xp-says"));
}"""


def goes_on(page, text=None, draw=None):
    """The ghost after the text, once it has been written."""
    if text is not None:
        page.locator(".explorable-live textarea").fill(text)
    page.wait_for_function(WRITTEN, arg=[text, draw])
    return page.locator(".xp-ghost b").text_content()


@pytest.mark.parametrize("text", TEXTS)
def test_the_page_writes_what_python_writes(live, text):
    for again in (2, 3):
        wanted = ContinuationExplorable(text=text, again=again)
        assert goes_on(live, text, again) == wanted.ghost
        names = live.locator(".xp-likely th:visible").all_text_contents()
        assert names == [word for word, _ in wanted.words]
        live.get_by_role("button", name="Again").click()


@pytest.mark.parametrize(
    "text", [*TEXTS[:1], *TEXTS[2:4], "And God said,", "I would prefer not"]
)
def test_a_space_at_the_end_does_no_harm(text):
    bare, spaced = (ContinuationExplorable(text=text + end) for end in ("", "  "))
    assert bare.words == spaced.words
    assert bare.ghost.removeprefix(" ") == spaced.ghost


def test_an_unfinished_word_is_completed():
    for again in range(4):
        one = ContinuationExplorable(text="Call me Ish", again=again)
        assert one.ghost.startswith("mael")
        assert all(re.fullmatch(r"\S+", word) for word, _ in one.words)


def test_keys_take_it_hide_it_and_let_go(live):
    text = TEXTS[0]
    field = live.locator(".explorable-live textarea")
    for key, end in (("Tab", ""), ("ArrowRight", ""), ("Enter", " ")):
        ghost = goes_on(live, text)
        goes_on(live, text + end)
        field.press("End")
        field.press(key)
        settle(live)
        assert field.input_value() == text + ghost  # and no second space
        assert field.evaluate("field => field === document.activeElement")
    goes_on(live, text)
    field.press("Escape")
    settle(live)
    assert live.locator(".xp-ghost b").text_content() == ""
    field.press("Tab")
    assert live.get_by_role("button", name="Take it").evaluate(
        "button => button === document.activeElement"
    )


def test_again_draws_other_words_and_an_empty_field_says_so(live):
    first = goes_on(live, TEXTS[0])
    live.get_by_role("button", name="Again").click()
    assert goes_on(live, TEXTS[0], 3) != first
    assert goes_on(live, "   ") == ""
    assert "Type a word" in live.locator(".xp-says").inner_text()


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("😀 😀", "“😀” and leaves it out"),
        ("Ω ж 😀 ж", "“Ω”, “ж” and “😀”, and leaves them out"),
        ("Ω ж 😀 δ", "“Ω”, “ж”, “😀” and others, and leaves them out"),
    ],
)
def test_signs_that_it_never_saw_are_named_once(live, typed, named):
    goes_on(live, f"old {typed}")
    assert f"It never saw {named}." in live.locator(".xp-says").inner_text()


def test_a_long_text_is_read_from_its_end_and_the_page_says_so(live):
    goes_on(live, TEXTS[6])
    said = live.locator(".xp-says").inner_text()
    read, typed = map(int, re.search(r"last (\d+) of your (\d+) tokens", said).groups())
    assert MOST_READ / 2 < read <= MOST_READ < typed


def test_the_still_picture_goes_on_already_and_fetches_nothing(
    browser, explorables_folder
):
    path = explorables_folder / "first_screen.html"
    path.write_text(EMPTY.format(body=ContinuationExplorable().html()), "utf-8")
    with open_file(browser, path) as (page, requests):
        page.wait_for_timeout(300)
        loaded = {url.rsplit("/", 1)[1] for url in requests}
        assert loaded == {"first_screen.html", "explorable.css", "host.js"}
        ghost = page.locator(".xp-ghost b").text_content()
        assert ghost == ContinuationExplorable().ghost
        page.get_by_role("button", name="Take it").click()
        page.locator(".explorable-live").wait_for()
        wanted = ContinuationExplorable().text + ghost
        page.wait_for_function(
            "text => document.querySelector('textarea').value === text", arg=wanted
        )


@pytest.mark.parametrize("version", list(breaking.VERSIONS))
def test_each_broken_formula_runs_to_the_weights_that_are_shown(show, version):
    """Its LaTeX, run by the engine of the build, is the wrong version's output; the page shows these signs and its verdict."""
    Q, K, V, M = breaking.head()
    given = {"Q": Q, "K": K, "V": V, "M": M.astype(float), "d_k": float(Q.shape[1])}
    tex = f"O = {breaking.VERSIONS[version].tex}"
    wanted = breaking.VERSIONS[version].function(Q, K, V, M)[0]
    sizes = {label: one["sizes"] for label, one in shipped().items()}
    with Engine(printed(), sizes) as engine:
        engine.prepare("eq-attention", [(given, {"O": wanted})])
        outcome = engine.run("eq-attention", tex)
    assert outcome.problem is None and outcome.worst < 1e-9
    page = show("breaking")
    label = breaking.VERSIONS[version].label
    page.get_by_role("radio", name=label).check()
    settle(page)
    signs = re.sub(
        r"\\(operatorname|left|right|!|sqrt|frac|top|odot)|[{}\s^_!]", "", tex
    )
    shown = page.locator(".xp-broken").text_content()
    assert sorted(re.sub(r"[\s⊤⊙]", "", shown)) == sorted(
        signs.removeprefix("O=").replace("\\ln", "ln")
    )
    assert said(page) == breaking.outcomes()[version]["says"]


def test_the_verdicts_are_those_of_the_checks():
    says = {name: one["says"] for name, one in breaking.outcomes().items()}
    assert says["whole"].startswith("✓ Accepted")
    assert len(set(says.values())) == 4
    for name, words in (
        ("scale", "You forget to divide the scores by √dₖ."),
        ("mask", breaking.rejecting(mask_ignored)[1]),
        ("late", "your weights no longer sum to 1"),
    ):
        assert says[name].startswith("✗ Rejected") and words in says[name]
        assert not np.allclose(breaking.weights(name), breaking.weights("whole"))
    assert BreakingExplorable(version="mask").weights[0, 1:].sum() > 0.1


@pytest.mark.skipif(not HOME.exists(), reason="there is no built book")
def test_both_figures_stand_on_a_laptops_first_screen(browser):
    page, requests = browser.new_page(**LAPTOP), []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(HOME.as_uri())
    page.locator(".xp-broken").wait_for()
    page.get_by_role("radio", name="No mask").check()
    page.locator(".explorable-still textarea:enabled").press("End")
    page.keyboard.type(" idea")
    goes_on(page)
    for part in (
        ".xp-continued",
        ".xp-broken ~ .xp-heat",
        ".xp-says >> nth=0",
        ".xp-says >> nth=1",
    ):
        box = page.locator(part).bounding_box()
        assert box["y"] > 0 and box["y"] + box["height"] <= 768, part
    assert page.evaluate("scrollY") == 0
    left, right = (f.bounding_box() for f in page.locator("figure.explorable").all())
    assert left["x"] + left["width"] < right["x"]
    assert all(re.match("file:|blob:|data:", url) for url in requests)
    page.close()
