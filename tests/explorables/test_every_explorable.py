"""What holds for every explorable: room, names, contrast, targets for fingers, a still picture, an answer to every input.

The tests of one explorable share its pages: one without scripts, one on a phone, one where it lives. They look first and
touch last.
"""

import re
import time

import numpy as np
import pytest
from colours import contrast, rgb
from conftest import opened_pages
from live_pages import CLASSES, NAMES, PHONE, look, settle
from playwright.sync_api import expect

from benchmarks.explorables import HTML, pages_of

HOW_FAR = re.compile(r"(?:first|last) \d+ |as many as fit|In sight")
# The first leaves a figure as much room as a page of the book does in a window of 360.
WIDTHS = (344, 390, 600, 700, 800, 1100)


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    """Each explorable in turn."""
    return request.param


@pytest.fixture(scope="module")
def visit(name, browser, explorables_folder):
    """Opens pages that are closed when the next explorable's turn comes."""
    yield from opened_pages(browser, explorables_folder)


@pytest.fixture(scope="module")
def asleep(name, visit):
    """Its page for a reader who allows no scripts."""
    return visit(name, java_script_enabled=False)


@pytest.fixture(scope="module")
def page(name, visit):
    """Its page, on which it lives."""
    page = visit(name)
    look(page)
    return page


@pytest.fixture
def figure(page):
    """The live figure, in a window of its first size."""
    page.set_viewport_size({"width": 800, "height": 1000})
    settle(page)
    return page.locator("figure.explorable")


def test_a_figure_is_silent_until_somebody_touches_it(name, page, figure):
    if CLASSES[name]().field() or CLASSES[name]().offer():
        pytest.skip("a touch wakes it")
    page.wait_for_timeout(800)
    assert figure.get_by_role("status").text_content() == ""


OWN_HEIGHT = """figure => {
  figure.style.minHeight = 0;
  const { height } = figure.getBoundingClientRect();
  figure.style.minHeight = "";
  return height;
}"""


def test_the_still_picture_takes_the_room_of_the_live_figure(asleep, page):
    for width in WIDTHS:
        for tab in (asleep, page):
            tab.set_viewport_size({"width": width, "height": 900})
        settle(page)
        still = asleep.locator(".explorable-room").bounding_box()["height"]
        room = page.locator(".explorable-room").bounding_box()["height"]
        live = page.locator("section.xp").evaluate(OWN_HEIGHT)
        assert room == pytest.approx(still, abs=1), width
        assert live > still - 20, f"at {width} the room is larger than the figure"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_control_has_a_name_that_begins_with_what_is_seen(name, figure):
    if name == "scaled_dot_product":
        figure.get_by_text("Edit the query’s").click()
    nameless = figure.evaluate(
        """figure => [...figure.querySelectorAll('input, select, button, [role=slider], [tabindex="0"]')]
          .filter(n => n.checkVisibility())
          .filter(n => !(n.labels?.[0]?.textContent ?? n.getAttribute('aria-label') ?? n.textContent).trim())
          .map(n => n.outerHTML)"""
    )
    assert nameless == []
    mismatch = figure.evaluate(
        """figure => [...figure.querySelectorAll('[aria-label]')]
          .filter(n => n.matches('button, [role=slider], [role=application]') && n.textContent.trim())
          .filter(n => !n.getAttribute('aria-label').includes(n.textContent.trim())).map(n => n.outerHTML)"""
    )
    assert mismatch == []


def test_without_scripts_a_still_picture_stands_in(name, asleep):
    picture = asleep.get_by_role("img")
    assert picture.is_visible() and picture.bounding_box()["height"] > 100
    assert picture.get_attribute("aria-label") == CLASSES[name]().description()
    assert asleep.get_by_text("still picture").is_visible()


# a drawing of which hardly a strip is left, since what it scrolls in is narrow
SQUEEZED = """root => [...root.querySelectorAll('canvas, svg, table')].filter(drawing => {
  if (!drawing.checkVisibility()) return false;
  const width = drawing.getBoundingClientRect().width;
  for (let node = drawing.parentElement; node !== root; node = node.parentElement)
    if (getComputedStyle(node).overflowX !== 'visible' && node.getBoundingClientRect().width < width / 3) return true;
  return false;
}).map(drawing => drawing.outerHTML.slice(0, 80))"""


def test_targets_on_a_phone_are_large_enough(name, visit):
    page = visit(name, **PHONE, reduced_motion="reduce")
    figure = look(page)
    if name == "scaled_dot_product":
        figure.get_by_text("Edit the query’s").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert figure.locator("section.xp").evaluate(SQUEEZED) == []
    small = figure.locator("section.xp").evaluate(
        "root => [...root.querySelectorAll('button, input, select, summary, label:has(input), .xp-hit')]"
        ".filter(n => n.checkVisibility() && !n.matches('.xp-toggle input, .xp-choice input'))"
        ".map(n => [n.outerHTML.slice(0, 80), n.getBoundingClientRect().height]).filter(([, height]) => height < 30)"
    )
    assert small == []


NEAR_ITS_FIELD = {"formula", "write", "continuation", "breaking"}

