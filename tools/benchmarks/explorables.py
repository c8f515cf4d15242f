"""How soon an explorable answers: the main thread's time from an input to the end of the frame that shows it."""

from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, sync_playwright

from benchmarks.table import Row
from chromium import find_chromium, launch

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"
SCRIPT = Path(__file__).with_suffix(".js")
PAGES = {
    "model/continuation": "book/index.html",
    "attention/breaking": "book/index.html",
    "model/pipeline": "book/model/pipeline.html",
    "tokenization/playground": "book/tokenization/comparison.html",
    "tokenization/merges": "book/tokenization/bpe.html",
    "tokenization/word_piece": "book/tokenization/word_piece.html",
    "tokenization/unigram": "book/tokenization/unigram.html",
    "editing/formula": "book/attention/scaled_dot_product.html",
    "editing/write": "book/practice.html",
    "trained/induction_heads": "book/trained/induction_heads.html",
    "trained/senses": "book/trained/senses.html",
    "trained/head_sheet": "book/trained/ablation.html",
    "trained/logit_parts": "book/trained/language_model.html",
    "attention/scaled_dot_product": "book/attention/scaled_dot_product.html",
    "embedding/word2vec": "book/embedding/word2vec.html",
    "embedding/pulls": "book/embedding/word2vec.html",
    "embedding/contextual": "book/embedding/ways.html",
    "embedding/ways": "book/embedding/ways.html",
    "position/equivariance": "book/position/equivariance.html",
    "position/sinusoidal": "book/position/sinusoidal.html",
    "position/rope": "book/position/rope.html",
    "position/alibi": "book/position/alibi.html",
    "position/distance": "book/position/distance.html",
    "attention/geometry": "book/attention/scaled_dot_product.html",
    "attention/product": "book/attention/projections.html",
    "attention/masks": "book/attention/masks.html",
    "attention/blockwise": "book/attention/cost.html",
    "block/layer_norm": "book/block/layer_norm.html",
    "block/encoder_layer": "book/block/encoder_layer.html",
    "block/decoder_layer": "book/block/decoder_layer.html",
    "gradient/attention": "book/gradient/attention.html",
    "output/temperature": "book/output/probabilities.html",
    "output/decoding": "book/output/decoding.html",
    "model/inspector": "book/trained/language_model.html",
    "model/translator": "book/trained/date_translator.html",
    "modalities/codebook": "book/modalities/codebook.html",
    "modalities/point_clouds": "book/modalities/point_clouds.html",
    "modalities/divided_attention": "book/modalities/divided_attention.html",
    "modalities/patches": "book/modalities/patches.html",
    "training/training": "book/training/training.html",
    "training/experiment": "book/training/experiment.html",
}
PEER = "a number written"
EVENTS = 280
# How many times slower than this machine the processor is made, and how many milliseconds an answer may take then.
LIMITS = {1: 16.7, 4: 50.0}


def measure(
    browser: Browser, idea: str, html: Path, slower: int = 1
) -> tuple[list[float], list[float]]:
    """The milliseconds of each of many inputs, every part of the explorable open, and of as many plain frames.

    The page is the built one, opened from the file system.
    """
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((html / PAGES[idea]).as_uri())
    figure = page.locator(f'figure.explorable[data-explorable="{idea}"]').first
    figure.scroll_into_view_if_needed()
    for field in figure.locator(".explorable-still :is(input, textarea):enabled").all():
        field.press("x")  # it waits for the first keystroke
    figure.evaluate("e => e.querySelector('.explorable-offer:enabled')?.click()")
    figure.locator(".xp-says").wait_for(state="attached")
    processor = page.context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    script = SCRIPT.read_text("utf-8").rstrip().removesuffix(";")
    result = page.evaluate(script, {"idea": idea, "events": EVENTS})
    page.close()
    if errors:
        raise RuntimeError(f"{idea}: {errors[0]}")
    inputs, answered = len(result["times"]), result["answered"]
    if inputs < 200 or answered < inputs / 2:
        raise RuntimeError(
            f"{idea}: of {inputs} inputs, only {answered} changed anything"
        )
    return result["times"], result["plain"]


def rows(html: Path = HTML) -> list[Row]:
    """The median and the 95th percentile of each explorable, on this processor and on a slower one."""
    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        found = [
            row
            for slower in LIMITS
            for idea in PAGES
            for row in summary(idea, slower, measure(browser, idea, html, slower))
        ]
        browser.close()
    return found


def summary(
    idea: str, slower: int, times: tuple[list[float], list[float]]
) -> list[Row]:
    """Two lines of the table."""
    ours, plain = times
    what = f"{Path(idea).name}, input to paint" + f", {slower}× slower" * (slower > 1)
    middle, high = [(median(ours), median(plain)), (late(ours), late(plain))]
    return [
        Row(f"{what}, median of {len(ours)}", middle[0], "ms", middle[1], PEER),
        Row(f"{what}, 95th percentile", high[0], "ms", high[1], PEER, LIMITS[slower]),
    ]


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times, n=20)[-1]
