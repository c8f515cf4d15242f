"""The built pages, in a real browser, from the folder: nothing missing, nothing foreign, legible on every screen."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urlparse

import pytest
from conftest import ROOT

HTML = ROOT / "_build" / "html"
PAGES = sorted(
    path.relative_to(HTML).as_posix() for path in HTML.glob("book/**/*.html")
)
SCREENS = {"light": (1200, 900), "dark": (1200, 900), "phone": (360, 780)}

CONTRAST = """
() => {
  const rgb = (colour) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      const c = rgb(getComputedStyle(e).backgroundColor);
      if (c[3] > 0) layers.push(c);
      if (c[3] === 255) break;
    }
    return layers.reverse().reduce((under, c) => under.map((u, i) => u + (c[i] - u) * c[3] / 255), [255, 255, 255]);
  };
  const luminance = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = [];
  const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({visibilityProperty: true})) continue;
    if (element.closest("svg, .katex-mathml, script, style, .headerlink, a.copybtn, button.copybtn, [disabled]")) continue;
    const [a, b] = [rgb(getComputedStyle(element).color), behind(element)].map(luminance).sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const text = walker.currentNode.data.trim().slice(0, 40);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${element.tagName}.${element.className} ${text}`);
  }
  return [...new Set(poor)];
}
"""
MUTE_DRAWINGS = """
() => [...document.querySelectorAll("article svg")]
  .filter((svg) => !svg.closest("[aria-hidden=true], .katex, section.xp, .sd-summary-icon, .sd-summary-state-marker, button"))
  .filter((svg) => !svg.getAttribute("aria-label") && !svg.querySelector("title")).length
"""
TEX = re.compile(
    r"\\(?:frac|sqrt|text|mathbb|operatorname|begin|top|left|cdot)\b|\$[^$\n]{1,80}\$|\{(?:doc|eq|cite|ref)[:}]"
)


class Links(HTMLParser):
    """The addresses and the anchors of a page, and its pictures without alternative text."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors, self.mute = [], set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(
            value for name in ("id", "name") if (value := attributes.get(name))
        )
        self.links += [
            attributes[name] for name in ("href", "src") if attributes.get(name)
        ]
        if tag == "img" and "alt" not in attributes:
            self.mute.append(attributes.get("src"))


@pytest.fixture(scope="module")
def parsed():
    """Every page of the site, source pages included, as its links and anchors."""
    pages = {}
    for path in (page for page in HTML.rglob("*.html") if "_static" not in page.parts):
        pages[path.resolve()] = links = Links()
        links.feed(path.read_text("utf-8"))
    return pages


def test_no_link_leads_nowhere(parsed):
    broken = []
    for path, page in parsed.items():
        for link in page.links:
            address = urlparse(link)
            if address.scheme or address.netloc:
                continue
            target = (
                (path.parent / unquote(address.path)).resolve()
                if address.path
                else path
            )
            if target.is_dir():
                target = target / "index.html"
            anchor = urldefrag(link).fragment
            if not target.exists() or (
                anchor
                and target in parsed
                and unquote(anchor) not in parsed[target].anchors
            ):
                broken.append(f"{path.relative_to(HTML)}: {link}")
    assert not broken, broken[:20]


def test_every_picture_has_alternative_text(parsed):
    mute = {
        str(path.relative_to(HTML)): page.mute
        for path, page in parsed.items()
        if page.mute
    }
    assert not mute


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_it_is_for_search_and_sharing(page):
    html = (HTML / page).read_text("utf-8")
    for needle in (
        "<title>",
        'name="description"',
        'property="og:title"',
        'property="og:image"',
        'property="og:description"',
    ):
        assert needle in html, needle


@pytest.fixture(params=SCREENS)
def screen(request, browser):
    """A context for each kind of screen, with the network off; counts requests to other hosts."""
    width, height = SCREENS[request.param]
    scheme = "dark" if request.param == "dark" else "light"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        offline=True,
        has_touch=request.param == "phone",
    )
    yield context
    context.close()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_whole(page, screen):
    foreign, complaints = [], []
    tab = screen.new_page()
    tab.on(
        "request",
        lambda request: (
            request.url.startswith(("file:", "data:", "blob:"))
            or foreign.append(request.url)
        ),
    )
    tab.on(
        "console",
        lambda message: (
            message.type in ("error", "warning") and complaints.append(message.text)
        ),
    )
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on(
        "requestfailed", lambda request: complaints.append(f"missing: {request.url}")
    )
    tab.goto((HTML / page).as_uri())
    tab.wait_for_load_state("load")
    for figure in tab.locator("figure.explorable").all():
        figure.locator("section.xp").wait_for()
    assert not foreign
    assert not complaints
    assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    visible = tab.evaluate("""() => {
        const copy = document.querySelector("article").cloneNode(true);
        copy.querySelectorAll(".katex-mathml, pre, code, script, style").forEach((node) => node.remove());
        return copy.textContent;
    }""")
    assert not TEX.search(visible), TEX.search(visible)
    assert tab.evaluate(MUTE_DRAWINGS) == 0
    assert tab.evaluate(CONTRAST) == []
    tab.close()
