"""The built pages, in a real browser, from the folder: nothing missing, nothing foreign, legible on every screen."""

import re
from collections import Counter
from contextlib import suppress
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from conftest import ROOT
from contents import pages
from playwright.sync_api import TimeoutError
from tabs import complaints_of, idle_tab

from axe import faint_words, violations

HTML = ROOT / "_build" / "html"
# from the table of contents, not from the folder: without a built book the tests fail
PAGES = [f"{page.relative_to(ROOT).with_suffix('')}.html" for page in pages()]
OTHERS = ["search.html", "_source/transformer_math/corpus.html"]
SAME_ON_PHONES = (
    "color-contrast",
    "link-in-text-block",
)  # whether words and links stand out
# A narrow page has the colours of a wide one, and on each page the theme shows the same on phones: there, these are asked.
COLOURED = [*OTHERS, "book/attention/scaled_dot_product.html"]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 780}

# axe does not look into drawings: their words must stand out from the page, too.
CONTRAST = """
() => {
  const known = {};
  const rgb = (colour) => (known[colour] ??= read(colour));
  const read = (colour) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = rgb(getComputedStyle(document.body).backgroundColor);
  const poor = new Set();
  for (const text of document.querySelectorAll("figure.picture svg text")) {
    const ink = rgb(getComputedStyle(text).fill);
    const [a, b] = [ink, page].map(luminance).sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 3) poor.add(`${ratio.toFixed(2)} ${text.textContent}`);
  }
  return [...poor];
}
"""
# At 360 pixels: the smallest letters of pictures as they are seen.
SMALL_LETTERS = """
() => [...document.querySelectorAll("figure.picture svg")].flatMap((svg) => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll("text")].filter((text) => text.checkVisibility())
    .map((text) => [parseFloat(getComputedStyle(text).fontSize) * scale, text.textContent])
    .filter(([size]) => size > 0 && size < 10);
})
"""
# What is wider than its box must be reachable by the keyboard and have a name; hidden parts of formulas do not count.
CUT = """
() => [...document.querySelectorAll("article *")]
  .filter((e) => e.checkVisibility() && !e.closest(".xp, .katex-mathml, svg, [data-more]"))
  .filter((e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1)
  .filter((e) => !["visible", "clip"].includes(getComputedStyle(e).overflowX))
  .map((e) => `${e.tagName}.${e.className}`)
"""
MUTE_DRAWINGS = """
() => [...document.querySelectorAll("article svg")]
  .filter((svg) => !svg.closest("[aria-hidden=true], .katex, section.xp, .sd-summary-icon, .sd-summary-state-marker, button"))
  .filter((svg) => !svg.getAttribute("aria-label") && !svg.querySelector("title")).length
"""
ASKED_OR_MARKED = """
() => document.querySelectorAll(".exercise:has(.question form), .exercise:has(.by-hand button):not(:has(.question))").length
"""
# Rules that style parts of what they look into (`:has()` before a combinator), where that may be a figure, a part of
# one, or what it stands in: at each word that changes there, a browser asks all these parts anew how they look.
ASKED_AT_EACH_WORD = """
(sheets) => {
  const split = (text, at) => {
    const parts = [""];
    let depth = 0;
    for (const letter of text) {
      depth += { "(": 1, "[": 1, ")": -1, "]": -1 }[letter] ?? 0;
      if (depth === 0 && at.includes(letter)) parts.push("");
      else parts[parts.length - 1] += letter;
    }
    return parts.map((part) => part.trim()).filter(Boolean);
  };
  const bare = (compound) => {
    const at = compound.search(/:(?:has|not)\\(/);
    if (at < 0) return compound || "*";
    let end = compound.indexOf("(", at) + 1;
    for (let depth = 1; depth; end += 1) depth += { "(": 1, ")": -1 }[compound[end]] ?? 0;
    return bare(compound.slice(0, at) + compound.slice(end));
  };
  const figures = [...document.querySelectorAll("section.xp")];
  const isThere = (compound) => figures.some((figure) => figure.closest(compound) || figure.querySelector(compound));
  const found = [];
  const look = (rules, outer) => {
    for (const rule of rules) {
      if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
      const own = rule.selectorText?.replaceAll("&", `:is(${outer})`) ?? outer;
      for (const selector of rule.selectorText ? split(own, ",") : []) {
        const looking = split(selector, " >+~").slice(0, -1).filter((compound) => compound.includes(":has("));
        if (looking.map(bare).some(isThere)) found.push(selector);
      }
      if (rule.cssRules) look(rule.cssRules, own);
    }
  };
  for (const css of sheets) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    look(sheet.cssRules);
  }
  return found;
}
"""
TEX = re.compile(
    r"\\(?:frac|sqrt|text|mathbb|operatorname|begin|top|left|cdot)\b|\$[^$\n]{1,80}\$|\{(?:doc|eq|cite|ref)[:}]"
)


