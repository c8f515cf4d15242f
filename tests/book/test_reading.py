"""What readers do with a page: search it, turn it dark, open its menus, copy, link deep into it, print it."""

import re

import pytest
from conftest import ROOT
from playwright.sync_api import expect

from benchmarks.scripts import page_scripts
from benchmarks.server import serve

HTML = ROOT / "_build" / "html"
ROPE = HTML / "book" / "position" / "rope.html"
LEDGER = HTML / "book" / "ledger.html"


@pytest.fixture
def tab(browser):
    """A tab of a desktop's width."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def test_a_slash_opens_the_search_and_a_typed_one_does_not(tab):
    tab.goto(ROPE.as_uri())
    tab.keyboard.press("/")
    field = tab.locator(".search-button__search-container input")
    assert field.is_visible() and field.evaluate("e => e === document.activeElement")
    tab.keyboard.type("a/b")
    assert field.input_value() == "a/b"
    tab.keyboard.press("Escape")
    assert not field.is_visible()


def test_the_theme_switch_works_and_buttons_say_what_they_do(tab):
    tab.goto(ROPE.as_uri())
    seen = set()
    for _ in range(3):
        tab.locator(".theme-switch-button").click()
        seen.add(
            tab.evaluate("document.body.ownerDocument.documentElement.dataset.mode")
        )
    assert seen == {"light", "dark", "auto"}
    buttons = tab.locator(".article-header-buttons > .btn:visible").all()
    assert len(buttons) > 1 and all(one.get_attribute("title") for one in buttons)


MENU = ".dropdown-download-buttons"


def test_the_menu_of_downloads_opens_and_closes(tab):
    tab.goto(ROPE.as_uri())
    button, items = tab.locator(f"{MENU} button").first, tab.locator(f"{MENU} li > *")
    menu = tab.locator(f"{MENU} .dropdown-menu")
    expect(menu).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(menu).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    tab.locator("article h1").click()
    expect(menu).to_be_hidden()
    button.press("ArrowDown")
    expect(items.first).to_be_focused()
    for _ in range(items.count()):
        tab.keyboard.press("ArrowDown")
    expect(items.last).to_be_focused()
    tab.keyboard.press("ArrowUp")
    expect(items.nth(items.count() - 2)).to_be_focused()
    tab.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    tab.mouse.move(0, 0)  # a pointer over the button keeps the menu open
    items.last.focus()
    tab.keyboard.press("Tab")
    expect(menu).to_be_hidden()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_menu_of_downloads_is_whole_in_the_window(tab, width):
    tab.set_viewport_size({"width": width, "height": 740})
    tab.goto(ROPE.as_uri())
    tab.locator(f"{MENU} button").first.click()
    box = tab.locator(f"{MENU} .dropdown-menu").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    bottom = tab.locator(f"{MENU} button").first.bounding_box()
    assert box["y"] >= bottom["y"] + bottom["height"] - 2


def test_the_contents_of_a_page_mark_the_section_in_sight(tab):
    tab.goto(ROPE.as_uri())
    lit = tab.locator(".bd-toc-nav a[aria-current]")
    expect(lit).to_have_count(0)
    links = tab.locator(".bd-toc-nav a")
    assert links.count() > 4
    for place in (2, 0, links.count() - 2):
        address = links.nth(place).get_attribute("href")
        tab.locator(address).evaluate("node => node.scrollIntoView({block: 'start', behavior: 'instant'})")  # fmt: skip
        expect(lit).to_have_attribute("href", address)
        expect(lit).to_have_class(re.compile(r"\bactive\b"))
        for item in tab.locator(f".bd-toc-nav li:has(a[href='{address}'])").all():
            expect(item).to_have_class(re.compile(r"\bactive\b"))
    expect(tab.locator(".bd-toc-nav > ul > li.active")).to_have_count(1)


def test_every_icon_is_seen(tab):
    tab.goto(ROPE.as_uri())
    drawn = tab.evaluate(
        "[...document.querySelectorAll('i[class*=fa-], span[class*=fa-]')].filter(e => e.checkVisibility())"
        ".map(e => [e.className, getComputedStyle(e).maskImage.slice(0, 4), e.getBoundingClientRect().width])"
    )
    assert len(drawn) > 6
    assert all(mask == "url(" and width >= 10 for _, mask, width in drawn), drawn


def test_a_code_cell_is_copied_as_it_stands(tab):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with serve(HTML) as host:
        tab.goto(f"{host}/book/position/rope.html")
        cell = tab.locator("div.cell_input div.highlight:visible").first
        cell.scroll_into_view_if_needed()
        code = cell.locator("pre").evaluate("e => e.textContent")
        cell.hover()
        cell.locator("button.copybtn").click()
        copied = tab.evaluate("navigator.clipboard.readText()")
    assert len(copied) > 40 and copied.strip() == code.strip()


def test_the_sidebar_opens_on_a_phone(browser):
    context = browser.new_context(
        viewport={"width": 360, "height": 780}, has_touch=True
    )
    tab = context.new_page()
    tab.goto(ROPE.as_uri())
    link = tab.locator(".bd-sidebar-primary a", has_text="Ledger")
    assert not link.is_visible() or link.bounding_box()["x"] < 0
    tab.locator(".primary-toggle").click()
    tab.wait_for_function(
        "link => link.checkVisibility() && link.getBoundingClientRect().x >= 0",
        arg=link.element_handle(),
    )
    context.close()


def test_the_sentence_of_a_figure_stays_below_the_bar_of_buttons_on_a_phone(browser):
    context = browser.new_context(viewport={"width": 360, "height": 780})
    tab = context.new_page()
    tab.goto(ROPE.as_uri())
    figure = tab.locator("figure.explorable[data-explorable='position/rope']")
    figure.scroll_into_view_if_needed()
    says = figure.locator(".xp-says").filter(has_text=re.compile(r"\w"))
    says.wait_for()
    figure.evaluate(
        "node => scrollBy({ top: node.getBoundingClientRect().top + 500, behavior: 'instant' })"
    )
    bar, seen = tab.locator(".bd-header-article").bounding_box(), says.bounding_box()
    assert seen["y"] == pytest.approx(bar["y"] + bar["height"], abs=1)
    x, y = seen["x"] + seen["width"] / 2, seen["y"] + seen["height"] / 2
    assert says.evaluate(
        "(p, [x, y]) => p.contains(document.elementFromPoint(x, y))", [x, y]
    )
    context.close()


def test_the_search_finds_words_and_shows_no_formula_twice(tab):
    with serve(HTML) as host:
        tab.goto(f"{host}/search.html?q=positions")
        tab.locator("#results p mark").nth(2).wait_for()
        shown = " ".join(tab.locator("#results p").all_inner_texts())
    assert "position" in shown
    assert not re.search(r"\\[a-z]+\{|M_kM|axes\.|figure, ", shown), shown


@pytest.mark.parametrize("width", [1280, 360])
def test_deep_links_land_on_their_heading(browser, width):
    context = browser.new_context(viewport={"width": width, "height": 800})
    tab = context.new_page()
    tab.goto(ROPE.as_uri())
    anchors = tab.evaluate(
        "[...document.querySelectorAll('article > section > section[id]')].map(e => e.id)"
    )
    missed = {}
    for anchor in anchors[2::3]:
        other = context.new_page()
        other.goto(f"{ROPE.as_uri()}#{anchor}")
        other.wait_for_timeout(700)
        top = other.evaluate(
            "(id) => document.getElementById(id).getBoundingClientRect().top", anchor
        )
        bottom = other.evaluate(
            "document.documentElement.scrollHeight - innerHeight - scrollY"
        )
        if not -5 <= top <= 150 and bottom > 5:
            missed[anchor] = top
        other.close()
    context.close()
    assert len(anchors) > 8 and not missed


def test_what_scrolls_can_be_reached_by_keyboard_and_what_does_not_is_no_stop(browser):
    context = browser.new_context(viewport={"width": 360, "height": 780})
    tab = context.new_page()
    tab.goto(ROPE.as_uri())
    wide = tab.locator("figure.computed > [data-more]").first
    expect(wide).to_have_attribute("data-more", "right")
    assert wide.get_attribute("tabindex") == "0" and wide.get_attribute("aria-label")
    wide.evaluate("e => e.scrollTo(1e6, 0)")
    expect(wide).to_have_attribute("data-more", "left")
    tab.set_viewport_size({"width": 1600, "height": 900})
    tab.wait_for_function(
        "() => [...document.querySelectorAll('[data-more]')].every(e => e.scrollWidth > e.clientWidth + 1)"
    )
    context.close()


def test_the_ledger_is_no_tower_on_a_phone(browser):
    context = browser.new_context(viewport={"width": 390, "height": 780})
    tab = context.new_page()
    tab.goto(LEDGER.as_uri())
    rows = tab.locator(".ledger-chapter li").count()
    tab.locator(".ledger-chapter").evaluate_all(
        "all => all.forEach((chapter) => (chapter.open = true))"
    )
    height = tab.evaluate("document.documentElement.scrollHeight")
    context.close()
    assert rows > 40 and height < 400 * rows


def test_a_dark_page_prints_light_with_its_folds_open_and_is_dark_again(tab):
    tab.emulate_media(color_scheme="dark")
    tab.goto((HTML / "book" / "corrections.html").as_uri())
    state = "[document.documentElement.dataset.theme, document.querySelectorAll('details.fold[open]').length]"
    before = tab.evaluate(state)
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    during = tab.evaluate(state)
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert before == tab.evaluate(state) == ["dark", 0]
    assert during[0] == "light" and during[1] == tab.locator("details.fold").count() > 0


def test_heatmaps_keep_their_data_in_forced_colours(tab):
    tab.emulate_media(forced_colors="active")
    tab.goto(ROPE.as_uri())
    cells = (
        "[...document.querySelectorAll('figure.picture .plus, figure.picture .minus')]"
    )
    inks = tab.evaluate(f"[...new Set({cells}.map(e => getComputedStyle(e).fill))]")
    adjust = tab.evaluate(
        "getComputedStyle(document.querySelector('figure.picture svg')).forcedColorAdjust"
    )
    assert len(inks) == 2 and adjust == "none"


def test_every_script_that_a_page_can_load_is_there():
    static = HTML / "_static" / "explorables"
    found = {
        page.name: page_scripts(static, page.read_text("utf-8"))
        for page in (HTML / "book").rglob("*.html")
    }
    assert len(found["scaled_dot_product.html"]) > 10
    assert static / "formulas" / "values.js" in found["scaled_dot_product.html"]
    assert not [file for files in found.values() for file in files if not file.exists()]
