"""What `light` promises: a visit weighs little and asks no other host; nothing that a page uses is missing."""

import gzip
import re
from pathlib import Path
from urllib.parse import urlsplit

import light
import pytest
from conftest import ROOT
from fontTools.ttLib import TTFont
from light import lighten
from light.fonts import cut, letters, ranges
from light.markup import PLAIN, bind, on_screen, slim
from light.repairs import repair
from light.styles import Used, lean

from benchmarks.scripts import page_scripts

HTML = ROOT / "_build" / "html"
PAGE = Used({"note", "open"}, {"p", "a", "details"})


@pytest.mark.parametrize(
    ("css", "kept"),
    [
        ("p{top:0}", "p{top:0}"),
        ("b, a:hover > .note {top: 0}", "a:hover>.note{top:0}"),
        (".gone p{top:0}", ""),
        ("p:not(.gone), .gone:not(p){top:0}", "p:not(.gone){top:0}"),
        ("details[open] summary{top:0}", ""),
        (
            'a[href^="#x"]::before{content:"a ; b  c"}',
            'a[href^="#x"]::before{content:"a ; b  c"}',
        ),
        ("@media print{.gone{top:0}}", ""),
        (
            ":root{--x: 1px;--y: 2px} p{top: calc(var(--x) + 1px)}",
            ":root{--x:1px;--y:2px}p{top:calc(var(--x) + 1px)}",
        ),
        ('@charset "utf-8"; /* c */ #open{top:0}', "#open{top:0}"),
    ],
)
def test_a_rule_stays_if_it_can_match(css, kept):
    assert lean(css, PAGE) == kept


def test_letters_of_formulas_are_found_by_font():
    page = (
        '<p>no</p><span class="katex-html"><span class="mord mathnormal">xy&lt;</span>'
        '<span class="mord mathbb">R</span></span></p><p class="a">Q</p>'
    )
    assert letters(page) == ({"R"}, {"x", "y", "<"})


def test_a_cut_font_serves_the_letters_and_the_whole_one_all_others(tmp_path):
    whole = HTML / "_static" / "katex" / "fonts" / "KaTeX_Main-Regular.woff2"
    (tmp_path / whole.name).write_bytes(whole.read_bytes())
    face = f'@font-face{{font-family:KaTeX_Main;src:url(fonts/{whole.name}) format("woff2")}}'
    css = cut(face, tmp_path, set(), {"a", "b", "∈"})
    first, second = re.findall("@font-face{[^}]*}", css)
    assert "unicode-range:U+61-62,U+2208" in second and "U+61-62" not in first
    (small,) = tmp_path.glob("KaTeX_Main-Regular-*.woff2")
    assert small.name in second
    assert {ord(c) for c in "ab∈"} <= set(TTFont(small).getBestCmap())
    assert small.stat().st_size < whole.stat().st_size / 10
    assert cut(face, tmp_path, set(), set()) == face


def test_ranges():
    assert ranges({1, 2, 3, 7, 9, 10}) == "U+1-3,U+7,U+9-A"


def test_only_scripts_without_work_go():
    script = '<script src="_static/togglebutton.js?v=1"></script>'
    assert slim(script) == ""
    busy = f'{script}<div class="admonition tip dropdown">'
    assert slim(busy) == busy


@pytest.mark.parametrize(("boxes", "breaks"), [(1, 0), (2, 0), (3, 2)])
def test_a_mark_stays_on_the_line_of_its_formula(boxes, breaks):
    inside = '<span class="base">x</span>' * boxes
    page = f'<span class="math"><span class="katex"><span>{inside}</span></span></span>. So'
    assert bind(page).startswith('<span class="bound">')
    assert bind(page).endswith(".</span> So")
    assert bind(page).count("<wbr>") == breaks


def test_paper_leaves_out_what_a_caption_asks_for():
    asked = " Point at a cell to read its number."
    marked = f'One layer.<span class="on-screen">{asked}</span>'
    caption = "<figcaption>{}</figcaption>"
    assert on_screen(caption.format("One layer." + asked)) == caption.format(marked)
    for kept in ("Change of the scores.", "One layer. Rows are tokens."):
        assert on_screen(caption.format(kept)) == caption.format(kept)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_code_that_loses_its_mark_keeps_its_colour(theme):
    assert slim('<span class="n">x</span><span class="o">=</span>') == 'x<span class="o">=</span>'  # fmt: skip
    sheet = (HTML / "_static" / "pygments.css").read_text("utf-8")
    code = rf'html\[data-theme="{theme}"\] \.highlight'
    colours = [
        re.search(rf"^{code}{part} *\{{[^}}]*\bcolor: (#\w+)", sheet, re.MULTILINE)[1]
        for part in ("", *(rf" \.{name}" for name in PLAIN))
    ]
    assert len(set(colours)) == 1


def test_untouched_pages_are_not_written_again(tmp_path):
    if not HTML.exists():
        pytest.fail("there is no built book. Fix: make book.")
    before = {p: p.stat().st_mtime_ns for p in HTML.rglob("*.html")}
    lighten(HTML)
    assert {p: p.stat().st_mtime_ns for p in HTML.rglob("*.html")} == before


