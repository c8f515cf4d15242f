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
EVENTS = 280
FRAME = 16.7  # milliseconds, at 60 frames a second


def measure(browser: Browser, idea: str, html: Path) -> list[float]:
    """The milliseconds that each of many inputs took, on the built page, opened from the file system."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((html / PAGES[idea]).as_uri())
    page.locator(f'figure.explorable[data-explorable="{idea}"] .xp-says').wait_for(state="attached")
    result = page.evaluate(SCRIPT.read_text("utf-8").rstrip().removesuffix(";"), {"idea": idea, "events": EVENTS})
    page.close()
    if len(result["times"]) < 200 or result["answered"] < len(result["times"]) / 2:
        raise RuntimeError(f"{idea}: {len(result['times'])} inputs, of which {result['answered']} changed what is said")
    return result["times"]


def rows(html: Path = HTML) -> list[Row]:
    """The median and the 95th percentile of each explorable."""
    found = []
    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        for idea in PAGES:
            times = measure(browser, idea, html)
            found.append(Row(f"{idea}, input to paint, median of {len(times)}", median(times), "ms"))
            found.append(
                Row(f"{idea}, input to paint, 95th percentile", quantiles(times, n=20)[-1], "ms", at_most=FRAME)
            )
        browser.close()
    return found
