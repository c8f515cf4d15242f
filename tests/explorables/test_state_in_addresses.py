"""A link to a figure holds its state: who opens it sees what the sender saw, and a link that makes no sense does no harm."""

import re

import pytest
from live_pages import CLASSES, NAMES, TAKE, said, settle
from playwright.sync_api import expect

from benchmarks.explorables import SCRIPT
from transformer_math.explorables import (
    FormulaExplorable,
    RopeExplorable,
    SinusoidalExplorable,
)
from transformer_math.explorables.assets import settable

EVENTS = 25
KEPT = "navigator.clipboard.writeText = async (text) => { window.copied = text; }"
SAYS = ".xp-says"


def figure_at(page, link, at=0):
    """Open a link on a page, and wait for a figure there to say something."""
    page.goto("about:blank")
    page.goto(link)
    return awake(page, at)


def awake(page, at=0):
    figure = page.locator("figure.explorable").nth(at)
    field = figure.locator(".explorable-still :is(input, textarea):enabled")
    figure.scroll_into_view_if_needed()
    if "?" not in page.url:  # a link wakes its figure
        figure.evaluate(TAKE)
        for one in field.all():
            one.press_sequentially(" x")
    expect(figure.locator(SAYS)).to_have_text(re.compile(r"\w"))
    page.wait_for_function("() => !/Reading|Writing|on its way/.test(document.querySelector('.xp-says').textContent)")  # fmt: skip
    settle(page)
    return figure


def copied(page, figure):
    """The link that the button copies."""
    page.evaluate(KEPT)
    figure.get_by_role("button", name="copy link").click()
    page.wait_for_function("() => window.copied")
    return page.evaluate("() => { const link = window.copied; window.copied = undefined; return link; }")  # fmt: skip


def line_of(figure):
    return figure.locator(".explorable-link span").inner_text()


@pytest.mark.parametrize("name", NAMES)
def test_no_input_is_too_soon_and_who_opens_a_link_sees_what_the_sender_saw(name, show):
    """Inputs come as fast as frames; the page complains of nothing (its opener asserts it), and the figure goes on answering."""
    page = show(name)
    figure = awake(page)
    script = SCRIPT.read_text("utf-8").rstrip().removesuffix(";")
    for events in (
        EVENTS,
        EVENTS + 1,
    ):  # the last of so many may lead back to the start
        asked = {"idea": CLASSES[name].idea, "events": events}
        result = page.evaluate(script, asked)
        assert result["answered"] > result["inputs"] / 2 > EVENTS / 4
        awake(page)
        link, words = copied(page, figure), said(figure)
        if "?" in link:
            break
    assert "?" in link, "no control moved a trait"
    assert line_of(figure).startswith("Link copied.")
    if "left out" in line_of(figure):  # thousands of characters were typed
        return
    other = figure_at(show(name), link)
    assert said(other) == words
    assert copied(other.page, other) == link


NAMED = 4  # as many as the figure names
WRONG = {"number": "1e9", "switch": "perhaps", "text": 5000 * "x", "list": "[1"}


@pytest.mark.parametrize("name", NAMES)
def test_a_link_that_makes_no_sense_does_no_harm(name, show):
    page = show(name)
    address = f"{page.url}#{CLASSES[name].idea.replace('/', '-').replace('_', '-')}"
    figure = figure_at(page, f"{address}?none=1&__proto__=2&%E0%A4%A")
    words = said(figure)
    assert (
        "This link asks for something that the figure does not have: none"
        in line_of(figure)
    )
    kinds = list(settable(CLASSES[name]).items())
    for some in (kinds[i : i + NAMED] for i in range(0, len(kinds), NAMED)):
        query = "&".join(f"{trait}={WRONG[kind]}" for trait, kind in some)
        figure = figure_at(page, f"{address}?{query}")
        assert said(figure) == words, query
        assert all(trait.replace("_", " ") in line_of(figure) for trait, _ in some)


