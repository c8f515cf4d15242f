"""Symbols in the built pages, in a real browser: pointer, finger, keyboard, screen reader, print and forced colours."""

import json
import re

import pytest
from conftest import ROOT
from contents import pages
from tabs import complaints_of, idle_tab

from axe import violations

HTML = ROOT / "_build" / "html"
PAGES = [f"{page.relative_to(ROOT).with_suffix('')}.html" for page in pages()]
PAGE = "book/attention/multi_head.html"
FORMULA = "#equation-eq-multi-head"
PLACE = """
(name) => {
  const data = JSON.parse(document.querySelector("script.symbols").textContent);
  return data.formulas["eq-multi-head"].findIndex(([aloud]) => aloud === name);
}
"""


def data_of(html: str) -> dict:
    """What the symbols of a page answer."""
    found = re.search(
        r'<script type="application/json" class="symbols"[^>]*>(.*?)</script>', html
    )
    return json.loads(found[1]) if found else {"answers": [], "formulas": {}}


@pytest.fixture
def tab(browser):
    window = {"width": 1280, "height": 900}
    with idle_tab(browser, window, has_touch=True) as tab, complaints_of(tab) as found:
        tab.goto((HTML / PAGE).as_uri())
        tab.locator(FORMULA).scroll_into_view_if_needed()
        tab.locator(f"{FORMULA} .symbols").wait_for(state="attached")
        yield tab
    assert not found


def symbol(tab, name):
    return tab.locator(f'{FORMULA} [data-s="{tab.evaluate(PLACE, name)}"]')


def note(tab):
    return tab.locator(".symbol-note")


@pytest.mark.parametrize("page", PAGES)
def test_every_formula_of_a_page_has_its_answers(page):
    html = (HTML / page).read_text("utf-8")
    data = data_of(html)
    blocks = re.findall(
        r'<div class="math[^"]*"[^>]*data-symbols="([^"]*)".*?(?=<div class="math|\Z)',
        html,
        re.DOTALL,
    )
    assert len(blocks) == html.count('class="katex-display"')
    assert set(blocks) == set(data["formulas"])
    marks = re.findall(r'data-s="\d+"', html)
    assert len(marks) == sum(len(places) for places in data["formulas"].values())
    for places in data["formulas"].values():
        assert places
        assert all(data["answers"][answer][0] for _, answer in places)


def test_all_formulas_of_the_book_are_among_them():
    found = [data_of((HTML / page).read_text("utf-8"))["formulas"] for page in PAGES]
    assert sum(map(len, found)) > 60


def test_an_answer_leads_to_its_row_or_its_formula():
    for page in PAGES:
        path = HTML / page
        for _, _, _, address in data_of(path.read_text("utf-8"))["answers"]:
            if address:
                file, _, anchor = address.partition("#")
                target = (path.parent / file).resolve() if file else path
                assert f'id="{anchor}"' in target.read_text("utf-8"), (page, address)


def test_the_pointer_asks_and_leaves(tab):
    symbol(tab, "capital W superscript capital Q sub h").hover()
    assert "projection to the queries of head h" in note(tab).inner_text()
    assert "columns of W_Q" in note(tab).inner_text()
    tab.mouse.move(5, 5)
    note(tab).wait_for(state="hidden")
    assert tab.locator(".asked, .same").count() == 0


def test_other_places_are_marked_and_counted(tab):
    one = symbol(tab, "h").first
    one.hover()
    assert "asked" in one.get_attribute("class")
    count = tab.locator(f"{FORMULA} .same").count()
    assert count >= 5 and f"{count} other places" in note(tab).inner_text()


def test_a_finger_asks_near_a_symbol_and_elsewhere_closes(tab):
    tab.set_viewport_size({"width": 360, "height": 780})
    one = symbol(tab, "capital Z")
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    tab.touchscreen.tap(box["x"] - 4, box["y"] + box["height"] / 2)
    assert "the tokens that enter a layer" in note(tab).inner_text()
    edge = note(tab).bounding_box()
    assert edge["x"] >= 0 and edge["x"] + edge["width"] <= 360
    tab.locator("h1").last.tap()
    assert note(tab).is_hidden()


def test_the_keyboard_stops_once_and_walks_through_the_symbols(tab):
    focused = "document.activeElement.getAttribute('aria-label')"
    tab.locator("#equation-eq-concat-heads .symbols > *").first.focus()
    for _ in range(6):
        tab.keyboard.press("Tab")
        if tab.evaluate(f"document.activeElement.closest('{FORMULA} .symbols')"):
            break
    assert tab.evaluate(focused).startswith("capital Q sub h: queries, one row each")
    assert note(tab).is_visible()
    tab.keyboard.press("End")
    last = tab.evaluate(focused)
    assert last.startswith("d sub model: width of a token's vector")
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate(focused) == last
    tab.keyboard.press("ArrowLeft")
    assert tab.evaluate(focused) != last
    tab.keyboard.press("Escape")
    assert note(tab).is_hidden()
    tab.keyboard.press("ArrowLeft")
    assert note(tab).is_visible()
    tab.keyboard.press("Tab")
    assert not tab.evaluate(
        f"document.querySelector('{FORMULA} .symbols').contains(document.activeElement)"
    )
    assert note(tab).is_hidden()
    stops = tab.locator(f"{FORMULA} .katex-display [tabindex='0']").count()
    assert stops == 1


def test_a_wide_formula_has_no_second_stop_and_scrolls_to_its_symbols(tab):
    tab.set_viewport_size({"width": 240, "height": 780})
    display = tab.locator(f"{FORMULA} .katex-display")
    assert display.evaluate("e => e.scrollWidth > e.clientWidth")
    assert display.get_attribute("tabindex") is None
    tab.locator(f"{FORMULA} .symbols > *").first.focus()
    tab.keyboard.press("End")
    assert display.evaluate("e => e.scrollLeft") > 0


def test_enter_leads_to_the_row_of_the_notation(tab):
    tab.locator(f"{FORMULA} .symbols > [tabindex='0']").focus()
    tab.keyboard.press("End")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/notation.html#symbol-d*")
    assert "width of a token’s vector" in tab.locator("tr:target").inner_text()


def test_a_screen_reader_has_names_and_the_whole_formula(tab):
    row = tab.locator(f"{FORMULA} .symbols")
    assert row.get_attribute("role") == "group"
    assert re.fullmatch(
        r"Symbols of formula \(\d+\), arrow keys", row.get_attribute("aria-label")
    )
    assert tab.locator(f"{FORMULA} math annotation").count() == 1
    assert tab.locator(f"{FORMULA} [aria-hidden] :is(a, button)").count() == 0
    tab.locator(f"{FORMULA} .symbols > *").first.focus()
    assert not violations(tab)


def test_paper_and_forced_colours(tab):
    one = symbol(tab, "capital Y")
    one.hover()
    tab.emulate_media(forced_colors="active")
    assert one.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    tab.emulate_media(media="print", forced_colors="none")
    assert note(tab).evaluate("e => getComputedStyle(e).display") == "none"
    assert one.evaluate("e => getComputedStyle(e).outlineStyle") == "none"


def test_the_script_is_asked_for_only_when_a_formula_comes_near(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    tab, asked = context.new_page(), []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto((HTML / "book/notation.html").as_uri())
    tab.wait_for_load_state("load")
    assert asked and not [one for one in asked if "symbols.js" in one]
    context.close()
