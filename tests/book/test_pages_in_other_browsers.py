"""What moves on a built page, in Firefox and in WebKitGTK, opened from the folder: search, exercises, marks."""

import pytest
from conftest import ROOT
from windows import BROWSERS

HTML = ROOT / "_build" / "html"
SEARCH = HTML / "search.html"
CHAPTER = HTML / "book" / "attention" / "scaled_dot_product.html"
LAPTOP = {"width": 1366, "height": 768}
CENTRE = """(selector) => {
  const node = document.querySelector(selector);
  node.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
TEXT = "(selector) => document.querySelector(selector)?.textContent.trim() ?? ''"
FOCUS = "(selector) => document.querySelector(selector).focus()"


@pytest.fixture(scope="module", params=BROWSERS)
def window(request, windows):
    """A window of each of the browsers."""
    return windows(request.param)


@pytest.fixture(autouse=True)
def silent(window):
    """The browser complains of nothing, and asks no other host."""
    yield
    assert window.complaints() == []


@pytest.fixture
def chapter(window):
    """A chapter, all of it open, nothing remembered from before."""
    window.open(CHAPTER, **LAPTOP)
    window.evaluate("() => { localStorage.clear(); localStorage.reading = 'everything' }")  # fmt: skip
    window.open(CHAPTER, **LAPTOP)
    return window


def says(window, selector, words):
    """Wait until a part of the page says something."""
    window.wait(f"(selector, words) => ({TEXT})(selector).includes(words)", selector, words)  # fmt: skip


def click(window, selector):
    """Press the pointer in the middle of a part of the page."""
    window.click(*window.evaluate(CENTRE, selector))


def test_the_search_finds_from_a_folder(window):
    window.open(SEARCH, **LAPTOP)
    window.evaluate(FOCUS, "#find")
    window.press(*"rotary")
    says(window, "#found", "“rotary”")
    first = "() => document.querySelector('#results a')?.getAttribute('href')"
    assert window.wait(first).startswith("book/position/rope.html")
    assert window.wait(f"() => ({TEXT})('#results li mark')").lower() == "rotary"


def test_an_exercise_answers(chapter):
    field, status = (f"#ex-two-scores {part}" for part in ("input", "[role=status]"))
    click(chapter, field)
    chapter.press(*"9", "Enter")
    says(chapter, status, "No. That is the ratio")
    chapter.press("Backspace", *"ln 9", "Enter")
    says(chapter, status, "Right. It is 2.197.")


def test_what_is_done_is_remembered(chapter):
    button, status = (f"#ex-softmax {part}" for part in (".by-hand button", "[role=status]"))  # fmt: skip
    click(chapter, button)
    says(chapter, status, "Done.")
    chapter.open(CHAPTER, **LAPTOP)
    says(chapter, button, "Not done after all")
