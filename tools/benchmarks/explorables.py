"""How soon an explorable answers: the main thread's time from an input to the end of the frame that shows it."""

from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, sync_playwright

from benchmarks.table import Row
from chromium import find_chromium, launch

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"
SCRIPT = Path(__file__).with_suffix(".js")
PAGES = {
    "scaled_dot_product": "book/attention/scaled_dot_product.html",
    "sinusoidal": "book/position/sinusoidal.html",
    "rope": "book/position/rope.html",
}
PEER = "a number written"
EVENTS = 280
FRAME = 16.7  # milliseconds, at 60 frames a second


def measure(browser: Browser, idea: str, html: Path) -> tuple[list[float], list[float]]:
    """The milliseconds of each of many inputs, and of as many plain frames.

    The page is the built one, opened from the file system.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((html / PAGES[idea]).as_uri())
    says = f'figure.explorable[data-explorable="{idea}"] .xp-says'
    page.locator(says).first.wait_for(state="attached")
    script = SCRIPT.read_text("utf-8").rstrip().removesuffix(";")
    result = page.evaluate(script, {"idea": idea, "events": EVENTS})
    page.close()
    inputs, answered = len(result["times"]), result["answered"]
    if inputs < 200 or answered < inputs / 2:
        raise RuntimeError(
            f"{idea}: of {inputs} inputs, {answered} changed the sentence"
        )
    return result["times"], result["plain"]


def rows(html: Path = HTML) -> list[Row]:
    """The median and the 95th percentile of each explorable."""
    found = []
    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        for idea in PAGES:
            what, (ours, plain) = (
                f"{idea}, input to paint",
                measure(browser, idea, html),
            )
            middle, high = [(median(ours), median(plain)), (late(ours), late(plain))]
            found.append(
                Row(f"{what}, median of {len(ours)}", middle[0], "ms", middle[1], PEER)
            )
            found.append(
                Row(f"{what}, 95th percentile", high[0], "ms", high[1], PEER, FRAME)
            )
        browser.close()
    return found


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times, n=20)[-1]
