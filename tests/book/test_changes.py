"""A change within a figure is a small one for the page around it: what does not change is neither styled nor painted anew."""

import json

import pytest
from conftest import ROOT

HTML = ROOT / "_build" / "html" / "book"
WRITE = """async (figure) => {
  const counter = figure.insertBefore(document.createElement("p"), figure.firstChild);
  for (let number = 0; number < 10; number += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    counter.textContent = number;
  }
  await new Promise((done) => setTimeout(done, 100));
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("page", "idea"),
    [
        ("attention/scaled_dot_product", "attention/scaled_dot_product"),
        ("index", "attention/breaking"),
    ],
)
def test_a_written_number_gives_a_few_elements_a_new_style(page, idea, theme, browser):
    tab = browser.new_page()
    # before it opens: to turn a page dark takes a moment, in which colours change
    tab.add_init_script(f"localStorage.setItem('mode', '{theme}')")
    tab.goto((HTML / f"{page}.html").as_uri())
    figure = tab.locator(f'figure.explorable[data-explorable="{idea}"]')
    figure.scroll_into_view_if_needed()
    figure.locator("section.xp").wait_for()
    tab.wait_for_timeout(500)
    browser.start_tracing(page=tab, categories=["devtools.timeline"])
    figure.evaluate(WRITE)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [
        event["args"]["elementCount"]
        for event in events
        if event["name"] == "UpdateLayoutTree"
        and event["args"].get("elementCount") is not None
    ]
    tab.close()
    assert sum(count > 0 for count in styled) >= 10
    assert sorted(styled)[len(styled) // 2] <= 6