class Links(HTMLParser):
    """The addresses and the anchors of a page, and its pictures without alternative text."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.mute = [], set(), []

    def handle_starttag(self, tag, attributes):
        if tag == "base":
            return
        attributes = dict(attributes)
        self.anchors.update(
            value for name in ("id", "name") if (value := attributes.get(name))
        )
        self.links += [
            attributes[name] for name in ("href", "src") if attributes.get(name)
        ]
        if tag == "img" and "alt" not in attributes:
            self.mute.append(attributes.get("src"))


@pytest.fixture(scope="module")
def parsed():
    """Every page of the site, source pages included, as its links and anchors."""
    assert (HTML / "index.html").exists(), "there is no built book. Fix: make book."
    pages = {}
    for path in (page for page in HTML.rglob("*.html") if "_static" not in page.parts):
        pages[path.resolve()] = links = Links()
        links.feed(path.read_text("utf-8"))
    return pages


@cache
def target_of(path, address):
    """The file that an address without its anchor leads to from a page."""
    target = (path.parent / unquote(address)).resolve() if address else path
    return target / "index.html" if target.is_dir() else target


exists = cache(Path.exists)


def test_no_link_leads_nowhere(parsed):
    broken = []
    for path, page in parsed.items():
        for link in page.links:
            address = urlparse(link)
            if address.scheme or address.netloc:
                continue
            target = target_of(path, address.path)
            anchor = urldefrag(link).fragment
            if not exists(target) or (
                anchor
                and target in parsed
                and unquote(anchor) not in parsed[target].anchors
            ):
                broken.append(f"{path.relative_to(HTML)}: {link}")
    assert not broken, broken[:20]


def test_every_picture_has_alternative_text(parsed):
    mute = {
        str(path.relative_to(HTML)): page.mute
        for path, page in parsed.items()
        if page.mute
    }
    assert not mute


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_it_is_for_search_and_sharing(page):
    html = (HTML / page).read_text("utf-8")
    for needle in (
        "<title>",
        'name="description"',
        'property="og:title"',
        'property="og:description"',
    ):
        assert needle in html, needle


@pytest.fixture
def tab(browser):
    """A browser's window without a network."""
    with idle_tab(browser, WIDE, has_touch=True) as tab:
        yield tab


@pytest.fixture
def complaints(tab):
    """What the browser complains about in it."""
    with complaints_of(tab) as found:
        yield found


def turn(tab, theme: str) -> None:
    """Show the page in one theme, at once."""
    tab.add_style_tag(content="*, *::before, *::after { transition: none !important }")
    tab.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)


SHEET = {"width": 718, "height": 1047}  # A4 within a browser's margins
CUT_ON_PAPER = """() => [...document.querySelectorAll("figure.computed > div")]
    .filter((e) => e.checkVisibility() && e.scrollWidth - e.clientWidth > 1).map((e) => e.textContent.slice(0, 60))"""


def at_last(tab, faults: str) -> list:
    """What is left of some faults when the page's own scripts have had the time to answer a new width."""
    with suppress(TimeoutError):
        tab.wait_for_function(f"!({faults})().length", timeout=5000)
    return tab.evaluate(faults)


def bring_to_life(figure) -> None:
    """Scroll to a figure, open what it is folded into, and give it what it waits for."""
    figure.evaluate("e => { if (e.closest('details')) e.closest('details').open = true; e.scrollIntoView(); }")  # fmt: skip
    for field in figure.locator(".explorable-still :is(input, textarea):enabled").all():
        field.press("x")  # it waits for the first keystroke
    figure.evaluate("e => e.querySelector('.explorable-offer:enabled')?.click()")
    figure.locator("section.xp").wait_for()


def sheets_of(tab) -> list[str]:
    """The style sheets of a page, which a script may not read from files."""
    hrefs = tab.locator("link[rel~=stylesheet]").evaluate_all("all => all.map((e) => e.href)")  # fmt: skip
    return [Path(unquote(urlparse(one).path)).read_text("utf-8") for one in hrefs]


# figures in states that their chapters chose; in their first state all are tried in test_every_explorable
CHOSEN = (
    "attention/cross_attention",
    "model/decoder_only",
    "model/encoder_decoder",
    "trained/date_translator",
)


