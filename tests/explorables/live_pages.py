"""Pages with explorables, opened from the file system in a real browser that reaches no other host."""

import re
from contextlib import contextmanager

from tabs import idle_tab, listening

from transformer_math import explorables

OFFERED = [getattr(explorables, name) for name in explorables.__all__]
CLASSES = {
    cls.idea.split("/")[1]: cls for cls in OFFERED if cls is not explorables.Explorable
}
NAMES = list(CLASSES)
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}  # fmt: skip

# what was done on the way to a state is not the state
ON_THE_WAY = re.compile(r" (Tasks done: \d+ of \d+|You hear: .*)\.$")
EMPTY = """<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Explorables</title>
<link rel="stylesheet" href="_static/explorables/explorable.css">
<script defer src="_static/explorables/host.js"></script><script src="_static/explorables/host.js"></script>
<style>html {{ --pst-color-text-base: #323232; background: #fff; font-family: Arial, sans-serif }}
html[data-theme="dark"] {{ --pst-color-text-base: #ced6dd; background: #121212; color: #ced6dd }}
body {{ margin: 16px }}</style>
<body><main>{body}</main></body></html>"""


@contextmanager
def open_file(browser, path, viewport=None, **options):
    """A page and the requests that it made; fails if it says anything in the console or asks for another host."""
    complaints, requests = [], []

    def ask(request):
        if not request.url.startswith(("data:", "blob:")):
            requests.append(request.url)
            if not request.url.startswith("file:"):
                complaints.append(f"request: {request.url}")

    heard = {
        "request": ask,
        "console": lambda said: complaints.append(f"{said.type}: {said.text}"),
        "pageerror": lambda error: complaints.append(f"error: {error}"),
    }
    viewport = viewport or {"width": 800, "height": 1000}
    with idle_tab(browser, viewport, **options) as page, listening(page, **heard):
        page.goto(path.as_uri())
        yield page, requests
    assert complaints == [], complaints


# what is still being found out; a hidden part waits until it is shown again
BUSY = """[...document.querySelectorAll('[aria-busy="true"]')].some((node) => node.checkVisibility())"""
SETTLED = f"""() => new Promise((done) => {{
  const twice = (next) => requestAnimationFrame(() => requestAnimationFrame(next));
  const look = () => ({BUSY} ? twice(look) : done());
  twice(look);
}})"""


def settle(page):
    """Wait until what was asked for is painted, and nothing is still being found out."""
    page.evaluate(SETTLED)


def said(figure):
    """The sentence of a figure, without what was done on the way to its state."""
    return ON_THE_WAY.sub("", figure.locator(".xp-says").inner_text())


# pressed without a pointer, which would then lie over what has come
TAKE = "figure => figure.querySelector('.explorable-offer:enabled')?.click()"


def wake(figure):
    """Ask for the model, or type into a figure that waits for it; the text is the same in the end."""
    figure.evaluate(TAKE)
    field = figure.locator(".explorable-still textarea:enabled")
    if field.count():
        field.press("End")
        field.press("x")
        figure.locator(".explorable-live textarea").press("Backspace")


def look(page, figure=0):
    """Wait for a figure to live and to have painted, and return it."""
    here = page.locator("figure.explorable").nth(figure)
    here.scroll_into_view_if_needed()
    wake(here)
    here.locator(".xp-says").filter(has_text=re.compile(r"\w")).wait_for()
    settle(page)
    return here


def slide(figure, label, value):
    """Draw a slider to a value."""
    script = "(input, x) => { input.value = x; input.dispatchEvent(new Event('input', {bubbles: true})) }"
    figure.get_by_label(label, exact=True).first.evaluate(script, value)
