"""axe-core, which finds what keeps people out of a page: fetched from npm when the tests first need it, pinned, never in git."""

import shutil
import tempfile
from pathlib import Path

from transformer_math.npm import digest, unpack, verify

AXE = Path(__file__).resolve().parents[1] / ".cache" / "axe.min.js"
VERSION = "4.14.1"
ARCHIVE = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
SCRIPT = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
STANDARDS = (
    "wcag2a",
    "wcag2aa",
    "wcag21a",
    "wcag21aa",
    "wcag22a",
    "wcag22aa",
    "best-practice",
)

# Formulas and lines of code by the thousand differ in nothing that a rule asks for: one of each kind is looked at, and
# the others are taken out meanwhile. axe's time grows with all that stands in a page.
_SET_ASIDE = """
() => {
  const seen = new Set();
  const kind = (e) => {
    const {color, fontSize, fontWeight, opacity} = getComputedStyle(e);
    return [color, parseFloat(fontSize) >= 24, fontWeight, opacity].join();
  };
  window.aside = [];
  for (const e of document.querySelectorAll(".katex-html, math, .highlight pre")) {
    const place = getComputedStyle(e.closest("td, th, .admonition, details, figure, article") ?? e).backgroundColor;
    const kinds = [e, ...e.querySelectorAll("span")].map((one) => kind(one) + place).filter((one) => !seen.has(one));
    kinds.forEach((one) => seen.add(one));
    if (kinds.length === 0) aside.push([e, e.replaceChildren.bind(e, ...e.childNodes)]);
  }
  aside.forEach(([e]) => e.replaceChildren(e.matches("pre") ? e.textContent : ""));
}
"""
_PUT_BACK = "() => aside.forEach(([, back]) => back())"
_RUN = """
([what, rules]) => axe.run({runOnly: what, rules, resultTypes: ["violations"], preload: false}).then((result) =>
  result.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} ${node.html.slice(0, 120)}`)))
"""


def axe() -> str:
    """The script. Raises RuntimeError where npm cannot fetch it, ValueError for bytes that are not the pinned ones."""
    if not AXE.exists() or digest(AXE.read_bytes()) != SCRIPT:
        AXE.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            package = unpack("axe-core", VERSION, ARCHIVE, Path(folder))
            shutil.copy(package / "axe.min.js", AXE)
    verify(str(AXE), AXE.read_bytes(), SCRIPT)
    return AXE.read_text("utf-8")


def violations(
    tab, rules: tuple[str, ...] | None = None, but: tuple[str, ...] = ()
) -> list[str]:
    """What axe finds in an open page, by all rules of the standards but some, or by these alone: rule, place, element."""
    what = (
        {"type": "tag", "values": STANDARDS}
        if rules is None
        else {"type": "rule", "values": rules}
    )
    if not tab.evaluate("typeof axe === 'object'"):
        tab.evaluate(axe())
    tab.evaluate(_SET_ASIDE)
    found = tab.evaluate(_RUN, [what, {rule: {"enabled": False} for rule in but}])
    tab.evaluate(_PUT_BACK)
    return sorted(found)
