"""Pages weigh little and lose nothing: rules, letters and scripts go only where no page uses them."""

import gzip
import re
import sys

import pytest
from conftest import ROOT
from fontTools.ttLib import TTFont

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from lean_fonts import cut, letters, ranges
from lean_styles import Used, lean
from light_pages import lighten, slim

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
        assert "fontawesome" not in html and "widget-state" not in html, page
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
            "scripts/bootstrap.js",
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
