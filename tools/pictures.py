"""Draw the two pictures of the README, `images/preview.png` (also for shared links) and `images/page.png`, from the built book."""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from chromium import find_chromium, launch

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "images"
PAGE = ROOT / "_build" / "html" / "book" / "attention" / "scaled_dot_product.html"
PREVIEW = """
<style>
  body { margin: 0; width: 1200px; height: 630px; display: flex; background: #fcfaf6; color: #1c2733; font: 30px/1.35 sans-serif; }
  main { padding: 70px 0 0 70px; width: 620px; }
  h1 { font-size: 66px; line-height: 1.05; margin: 0 0 34px; }
  .formula { font: italic 40px serif; margin: 44px 0 24px; }
  .formula span { font-style: normal; }
  sub, sup { font-size: 60%; }
  .seal { border-left: 6px solid #17704a; padding-left: 18px; color: #17704a; font-weight: bold; font-size: 24px; }
  svg { height: 620px; margin: 5px 0 0 20px; width: 480px; }
</style>
<main>
  <h1>The Executable Transformer</h1>
  Ten steps from a sentence to the next token. What is printed is what runs.
  <p class="formula">A <span>= softmax(</span> QK<sup>⊤</sup> <span>/ √</span>d<sub>k</sub> <span>)</span></p>
  <div class="seal">✓ runs as printed<br>✓ function checked</div>
</main>
"""


def draw_preview(browser: Browser) -> None:
    """The map of the ten steps beside the formula of attention."""
    tab = browser.new_page(viewport={"width": 1200, "height": 630})
    tab.set_content(PREVIEW + (IMAGES / "map.svg").read_text("utf-8"))
    tab.screenshot(path=IMAGES / "preview.png")


def draw_page(browser: Browser) -> None:
    """The page on attention, with the seal of its formula unfolded."""
    tab = browser.new_page(viewport={"width": 1280, "height": 860})
    tab.goto(PAGE.as_uri())
    seal = tab.locator("details.signature").first
    seal.locator("summary").click()
    tab.evaluate("scrollTo(0, document.querySelector('article h2').offsetTop - 100)")
    tab.screenshot(path=IMAGES / "page.png")


if __name__ == "__main__":
    with sync_playwright() as playwright:
        browser = launch(playwright, find_chromium(playwright))
        draw_preview(browser)
        draw_page(browser)
        browser.close()