def test_pages_carry_no_icon_font_no_widget_state_and_one_sheet():
    pages = list(HTML.glob("book/**/*.html"))
    assert pages, "there is no built book. Fix: make book."
    for page in pages:
        html = page.read_text("utf-8")
        for unread in ("fontawesome", "widget-state", "bootstrap.js", "data-bs-toggle"):
            assert unread not in html, (page, unread)
        assert html.count("light.css") == 1, page
    sheet = (HTML / "_static" / "light.css").read_bytes()
    assert len(gzip.compress(sheet)) < 25_000
    assert "fa-font" not in re.sub(
        r"[^{}]*\{[^{}]*fa-font-solid[^{}]*\}", "", sheet.decode()
    )


def test_every_icon_of_the_theme_is_drawn():
    used = set()
    for page in HTML.rglob("*.html"):
        used |= set(
            re.findall(
                r'class="[^"]*\bfa[sb]?\b[^"]*?\bfa-([\w-]+)', page.read_text("utf-8")
            )
        )
        used |= set(
            re.findall(r'class="[^"]*\bfa-solid fa-([\w-]+)', page.read_text("utf-8"))
        )
    drawn = set(
        re.findall(
            r"\.fa-([\w-]+) \{\s+--icon", (ROOT / "book/_static/icons.css").read_text()
        )
    )
    assert used and used - {"lg"} <= drawn


def test_no_visit_is_heavier_than_220_kilobytes():
    static = HTML / "_static"
    fixed = sum(
        len(gzip.compress((static / name).read_bytes()))
        for name in (
            "light.css",
            "book.css",
            "icons.css",
            "theme.js",
            "scripts/pydata-sphinx-theme.js",
        )
    )
    fonts = sum(
        p.stat().st_size
        for p in static.glob("katex/fonts/*-????????.woff2")
        if re.search("Main-Reg|Math-It|AMS|Size|Sans.*Reg|Type|Cal.*Reg", p.name)
    )
    for page in HTML.glob("book/**/*.html"):
        weight = len(gzip.compress(page.read_bytes())) + fixed + fonts
        assert weight < 220_000, (page, weight)


@pytest.mark.parametrize(
    "page", ["practice", "index", "embedding/word2vec", "attention/scaled_dot_product"]
)
def test_all_that_a_first_visit_fetches_is_no_heavier(page, browser):
    """What a laptop's first screen asks for, its figures included, as a server would send it."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    tab, asked = context.new_page(), []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto((HTML / f"book/{page}.html").as_uri())
    tab.wait_for_timeout(1500)
    context.close()
    files = {Path(urlsplit(url).path) for url in asked if url.startswith("file:")}
    assert len(files) > 5
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < 220_000


def test_no_page_has_more_than_80_kilobytes_of_the_books_own_script():
    """All its figures awake, as a server would send it; what comes when somebody types, searches or writes is not in it."""
    static, weights = HTML / "_static", {}
    own = {file.name for file in (ROOT / "book/_static").glob("*.js")}
    for page in HTML.glob("book/**/*.html"):
        text = page.read_text("utf-8")
        named = own & set(re.findall(r'_static/([\w.-]+\.js)[?"]', text))
        files = page_scripts(static / "explorables", text) | {static / name for name in named}  # fmt: skip
        weights[page.stem] = sum(len(gzip.compress(p.read_bytes())) for p in files)
    assert 50_000 < max(weights.values()) < 80_000


def test_a_sound_is_fetched_when_somebody_plays_it():
    players = [
        (page, player)
        for page in HTML.glob("book/**/*.html")
        for player in re.findall(r"<audio\b[^>]*>", page.read_text("utf-8"))
    ]
    assert players
    for page, player in players:
        assert 'preload="none"' in player
        file = page.parent / re.search(r' src="([^"]*)"', player)[1]
        assert file.read_bytes()[:4] == b"RIFF", page


def test_no_page_and_no_sheet_asks_another_host():
    asks = re.compile(
        r"<(?:script|img|iframe|source|video)\b[^>]*\ssrc=\"(?:https?:)?//[^\"]*"
        r"|<link\b(?=[^>]*rel=\"(?:stylesheet|preload|icon)\")[^>]*href=\"(?:https?:)?//[^\"]*"
    )
    assert asks.search('<script defer src="https://unpkg.com/x.js">')
    assert asks.search('<link rel="stylesheet" href="//fonts.example/x.css">')
    for page in HTML.rglob("*.html"):
        assert not asks.search(page.read_text("utf-8")), page
    for sheet in HTML.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", sheet.read_text("utf-8"))


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (
            '<button class="btn search-button-field" title="S" aria-label="Search">',
            '<button class="btn search-button-field" title="S">',
        ),
        (
            '<div class="bd-sidebar-primary bd-sidebar">',
            '<div class="bd-sidebar-primary bd-sidebar" role="complementary" aria-label="Contents of the book">',
        ),
        (
            '<summary><span class="toctree-toggle">',
            '<summary aria-label="Chapters below this one"><span class="toctree-toggle">',
        ),
        ('<th class="head"><p></p></th>', "<td></td>"),
        ('<i id="a"></i><i id="a"></i>', '<i id="a"></i><i id="a-2"></i>'),
    ],
)
def test_a_screen_reader_finds_names_landmarks_and_ids(theirs, ours):
    assert repair(theirs) == ours
    assert repair(ours) == ours


def test_the_door_shows_two_things():
    """Whoever builds needs no more; what is behind it may change."""
    assert set(light.__all__) == {"is_light", "lighten"}
    others = (ROOT / "book" / "_ext").glob("*.py")
    for path in [*others, ROOT / "tools" / "build.py"]:
        assert not re.search(r"(?:from|import) light\.", path.read_text("utf-8")), path
