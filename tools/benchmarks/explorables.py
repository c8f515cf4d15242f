"""How soon an explorable answers: the processor's time from an input to the end of the frame that shows it."""

import json
import re
from collections import defaultdict
from pathlib import Path
from statistics import quantiles

from playwright.sync_api import Browser, sync_playwright

from benchmarks.table import Row
from chromium import find_chromium, launch

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"
SCRIPT = Path(__file__).with_suffix(".js")
PEER = "a number written"
EVENTS = 280
# How many times slower than this machine the processor is made, and how many milliseconds an answer may take then.
LIMITS = {1: 16.7, 4: 50.0}


def pages_of(html: Path) -> dict[str, Path]:
    """For each explorable a page of the built book that shows it: that of its own idea, else the first by name."""
    shown = defaultdict(list)
    for page in sorted((html / "book").rglob("*.html")):
        for idea in re.findall(r'data-explorable="([^"]+)"', page.read_text("utf-8")):
            shown[idea].append(page)
    own = {idea: html / "book" / f"{idea}.html" for idea in shown}
    return {idea: own[idea] if own[idea] in pages else pages[0] for idea, pages in shown.items()}  # fmt: skip


def measure(
    browser: Browser, idea: str, path: Path, slower: int = 1
) -> tuple[list[float], list[float]]:
    """The milliseconds of each of many inputs, every part of the explorable open, and of as many plain frames.

    They are those in which the page's thread ran: on a machine that others use too, the clock counts these as well.
    The page is a built one, opened from the file system.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    figure = page.locator(f'figure.explorable[data-explorable="{idea}"]').first
    figure.scroll_into_view_if_needed()
    for field in figure.locator(".explorable-still :is(input, textarea):enabled").all():
        field.press("x")  # it waits for the first keystroke
    figure.evaluate("e => e.querySelector('.explorable-offer:enabled')?.click()")
    figure.locator(".xp-says").wait_for(state="attached")
    processor = page.context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    browser.start_tracing(page=page, categories=["blink.user_timing"])
    script = SCRIPT.read_text("utf-8").rstrip().removesuffix(";")
    result = page.evaluate(script, {"idea": idea, "events": EVENTS})
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    page.close()
    if errors:
        raise RuntimeError(f"{idea}: {errors[0]}")
    inputs, answered = result["inputs"], result["answered"]
    # on a slower processor some answer after the next input
    if inputs < 200 or answered < inputs / (2 if slower == 1 else 4):
        raise RuntimeError(
            f"{idea}: of {inputs} inputs, only {answered} changed anything"
        )
    return between(trace, "input"), between(trace, "plain")


def between(trace: list[dict], what: str) -> list[float]:
    """The thread's milliseconds between two marks, each time.

    >>> marks = [("input begins", 1000), ("plain begins", 2500), ("input ends", 4000)]
    >>> between([{"name": name, "tts": at} for name, at in marks], "input")
    [3.0]
    """
    begins, ends = (
        sorted(mark["tts"] for mark in trace if mark["name"] == f"{what} {edge}")
        for edge in ("begins", "ends")
    )
    return [(end - begin) / 1000 for begin, end in zip(begins, ends, strict=True)]


def rows(html: Path = HTML) -> list[Row]:
    """The 95th percentile of each explorable, on this processor and on a slower one."""
    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        found = [
            summary(idea, slower, *measure(browser, idea, page, slower))
            for slower in LIMITS
            for idea, page in pages_of(html).items()
        ]
        browser.close()
    return found


def summary(idea: str, slower: int, ours: list[float], plain: list[float]) -> Row:
    """A line of the table."""
    what = f"{idea}, input to paint" + f", {slower}× slower" * (slower > 1)
    return Row(f"{what}, 95th percentile of {len(ours)}", late(ours), "ms", late(plain), PEER, LIMITS[slower])  # fmt: skip


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times, n=20)[-1]
