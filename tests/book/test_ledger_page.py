"""The ledger: every numbered equation once, found and filtered, drawn when its chapter is unfolded, light."""

import gzip
import re

import pytest
from conftest import ROOT
from contents import pages
from playwright.sync_api import expect

HTML = ROOT / "_build" / "html"
LEDGER = HTML / "book" / "ledger.html"
LABEL = re.compile(r"^:label: (eq-[\w-]+)$", re.MULTILINE)


@pytest.fixture
def tab(browser):
    """The ledger in a tab, from the folder, without a network."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    tab = context.new_page()
    tab.goto(LEDGER.as_uri())
    yield tab
    context.close()


def find(tab, text: str):
    """Type into the field that finds."""
    tab.get_by_role("searchbox", name="Find").fill(text)


def test_every_numbered_equation_is_there_once():
    labels = [
        label for page in pages() for label in LABEL.findall(page.read_text("utf-8"))
    ]
    shown = re.findall(r'<li id="ledger-(eq-[\w-]+)"', LEDGER.read_text("utf-8"))
    assert len(labels) > 300
    assert sorted(shown) == sorted(labels)


def test_equations_have_the_numbers_and_the_order_of_their_chapters():
    html = LEDGER.read_text("utf-8")
    numbers = [int(n) for n in re.findall(r"#equation-eq-[\w-]+\">\((\d+)\)</a>", html)]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)


def test_filters_count_what_is_left(tab):
    rows = tab.locator(".ledger-chapter li")
    status = tab.locator(".ledger-tools [role=status]")
    expect(status).to_have_text(f"{rows.count()} equations")
    html = LEDGER.read_text("utf-8")
    for name, value in (
        ("formula", "words"),
        ("formula", "runs"),
        ("against", "PyTorch"),
    ):
        tab.locator(f"select[name={name}]").select_option(value)
        many = len(re.findall(rf'<li [^>]*data-{name}="[^"]*\b{value}\b', html))
        assert 0 < many < rows.count()
        expect(status).to_have_text(f"{many} of {rows.count()} equations")
        assert tab.locator(".ledger-chapter li:not([hidden])").count() == many
        tab.locator(f"select[name={name}]").select_option("")


def test_what_is_found_is_unfolded_and_drawn(tab):
    find(tab, "rotate_pairs")
    row = tab.locator("#ledger-eq-rotation")
    expect(row.locator(".katex-html")).to_be_visible()
    assert tab.locator("#ledger-eq-softmax").is_hidden()
    wrong = row.get_by_role("link", name="See which")
    page, anchor = wrong.get_attribute("href").split("#")
    assert f'id="{anchor}"' in (LEDGER.parent / page).read_text("utf-8")
    find(tab, "no such thing at all")
    expect(tab.locator(".ledger-tools [role=status]")).to_contain_text("0 of")
    find(tab, "")
    expect(row).to_be_attached()


def test_formulas_are_there_without_a_script(browser):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(LEDGER.as_uri())
    tab.locator(".ledger-chapter > summary").first.click()
    expect(tab.locator(".ledger-formula math").first).to_be_visible()
    assert not tab.locator(".ledger-tools").is_visible()
    context.close()


def test_the_page_weighs_little():
    assert len(gzip.compress(LEDGER.read_bytes())) < 90_000
    scripts = re.findall(r'<script[^>]*src="([^"?]*)', LEDGER.read_text("utf-8"))
    assert any(script.endswith("_static/ledger.js") for script in scripts)
    others = [page for page in (HTML / "book").rglob("*.html") if page != LEDGER]
    assert not [page for page in others if "ledger.js" in page.read_text("utf-8")]
