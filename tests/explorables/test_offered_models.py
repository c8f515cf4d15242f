"""A model of two megabytes is fetched when a reader asks for it, and by nothing else."""

import pytest
from live_pages import CLASSES, EMPTY, open_file, settle
from playwright.sync_api import expect

OFFERED = [name for name, figure in CLASSES.items() if figure().offer()]
MODEL = "weights/language_model.js"


@pytest.fixture
def page_with(browser, explorables_folder):
    """Open a page with figures; yields the page and what it has asked for."""
    opened = []

    def opener(*names):
        body = "\n".join(CLASSES[name]().html() for name in names)
        path = explorables_folder / f"offered{'-'.join(names)}.html"
        path.write_text(EMPTY.format(body=body), "utf-8")
        opened.append(open_file(browser, path))
        return opened[-1].__enter__()

    yield opener
    for page in opened:
        page.__exit__(None, None, None)


def asked(requests):
    return any(MODEL in url for url in requests)


def test_the_language_model_is_offered_and_small_models_are_not():
    assert {"pipeline", "head_sheet", "decoding", "inspector"} <= set(OFFERED)
    assert not {"rope", "scaled_dot_product", "translator", "senses"} & set(OFFERED)
    assert CLASSES["continuation"]().offer() == ""  # it waits for somebody who types


@pytest.mark.parametrize("name", OFFERED)
def test_it_comes_with_a_press_and_not_before(page_with, name):
    page, requests = page_with(name)
    offer = page.get_by_role("button", name="Fetch the model (2.0 MB)")
    offer.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    assert not asked(requests)
    assert page.locator(".explorable-still svg, .explorable-still table").count()
    offer.press("Enter")
    expect(page.locator("section.xp")).to_be_visible(timeout=30_000)
    settle(page)
    assert asked(requests)
    assert page.evaluate("document.activeElement.closest('section.xp') !== null")


def test_a_press_on_the_picture_will_do_and_the_others_of_the_page_follow(page_with):
    page, _ = page_with("head_sheet", "logit_parts")
    page.locator("figure.explorable").first.locator("[role=img]").click(
        position={"x": 20, "y": 20}
    )
    for figure in page.locator("figure.explorable").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator("section.xp")).to_be_visible(timeout=30_000)
