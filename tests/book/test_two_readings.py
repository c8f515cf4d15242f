"""Two readings of a chapter: what each shows, that the choice is kept, that links unfold, that print follows."""

import re

import pytest
from conftest import ROOT
from contents import chapters
from docutils import nodes
from playwright.sync_api import expect
from reading_time import SECONDS, both, tally
from two_readings import fold_deeper

HTML = ROOT / "_build" / "html"
ROPE = HTML / "book" / "position" / "rope.html"
LONG = 12_000
FOLDED = "document.querySelectorAll('details.aside:not([open])').length"
OPEN = "document.querySelectorAll('details.aside[open]').length"


@pytest.fixture
def reader(browser):
    """Somebody who comes for the first time, and stays."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def opened(reader, page=ROPE, anchor=""):
    """A page in a tab."""
    tab = reader.new_page()
    tab.goto(page.as_uri() + anchor)
    return tab


def choice(tab, name: str):
    """A button of the switch."""
    return tab.get_by_role("group", name="How much of this page to show").get_by_role(
        "button", name=name
    )


def test_ideas_come_first_with_code_and_seals_folded(reader):
    tab = opened(reader)
    expect(choice(tab, "Ideas")).to_have_attribute("aria-pressed", "true")
    assert tab.evaluate(FOLDED) > 10 and tab.evaluate(OPEN) == 0
    seal = tab.locator("details.signature").first
    assert seal.bounding_box()["height"] < 40
    assert not seal.locator(".more").first.is_visible()
    assert not tab.locator("details.told").first.is_visible()


def test_the_choice_is_made_by_keyboard_and_kept(reader):
    tab = opened(reader)
    choice(tab, "Ideas").focus()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(choice(tab, "Everything")).to_have_attribute("aria-pressed", "true")
    assert tab.evaluate(FOLDED) == 0
    other = opened(reader, HTML / "book" / "position" / "alibi.html")
    expect(choice(other, "Everything")).to_have_attribute("aria-pressed", "true")
    assert other.evaluate(FOLDED) == 0 and other.evaluate(OPEN) > 5
    choice(other, "Ideas").click()
    assert other.evaluate(OPEN) == 0


def test_nothing_jumps_when_everything_was_chosen_before(reader):
    """What is to be open is open before the page's deferred scripts run."""
    reader.add_init_script('localStorage.setItem("reading", "everything")')
    reader.route("**/readings.js*", lambda route: route.abort())
    assert opened(reader).evaluate(FOLDED) == 0


def test_a_kept_word_that_is_none_is_no_choice(reader):
    reader.add_init_script('localStorage.setItem("reading", "<b>")')
    tab = opened(reader)
    assert tab.evaluate("document.documentElement.dataset.reading") == "ideas"


def test_a_link_unfolds_what_it_points_to(reader):
    tab = opened(reader, anchor="#seal-eq-rope")
    expect(tab.locator("#seal-eq-rope ul").first).to_be_visible()
    tab.evaluate("location.hash = '#eq-rope-relative'")
    expect(tab.locator("#equation-eq-rope-relative")).to_be_in_viewport()


def test_what_goes_deeper_is_a_line_that_a_link_opens(reader):
    tab = opened(reader)
    section = tab.locator("section#shapes-and-cost")
    assert section.get_by_role("heading").is_visible()
    assert not section.locator("table").first.is_visible()
    tab.evaluate("location.hash = '#slower-planes'")
    expect(tab.locator("#slower-planes figure").first).to_be_hidden()
    tab.evaluate("location.hash = '#eq-ntk-base'")
    expect(tab.locator("#equation-eq-ntk-base")).to_be_in_viewport()
    choice(tab, "Everything").click()
    expect(section.locator("table").first).to_be_visible()
    assert not tab.locator("details.deeper > summary").first.is_visible()


def test_deeper_ends_with_its_mark_or_its_section():
    def part(*content):
        return nodes.section("", nodes.title("", "T"), *content, ids=["t"])

    def mark(text):
        return nodes.comment(text, text)

    def words(text):
        return nodes.paragraph("", text)

    whole = part(words("a"), mark("deeper: more"), words("b"), words("c"))
    middle = part(
        mark("deeper: more"), words("a " * 440), mark("deeper-end"), words("b")
    )
    document = nodes.document(None, None)
    document += [whole, middle]
    fold_deeper(None, document)
    assert [len(node) for node in (whole, middle)] == [3, 3]
    assert [node.astext() for node in whole[-1]] == ["more", "b", "c"]
    assert [node.astext() for node in middle[1]] == ["more (2 min)", "a " * 440]
    assert middle[2].astext() == "b"


def test_a_chapter_is_not_long_in_ideas(reader):
    """At 1280 pixels."""
    tab, found = reader.new_page(), {}
    for page in sorted((HTML / "book").glob("*/*.html")):
        tab.goto(page.as_uri())
        found[f"{page.parent.name}/{page.stem}"] = tab.evaluate(
            "document.documentElement.scrollHeight"
        )
    assert len(found) > 50
    assert not {page: high for page, high in found.items() if high > LONG}