# ---- what an address may hold ----


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("rope", "d=3"),  # steps of two
        ("rope", "d=4&plane=2"),  # a plane that four dimensions do not have
        ("rope", "i=2.5"),
        ("rope", "query=1,2"),
        ("masks", "preset=constructor"),
        ("masks", "mask=[1]"),
        ("equivariance", "order=0,0,1,2,3"),
        ("product", "rows=1"),  # given once, and no state
        ("formula", "equation=eq-gelu"),  # its example would have to come from Python
        ("scaled_dot_product", "K=[1,2],[3]"),
        ("scaled_dot_product", "Q=[]"),
        ("inspector", "written=1e7"),
    ],
)
def test_what_a_figure_cannot_show_is_refused(name, query, show):
    page = show(name)
    address = f"{page.url}#{CLASSES[name].idea.replace('/', '-').replace('_', '-')}"
    words = said(figure_at(page, f"{address}?none=1"))
    figure = figure_at(page, f"{address}?{query}")
    assert said(figure) == words or "d=4" in query
    assert "This link asks for something" in line_of(figure)


def test_what_a_reader_typed_is_in_the_link_up_to_a_length(show):
    page = show(FormulaExplorable("eq-gelu"))
    figure = awake(page)
    field = figure.get_by_role("textbox")
    field.fill("\\operatorname{gelu}(x) = x & “½” + 1 #?")
    link = copied(page, figure)
    other = figure_at(show(FormulaExplorable("eq-gelu")), link)
    assert other.get_by_role("textbox").input_value() == field.input_value()
    field.fill("x" * 2000)
    assert "?" not in copied(page, figure)
    assert "Too long for a link, and left out: latex." in line_of(figure)


def test_edited_queries_and_keys_are_in_the_link(show):
    page = show("scaled_dot_product")
    figure = awake(page)
    figure.get_by_text("Edit the query’s").click()
    figure.get_by_label("Q, row 2, dimension 0", exact=True).fill("40")
    figure.get_by_label("K, row 11, dimension 1", exact=True).fill("-7.1234567")
    settle(page)
    link = copied(page, figure)
    assert line_of(figure) == "Link copied."
    other = figure_at(show("scaled_dot_product"), link)
    assert said(other) == said(figure)


# ---- where it leads ----


def test_the_second_figure_of_an_idea_has_an_address_of_its_own(show):
    page = show(RopeExplorable(), SinusoidalExplorable(), RopeExplorable())
    page.goto(f"{page.url}#position-rope-2?i=7")
    figure = awake(page, 2)
    expect(figure).to_be_in_viewport()
    assert "7" in figure.locator(SAYS).inner_text()
    assert (
        page.locator("figure.explorable").nth(0).get_attribute("id") == "position-rope"
    )


def test_a_link_on_a_page_that_is_open_moves_the_figure(show):
    page = show("rope")
    words = said(awake(page))
    for query in ("?i=9&d=4", "?i=9", ""):
        page.evaluate("query => { location.hash = `#position-rope${query}`; }", query)
        settle(page)
    page.evaluate("() => { location.hash = '#position-rope?none=1'; }")
    expect(page.locator(SAYS)).to_have_text(words)


def test_a_figure_that_a_fold_hides_is_opened(show, explorables_folder):
    page = show("alibi")
    page.evaluate(
        """() => {
          const [fold, figure] = [document.createElement('details'), document.querySelector('figure')];
          figure.before(fold);
          fold.append(figure);
          location.hash = '#position-alibi?row=3';
        }"""
    )
    expect(page.locator("figure.explorable .xp-says")).to_be_in_viewport()


def test_without_a_clipboard_the_link_stands_in_a_field(show):
    page = show("rope")
    figure = awake(page)
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"
    )
    figure.get_by_role("button", name="copy link to “Rotary position embedding”").press(
        "Enter"
    )
    field = figure.get_by_label("Link to this figure")
    assert field.input_value() == f"{page.url}#position-rope"
    assert page.evaluate("() => getSelection().toString()") == field.input_value()