@pytest.mark.parametrize("page", CHOSEN)
def test_on_a_phone_a_figure_moves_nothing_when_it_comes_to_life(page, tab):
    tab.set_viewport_size(PHONE)
    tab.goto((HTML / f"book/{page}.html").as_uri())
    figure = tab.locator("figure.explorable").last
    kept = figure.bounding_box()["height"]
    bring_to_life(figure)
    figure.locator(".xp-says").filter(has_text=re.compile(r"\w")).wait_for()
    assert figure.bounding_box()["height"] == pytest.approx(kept, abs=1)


def exercises_in(page: str) -> int:
    """How many exercises stand in a page's source; none in a page that the build makes."""
    source = (ROOT / page).with_suffix(".md")
    return len(re.findall(r"^:label: ex-", source.read_text("utf-8"), re.MULTILINE)) if source.exists() else 0  # fmt: skip


@pytest.mark.parametrize("page", PAGES + OTHERS)
def test_a_page_is_whole_for_everybody(page, tab, complaints):
    """One visit: everything loads from the folder, nothing is cut off, and axe finds nothing, wide and narrow, light and dark."""
    tab.goto((HTML / page).as_uri())
    for figure in tab.locator("figure.explorable").all():
        bring_to_life(figure)
    faults = {}
    for name, size in (("wide", WIDE), ("phone", PHONE)):
        tab.set_viewport_size(size)
        # a dark page differs in its colours alone, and these do not ask how wide it is
        for theme in ("light", "dark") if name == "wide" else ("light",):
            turn(tab, theme)
            tab.evaluate("() => new Promise((done) => setTimeout(done, 50))")
            but = SAME_ON_PHONES if name == "phone" and page not in COLOURED else ()
            found = violations(tab, but) if theme == "light" else faint_words(tab)
            faults[f"axe, {name}, {theme}"] = found
            faults[f"contrast in drawings, {name}, {theme}"] = tab.evaluate(CONTRAST)
        beyond = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        faults[f"pixels beyond the edge, {name}"] = max(beyond, 0)
        faults[f"cut off, {name}"] = at_last(tab, CUT)
        asked = tab.evaluate(ASKED_AT_EACH_WORD, sheets_of(tab))
        faults[f"styles asked anew at each word of a figure, {name}"] = asked
    faults["letters below 10 pixels"] = tab.evaluate(SMALL_LETTERS)
    faults["drawings without words"] = tab.evaluate(MUTE_DRAWINGS)
    silent = exercises_in(page) - tab.evaluate(ASKED_OR_MARKED)
    faults["exercises that nothing answers and nobody can mark"] = silent
    visible = tab.evaluate("""() => {
        const copy = (document.querySelector("article") ?? document.body).cloneNode(true);
        const others = ".katex-mathml, .xp-latex, .xp:has(.xp-ghost), pre, code, script, style";
        copy.querySelectorAll(others).forEach((node) => node.remove());
        return copy.textContent;
    }""")
    faults["raw TeX"] = TEX.findall(visible)
    tab.set_viewport_size(SHEET)
    tab.emulate_media(media="print")
    faults["cut off on paper"] = tab.evaluate(CUT_ON_PAPER)
    faults["complaints"] = complaints
    assert not {name: fault for name, fault in faults.items() if fault}


@pytest.mark.parametrize("page", ["block/decoder_layer", "modalities/point_clouds"])
def test_on_a_phone_wide_formulas_become_smaller_before_they_scroll(page, tab):
    tab.set_viewport_size(PHONE)
    tab.goto((HTML / f"book/{page}.html").as_uri())
    fits = """() => [...document.querySelectorAll("div.math > .katex-display")]
        .map((e) => [e.style.getPropertyValue("--fit"), e.scrollWidth - e.clientWidth])"""
    narrow = tab.evaluate(fits)
    assert any(size for size, _ in narrow)
    assert all(beyond <= 1 for _, beyond in narrow)
    tab.set_viewport_size(WIDE)
    assert not any(size for size, _ in tab.evaluate(fits))


@pytest.mark.parametrize("page", ["gradient/block", "model/decoder_only"])
def test_on_a_phone_a_formula_that_scrolls_anyway_keeps_its_size(page, tab):
    tab.set_viewport_size(PHONE)
    tab.goto((HTML / f"book/{page}.html").as_uri())
    tab.wait_for_selector("div.math > .katex-display[data-more]")
    scrolling = tab.locator("div.math > .katex-display[data-more]")
    assert not any(scrolling.evaluate_all("all => all.map((e) => e.style.getPropertyValue('--fit'))"))  # fmt: skip