COVERED = """figure => {
  const says = figure.querySelector(".xp-says").getBoundingClientRect();
  const node = document.activeElement.getBoundingClientRect();
  return figure.contains(document.activeElement) && node.top < says.bottom - 1 && node.bottom > says.top + 1;
}"""


def test_on_a_narrow_screen_the_sentence_is_in_sight_and_covers_no_control_in_use(
    name, page
):
    if name in NEAR_ITS_FIELD:
        pytest.skip(
            "its sentence stands beside the field, or it is lower than a screen"
        )
    page.set_viewport_size({"width": 360, "height": 740})
    settle(page)
    figure = page.locator("figure.explorable")
    top, height = figure.evaluate(
        "node => { const at = node.getBoundingClientRect(); return [at.top + scrollY, at.height]; }"
    )
    for part in (0, 0.3, 0.6):
        page.evaluate("y => scrollTo(0, y)", top + part * height)
        box = figure.locator(".xp-says").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 740, part
    page.locator("#below").evaluate("node => { node.tabIndex = -1; node.focus(); }")
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        settle(page)
        assert not figure.evaluate(COVERED), page.evaluate(
            "document.activeElement.outerHTML"
        )


def test_words_have_enough_contrast_with_both_themes(page, figure):
    for theme, background in (("light", "#ffffff"), ("dark", "#121212")):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        colours = figure.locator("section.xp").evaluate(
            "root => [...root.querySelectorAll('label, p, span, b, th, td, caption, summary, legend')]"
            ".filter(node => node.textContent && node.checkVisibility() && !node.matches('.xp-choice span'))"
            ".filter(node => !node.closest('.xp-hidden, .xp-shade')).map(node => getComputedStyle(node).color)"
        )
        low = {c for c in colours if contrast(rgb(c), rgb(background)) < 4.5}
        assert colours and not low, theme


PIXELS = "figure => [...figure.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL())"


def test_what_is_drawn_follows_the_theme(page, figure):
    """The canvases are at once as if the figure were drawn anew in the other theme."""
    for theme in ("dark", "light"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        settle(page)
        followed = figure.evaluate(PIXELS)
        for width in (780, 800):
            page.set_viewport_size({"width": width, "height": 1000})
            settle(page)
        assert figure.evaluate(PIXELS) == followed, theme


def test_of_a_text_that_is_too_long_it_says_what_it_reads(name, figure):
    field = figure.locator("section.xp").locator("input[type=text], textarea").first
    if field.count() == 0 or name in ("formula", "write"):
        pytest.skip("it has no field for a text")
    before = field.input_value()
    field.fill("the old whale swam to the ship and the captain said nothing " * 40)
    figure.filter(has_text=HOW_FAR).wait_for()
    field.fill(before)


def count_announcements(page):
    """Count how often any live region of the page changes."""
    page.evaluate(
        """() => {
          window.announced = [];
          const live = 'output, [role=status], [role=alert], [aria-live]:not([aria-live=off])';
          new MutationObserver(list => list.forEach(({target}) => {
            const node = target.nodeType === 1 ? target : target.parentElement;
            if (node?.closest(live)) window.announced.push(node.textContent);
          })).observe(document.body, {subtree: true, childList: true, characterData: true});
        }"""
    )


def longest_pause(page, presses):
    """Press keys one after the other; the longest time between two of them, in seconds."""
    at = []
    for key in presses:
        page.keyboard.press(key)
        at.append(time.monotonic())
    return max(np.diff(at))


def test_many_key_presses_are_announced_once(name, page, figure):
    if name in ("continuation", "breaking"):
        pytest.skip("it has a text that goes on by itself, or buttons alone")
    count_announcements(page)
    arrows = "ArrowRight", "ArrowLeft"
    kinds = {"slider": arrows, "switch": (" ", " "), "radio": arrows}
    kinds |= {"textbox": ("x", "Backspace"), "application": arrows}
    kind = next(role for role in kinds if figure.get_by_role(role).count())
    control, (there, back) = figure.get_by_role(kind).first, kinds[kind]
    if kind == "textbox" and not control.evaluate("node => node.matches('textarea')"):
        there, back = arrows
    control.press(there)  # what the first key loads is said once more when it is there
    expect(figure).not_to_contain_text("on its way")
    control.press(back)
    page.wait_for_timeout(900)
    for _ in range(5):  # again where the machine paused so long that silence was due
        page.evaluate("window.announced.length = 0")
        longest = longest_pause(page, [there, back] * 20 + [there])
        page.wait_for_function("() => window.announced.length")
        page.wait_for_timeout(900)
        if longest < 0.4:
            break
        page.evaluate("window.announced.length = 0")
        page.keyboard.press(back)
        page.wait_for_function("() => window.announced.length")
    announced = page.evaluate("window.announced")
    assert len(announced) == 1
    assert announced[0] == figure.locator(".xp-says").inner_text()


def test_every_explorable_stands_in_the_book_and_is_measured_there():
    pages = pages_of(HTML)
    assert set(pages) == {cls.idea for cls in CLASSES.values()}
    assert pages["position/rope"] == HTML / "book" / "position" / "rope.html"
