"""Formula, code and picture light each other up, in a real browser: pointer, finger, keyboard, screen reader, print."""

import json
import re
from html import unescape

import pytest
from conftest import ROOT
from contents import pages
from tabs import complaints_of

from axe import violations

HTML = ROOT / "_build" / "html"
PAGES = [f"{page.relative_to(ROOT).with_suffix('')}.html" for page in pages()]
PAGE = "book/attention/scaled_dot_product.html"
FORMULA = "#equation-eq-attention"
LIMIT = 3_000  # bytes of the script, compressed
LIT = """
() => [...document.querySelectorAll("[id^=code-] pre")].flatMap((pre) => {
  const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT);
  const runs = [""];
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (parentElement.classList.contains("lit")) runs[runs.length - 1] += data;
    else runs.push("");
  }
  return runs.filter(Boolean);
})
"""
PLACE = """
(name) => {
  const data = JSON.parse(document.querySelector("script.symbols").textContent);
  const places = data.formulas["eq-attention"];
  const links = [...document.querySelectorAll("#equation-eq-attention .symbols > *")];
  return places.findIndex((_, i) => links[i].getAttribute("aria-label").startsWith(`${name}:`));
}
"""


def data_of(page: str) -> dict:
    """The places of code and pictures on a page."""
    html = (HTML / page).read_text("utf-8")
    found = re.search(r'class="pointing"[^>]*data-places="([^"?]*)', html)
    if not found:
        return {"blocks": [], "code": {}, "pictures": {}}
    text = ((HTML / page).parent / found[1]).resolve().read_text("utf-8")
    return json.loads(text.removeprefix("globalThis.pointingOfPage = ").rstrip(";\n"))