@pytest.mark.parametrize("page", ["model/decoder_only", "gradient/attention"])
def test_a_formula_that_a_fold_hid_fits_when_it_is_opened(page, tab):
    for size in (WIDE, PHONE):
        tab.set_viewport_size(size)
        tab.goto((HTML / f"book/{page}.html").as_uri())
        tab.evaluate("() => document.querySelectorAll('article details').forEach((e) => (e.open = true))")  # fmt: skip
        assert at_last(tab, CUT) == []


MARK_ALONE = """() => [...document.querySelectorAll("article p span.math")]
    .filter((e) => !e.closest(".bound") && /^[,.;:!?)]/.test(e.nextSibling?.textContent ?? "")).map((e) => e.textContent)"""


@pytest.mark.parametrize("size", [WIDE, PHONE])
@pytest.mark.parametrize("page", ["gradient/attention", "training/optimisation"])
def test_no_line_begins_with_the_comma_behind_a_formula(page, size, tab):
    tab.set_viewport_size(size)
    tab.goto((HTML / f"book/{page}.html").as_uri())
    assert tab.evaluate(MARK_ALONE) == []
    bound = tab.evaluate("""() => [...document.querySelectorAll(".bound")].map((e) => {
        const last = [...e.querySelectorAll(".katex-html .base")].at(-1).getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(e.lastChild);
        return e.lastChild.nodeType === Node.TEXT_NODE && range.getBoundingClientRect().left < last.left;
    })""")
    assert len(bound) > 20
    assert not any(bound)


def test_axe_would_find_a_fault(tab):
    """The test above can fail: a page with three faults has them found."""
    tab.set_content(
        "<html lang=en><title>t</title><main><h1>t</h1><img src=data:,><p style='color:#bbb;background:#fff'>faint</p>"
        "<div role=slider tabindex=0 aria-label=a aria-valuenow=x></div></main>"
    )
    rules = {fault.split(":")[0] for fault in violations(tab)}
    (faint,) = faint_words(tab)
    tab.evaluate("() => (document.querySelector('p').style.color = '#333')")
    assert faint_words(tab) == []
    assert {"image-alt", "color-contrast", "aria-valid-attr-value"} <= rules
    assert faint.startswith("color-contrast: p ")


@pytest.mark.parametrize(
    ("css", "asked"),
    [
        (".cell:has(> p) b{top:0}", [".cell:has(> p) b"]),
        (".xp:not(:has(i)){& > b{top:0}}", [":is(.xp:not(:has(i))) > b"]),
        ("@media (min-width:9px){u,i:has(b) + b{top:0}}", ["i:has(b) + b"]),
        ("@media print{.cell:has(> p) b{top:0}}", []),
        (".other:has(p) b, .cell b:has(i){top:0}", []),
    ],
)
def test_styles_that_words_of_a_figure_ask_anew_are_found(css, asked, tab):
    tab.set_content("<div class=cell><section class=xp><i></i><b></b></section></div><div class=other></div>")  # fmt: skip
    assert tab.evaluate(ASKED_AT_EACH_WORD, [css]) == asked


def test_of_words_that_look_alike_one_is_measured_and_no_other_kind_is_missed(tab):
    look = (
        "color:#bbb",
        "opacity:.3",
        "background:#222",
        "background:linear-gradient(#222,#333)",
        "font-weight:700;color:#999",
    )
    ways = "".join(f"<p style='{css}'>one</p><p style='{css}'>two</p>" for css in look)
    within = "<div style='background:#333'><p>in the dark</p></div>"
    tab.set_content(f"<html lang=en><main><h1>t</h1><p>plain</p>{ways}{within}</main>")
    found = faint_words(tab)
    assert len(found) == len(look)  # what lies on a gradient has no contrast to measure


@pytest.mark.parametrize("page", PAGES)
def test_every_id_is_one_elements_own(page):
    ids = Counter(
        re.findall(r'<[a-zA-Z][^<>]*?\sid="([^"]*)"', (HTML / page).read_text())
    )
    assert not [name for name, times in ids.items() if times > 1]


@pytest.mark.parametrize("page", PAGES)
def test_a_description_is_plain_words(page):
    html = (HTML / page).read_text("utf-8")
    (text,) = re.findall(r'<meta name="description" content="([^"]*)"', html)
    assert len(text.split()) >= 8 and not re.search(r"[\\{}$]", text), text


def test_the_page_for_lost_addresses_finds_its_way_home_from_any_depth():
    html = (HTML / "404.html").read_text("utf-8")
    head = html.split("</head>")[0]
    assert head.index("<base href=") < head.index("<link")
    assert "There is no such page" in html and 'href="search.html"' in html