def test_print_follows_the_choice(reader):
    tab = opened(reader)
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not tab.locator("details.solution").first.is_visible()
    assert not tab.locator(".readings").is_visible()
    assert not tab.get_by_role("heading", name="Questions people ask").is_visible()
    assert not tab.locator("#jb-print-toc").is_visible()
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    tab.emulate_media(media="screen")
    choice(tab, "Everything").click()
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("details.solution pre").first.is_visible()
    assert tab.get_by_role("heading", name="Questions people ask").is_visible()


@pytest.mark.parametrize(
    ("page", "sentence", "opens"),
    [
        ("gradient/model", "All stacks share one loop:", True),
        ("tokenization/bpe", "The whole training fits into one short function:", True),
        ("tokenization/bpe", "more and more pairs are merged:", False),  # a picture
    ],
)
def test_paper_shows_the_code_that_a_sentence_announces(reader, page, sentence, opens):
    tab = opened(reader, HTML / "book" / f"{page}.html")
    code = tab.locator(f"p:has-text('{sentence}') + .cell > details.listing")
    assert not code.locator("pre").first.is_visible()
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert code.locator("pre").first.is_visible() is opens
    tab.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not code.locator("pre").first.is_visible()


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("tokenization/word_piece", ".xp .xp-next button"),
        ("attention/cross_attention", ".xp .xp-next button"),
        ("trained/induction_heads", ".xp .xp-strip button"),
    ],
)
def test_on_paper_what_can_be_chosen_is_its_text(reader, page, names):
    tab = opened(reader, HTML / "book" / f"{page}.html")
    figure = tab.locator("figure.explorable").first
    figure.scroll_into_view_if_needed()
    figure.locator("section.xp .xp-says").wait_for(state="attached")
    tab.emulate_media(media="print")
    shown = figure.locator(names).evaluate_all(
        "all => all.filter(e => !e.closest('[hidden]'))"
        ".map(e => [e.checkVisibility(), e.textContent !== '', getComputedStyle(e).borderTopWidth])"
    )
    assert len(shown) > 2
    assert all(one == [True, True, "0px"] for one in shown)


def test_paper_has_no_line_that_nobody_drew(reader):
    tab = opened(reader, HTML / "book" / "output" / "decoding.html")
    tab.emulate_media(media="print")
    expect(tab.locator(".sketch-x").first).to_be_visible()
    for name in (".sketch-field .guess", ".sketch-point", ".sketch-help"):
        assert not tab.locator(name).first.is_visible(), name


@pytest.mark.parametrize("page", ["position/rope", "attention/scaled_dot_product"])
def test_paper_has_no_controls_and_no_bars(reader, page):
    tab = opened(reader, HTML / "book" / f"{page}.html")
    for figure in tab.locator("figure.explorable").all():
        figure.evaluate("e => { if (e.closest('details')) e.closest('details').open = true; e.scrollIntoView(); }")  # fmt: skip
        figure.locator("section.xp").wait_for()
    tab.emulate_media(media="print")
    dead = tab.evaluate(
        "[...document.querySelectorAll('button, select, textarea, input, audio')].filter(e => e.checkVisibility())"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert not dead
    assert tab.locator("section.xp .xp-says").first.is_visible()
    drawn = "e => e.getBoundingClientRect().width > 0"
    assert all(
        tab.locator("section.xp .xp-heat canvas").evaluate_all(
            f"all => all.map({drawn})"
        )
    )
    assert "Show code cell" not in tab.evaluate("document.body.innerText")


def test_every_chapter_offers_both_and_says_how_long_they_take():
    for page in chapters():
        html = (HTML / page.relative_to(ROOT)).with_suffix(".html").read_text("utf-8")
        ideas, everything = map(
            int, re.findall(r"<span>(\d+)&nbsp;min</span></button>", html)
        )
        assert 1 <= ideas <= everything < 90, page
        assert "Show code cell" not in html


def test_time_is_counted_from_what_is_read():
    page = nodes.section(
        "", nodes.paragraph(text="one two three"), nodes.math_block("", "x"), ids=["a"]
    )
    page += nodes.raw("", '<figure class="picture one">', format="html")
    exercises = nodes.section("", nodes.paragraph(text="left out"), ids=["exercises"])
    page += exercises
    assert tally(page, everything=True) == {"word": 3, "equation": 1, "figure": 1}
    seconds = 3 * SECONDS["word"] + SECONDS["equation"] + SECONDS["figure"]
    assert both(page) == pytest.approx((seconds / 60, seconds / 60))
    page += nodes.literal_block("", "x = 1\ny = 2")
    assert tally(page, everything=True)["line of code"] == 2


def test_the_hour_is_no_longer_than_an_hour():
    html = (HTML / "book" / "hour.html").read_text("utf-8")
    total = int(re.search(r"All of it: (\d+) minutes", html)[1])
    parts = [int(n) for n in re.findall(r"<span>(\d+)&nbsp;min</span>", html)]
    assert 40 <= total <= 60
    assert abs(sum(parts) - total) <= len(parts) / 2 + 1


@pytest.mark.parametrize("page", chapters(), ids=lambda page: page.stem)
def test_no_sentence_ends_in_what_a_closed_fold_hides(page):
    """On paper the fold of a first reading is not there, and a colon before it would lead to nothing."""
    lines = [line for line in page.read_text("utf-8").splitlines() if line.strip()]
    folds = [i for i, line in enumerate(lines) if line.startswith("% deeper: ")]
    assert not [lines[i - 1][-80:] for i in folds if lines[i - 1].endswith(":")]