def code_of(html: str, block: str) -> str:
    """The text of a block of code."""
    found = re.search(rf'id="{block}".*?<pre>(.*?)</pre>', html, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", found[1]))


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_somewhere(page):
    html = (HTML / page).read_text("utf-8")
    data = data_of(page)
    texts = [code_of(html, block) for block in data["blocks"]]
    symbols = re.search(r'class="symbols"[^>]*>(.*?)</script>', html)
    formulas = json.loads(symbols[1])["formulas"] if symbols else {}
    for kind in ("code", "pictures"):
        for name, places in data[kind].items():
            assert f'data-symbols="{name}"' in html
            assert all(int(place) < len(formulas[name]) for place in places)
    for places in data["code"].values():
        for flat in places.values():
            assert flat and len(flat) % 3 == 0
            for block, start, end in zip(flat[::3], flat[1::3], flat[2::3]):
                piece = texts[block][start:end]
                assert piece.strip() == piece and piece, (page, start, end)
                compile(f"({piece})", page, "eval")  # a whole expression, or a name


def test_the_script_comes_with_the_pages_that_need_it_alone():
    import gzip

    script = (ROOT / "book/_static/pointing.js").read_bytes()
    assert len(gzip.compress(script)) <= LIMIT
    having = [page for page in PAGES if "pointing.js" in (HTML / page).read_text("utf-8")]  # fmt: skip
    assert len(PAGES) > len(having) > 20
    assert all(any(data_of(one).values()) for one in having)


@pytest.fixture
def tab(browser):
    context = browser.new_context(
        viewport={"width": 1366, "height": 768}, offline=True, has_touch=True
    )
    context.add_init_script('localStorage.setItem("reading", "everything")')
    tab = context.new_page()
    with complaints_of(tab) as complaints:
        tab.goto((HTML / PAGE).as_uri())
        tab.locator(FORMULA).scroll_into_view_if_needed()
        tab.locator("#code-attention .symbols").wait_for(state="attached")
        yield tab
    assert not complaints
    context.close()


def place(tab, name):
    return tab.locator(f'{FORMULA} [data-s="{tab.evaluate(PLACE, name)}"]')


def note(tab):
    return tab.locator(".symbol-note")


def test_a_symbol_lights_its_code_and_its_pictures(tab):
    place(tab, "d sub k").hover()
    assert tab.evaluate(LIT) == ["Q.shape[-1]"]
    assert "Q.shape[-1]" in note(tab).inner_text()
    column = tab.locator("td.lit").count()
    assert column >= 4 and tab.locator("th.lit, th .lit").count() >= 1
    tab.mouse.move(5, 5)
    note(tab).wait_for(state="hidden")
    assert tab.locator(".lit").count() == 0


def test_a_part_lights_the_code_that_is_worth_the_same(tab):
    place(tab, "root of d sub k").dispatch_event("click")
    assert "math.sqrt(Q.shape[-1])" in note(tab).inner_text()
    assert tab.evaluate(LIT) == ["math.sqrt(Q.shape[-1])"]


def test_a_second_click_asks_the_part_around(tab):
    value = tab.locator(f'{FORMULA} [data-s="{tab.evaluate(PLACE, "product of capital A, capital V")}"] [data-s]').last  # fmt: skip
    value.click()
    assert "values, one row each" in note(tab).inner_text()
    value.click()
    assert tab.evaluate(LIT) == ["A @ V"]
    value.click()
    assert "values, one row each" in note(tab).inner_text()


def test_code_lights_its_formula(tab):
    piece = tab.locator("#code-scores .piece", has_text="sqrt").first
    piece.scroll_into_view_if_needed()
    piece.hover()
    assert note(tab).is_visible()
    asked = tab.locator(".katex [data-s].asked:visible")
    assert asked.count() == 1
    assert tab.evaluate(LIT) == ["math.sqrt(Q.shape[-1])"]
    box, code = note(tab).bounding_box(), piece.bounding_box()
    assert abs(box["y"] - code["y"]) < 300  # the answer stands where one points


def test_a_finger_on_code_asks_and_elsewhere_closes(tab):
    tab.mouse.move(5, 5)  # a mouse that lay on the page would leave it late
    note(tab).wait_for(state="hidden")
    tab.set_viewport_size({"width": 360, "height": 780})
    piece = tab.locator("#code-attention .piece", has_text="V").last
    piece.scroll_into_view_if_needed()
    piece.tap()
    tab.wait_for_timeout(400)  # what a finger asked stays, though it has left
    assert note(tab).is_visible() and tab.locator(f"{FORMULA} .asked").count() == 1
    edge = note(tab).bounding_box()
    assert edge["x"] >= 0 and edge["x"] + edge["width"] <= 360
    tab.locator("h1").last.tap()
    assert note(tab).is_hidden() and tab.locator(".lit").count() == 0


def test_the_keyboard_walks_through_formula_and_code(tab):
    focused = "document.activeElement.getAttribute('aria-label')"
    tab.locator(f"{FORMULA} .symbols > *").first.focus()
    names = []
    for _ in range(8):
        names.append(tab.evaluate(focused))
        tab.keyboard.press("ArrowRight")
    assert any("root of d sub k" in one and "math.sqrt(Q.shape[-1])" in one for one in names)  # fmt: skip
    row = tab.locator("#code-attention .symbols")
    assert row.locator("[tabindex='0']").count() == 1
    row.locator("> *").first.focus()
    tab.keyboard.press("End")
    assert tab.evaluate(focused).startswith("A: ")
    assert tab.locator(f"{FORMULA} .asked").count() == 1 and tab.evaluate(LIT)
    tab.keyboard.press("Home")
    assert tab.evaluate(focused).startswith("Q: capital Q")
    assert not violations(tab)
    tab.keyboard.press("Tab")
    note(tab).wait_for(state="hidden")


def test_while_the_source_is_folded_its_line_lights(tab):
    tab.locator("details:has(#code-scores)").first.evaluate("e => (e.open = false)")
    place(tab, "root of d sub k").dispatch_event("click")
    assert tab.locator("details:has(#code-scores) > summary.lit").count() == 1
    assert "math.sqrt(Q.shape[-1])" in note(tab).inner_text()


def test_paper_shows_none_of_it(tab):
    place(tab, "d sub k").hover()
    one = tab.locator("#code-scores .lit").first
    assert one.evaluate("e => getComputedStyle(e).boxShadow") != "none"
    tab.emulate_media(media="print")
    assert one.evaluate("e => getComputedStyle(e).boxShadow") == "none"
