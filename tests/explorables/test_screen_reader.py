"""What a screen reader is told of every explorable: names, values in words, a description, stops in order that end."""

from collections import Counter

import pytest
from conftest import opened_pages
from live_pages import NAMES, look

CONTROLS = {
    "application", "button", "checkbox", "combobox", "listbox", "option", "radio", "slider", "spinbutton", "switch", "textbox",
}  # fmt: skip
PARTS = {"group", "radiogroup", "table"}
SLIDERS_WITHOUT_WORDS = """
() => [...document.querySelectorAll('section.xp :is(input[type=range], [role=slider])')]
  .filter((node) => !/\\w/.test(node.getAttribute('aria-valuetext') ?? '')).map((node) => node.outerHTML)
"""
STOP = """
() => {
  const node = document.activeElement, figure = document.querySelector('figure.explorable');
  if (!figure.contains(node)) return null;
  (globalThis.stops ??= []).push(node);
  const before = stops.at(-2);
  const inOrder = !before?.isConnected || before.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  return { html: node.outerHTML.slice(0, 120), right: inOrder && node.checkVisibility() && !node.closest('[aria-hidden=true]') };
}
"""
BESIDE = """
() => {
  const figure = document.querySelector('figure.explorable');
  for (const place of ['beforebegin', 'afterend']) figure.insertAdjacentHTML(place, '<button>beside it</button>');
  figure.previousElementSibling.focus();
}
"""
MANY = 400  # stops: more than any figure has


@pytest.fixture(scope="module", params=NAMES)
def page(request, browser, explorables_folder):
    """A page on which one explorable after the other lives."""
    with_pages = opened_pages(browser, explorables_folder)
    page = next(with_pages)(request.param)
    look(page)
    yield page
    next(with_pages, None)


def told(page):
    """Role, name and description of all that a screen reader finds on the page."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]  # fmt: skip
    words = lambda node, key: node.get(key, {}).get("value", "")  # noqa: E731
    parts = ("role", "name", "description")
    return [[words(n, part) for part in parts] for n in nodes if not n["ignored"]]


def test_a_figure_has_a_name_and_says_its_state(page):
    says = page.locator(".xp-says")
    # a text that goes on by itself says first that it is being read
    says.filter(has_not_text="Reading and writing").wait_for(state="attached")
    (name, description), *others = [told for role, *told in told(page) if role == "region"]  # fmt: skip
    assert name and not others
    assert description == says.inner_text().strip()


def test_every_control_has_a_name(page):
    controls = [told for told in told(page) if told[0] in CONTROLS]
    assert controls
    assert [told for told in controls if not told[1].strip()] == []


def test_groups_and_tables_have_names_and_no_two_buttons_share_one(page):
    tree = told(page)
    assert [role for role, name, _ in tree if role in PARTS and not name.strip()] == []
    named = Counter((role, name) for role, name, _ in tree if role in CONTROLS - {"option"})  # fmt: skip
    assert [control for control, times in named.items() if times > 1] == []


def test_every_slider_says_its_value_in_words(page):
    assert page.evaluate(SLIDERS_WITHOUT_WORDS) == []


def test_stops_come_in_order_can_be_seen_and_end(page):
    page.evaluate(BESIDE)
    stops = []
    for _ in range(MANY):
        page.keyboard.press("Tab")
        if (stop := page.evaluate(STOP)) is None:
            break
        stops.append(stop)
        if page.locator(".xp-ghost textarea:focus").count():
            page.keyboard.press("Escape")  # as its note says: Tab would take the text
    assert 0 < len(stops) < MANY
    assert [stop["html"] for stop in stops if not stop["right"]] == []
