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

# What a reader sees of words, and so whether they stand out: their colour and size, and what lies behind them.
_KIND = """
  const around = (e) => {
    if (e === null || known.has(e)) return known.get(e) ?? "";
    const {backgroundColor, backgroundImage, opacity, filter} = getComputedStyle(e);
    known.set(e, [around(e.parentElement), backgroundColor, backgroundImage, opacity, filter].join().replaceAll(CLEAR, ""));
    return known.get(e);
  };
  const [CLEAR, known] = [",rgba(0, 0, 0, 0),none,1,none", new Map()];
  const kind = (e) => {
    const {color, fontSize, fontWeight} = getComputedStyle(e);
    return [color, parseFloat(fontSize) >= 24, fontWeight, around(e)].join();
  };
"""
# Formulas and lines of code by the thousand differ in nothing that a rule asks for: one of each kind is looked at, and
# the others are taken out meanwhile. Of drawings, no rule asks for more than their names and for what answers in them.
# axe's time grows with all that stands in a page.
_SET_ASIDE = """
() => {
  const answering = "a, [role], [tabindex], foreignObject";
  const drawn = [...document.querySelectorAll("svg")].filter((e) => !e.querySelector(answering));
  window.aside = drawn.map((e) => [e, e.replaceChildren.bind(e, ...e.childNodes)]);
  drawn.forEach((e) => e.replaceChildren(...e.querySelectorAll(":scope > title, :scope > desc")));
  const seen = new Set();
  for (const e of document.querySelectorAll(".katex-html, math, .highlight pre")) {
    const kinds = [e, ...e.querySelectorAll("span")].map(kind).filter((one) => !seen.has(one));
    kinds.forEach((one) => seen.add(one));
    if (kinds.length > 0) continue;
    aside.push([e, e.replaceChildren.bind(e, ...e.childNodes)]);
    e.replaceChildren(e.matches("pre") ? e.textContent : "");
  }
}
""".replace("() => {", "() => {" + _KIND, 1)
_PUT_BACK = "() => aside.forEach(([, back]) => back())"
# Words of one kind stand out alike: one element of each kind.
_ONE_OF_EACH = """
() => {
  const written = (e) => [...e.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const seen = new Map();
  for (const e of document.body.querySelectorAll("*"))
    if (written(e) && e.checkVisibility() && !seen.has(kind(e))) seen.set(kind(e), e);
  return [...seen.values()];
}
""".replace("() => {", "() => {" + _KIND, 1)
_RUN = """
([where, what, rules]) => axe.run(where, {runOnly: what, rules, resultTypes: ["violations"], preload: false}).then((result) =>
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


def violations(tab, but: tuple[str, ...] = ()) -> list[str]:
    """What axe finds in an open page by all rules of the standards but some: rule, place, element."""
    what = {"type": "tag", "values": STANDARDS}
    return _found(tab, "document", what, {rule: {"enabled": False} for rule in but})


def faint_words(tab) -> list[str]:
    """Words that do not stand out enough, as `violations` lists them: of each kind one is measured."""
    return _found(tab, _ONE_OF_EACH, {"type": "rule", "values": ["color-contrast"]}, {})


def _found(tab, where: str, what: dict, rules: dict) -> list[str]:
    if not tab.evaluate("typeof axe === 'object'"):
        tab.evaluate(axe())
    tab.evaluate(_SET_ASIDE)
    found = tab.evaluate(_RUN, [tab.evaluate_handle(where), what, rules])
    tab.evaluate(_PUT_BACK)
    return sorted(found)
