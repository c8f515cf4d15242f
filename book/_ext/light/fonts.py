"""KaTeX's fonts cut to the letters that this book's formulas hold; the whole fonts stay behind them for any other letter."""

import logging
import re
from hashlib import sha256
from html import unescape
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

logging.getLogger("fontTools").setLevel(logging.WARNING)
_FACE = re.compile(r"@font-face\{[^}]*\}")
_TEXT = re.compile(r'class="([^"]*)"[^>]*>([^<]+)<')
_AMS = re.compile(r"\b(?:amsrm|mathbb|textbb)\b")


def letters(html: str) -> tuple[set[str], set[str]]:
    """The characters of a page's formulas: in KaTeX's AMS font, and in any other."""
    ams, others = set(), set()
    for formula in re.findall(
        r'class="katex-html".*?(?=<span class="katex|</p>|\Z)', html, re.DOTALL
    ):
        for kind, text in _TEXT.findall(formula):
            (ams if _AMS.search(kind) else others).update(unescape(text))
    return ams, others


def cut(css: str, folder: Path, ams: set[str], others: set[str]) -> str:
    """Give every `@font-face` of KaTeX's style sheet a twin that serves the book's letters from a small file in `folder`.

    A browser loads the large file only for a letter that the small one lacks (an edited formula, say).
    """

    def twin(found: re.Match) -> str:
        name = re.search(r"fonts/([\w-]+)\.woff2", found[0])[1]
        whole = re.sub(r",url\([^)]*\.(?:woff|ttf)\) format\([^)]*\)", "", found[0])
        path = folder / f"{name}.woff2"
        there = set(TTFont(path).getBestCmap())
        codes = there & set(map(ord, ams if "AMS" in name else others))
        if not codes:
            return whole
        small = whole.replace(path.name, _small(path, sorted(codes)))
        return _limited(whole, there - codes) + _limited(small, codes)

    return _FACE.sub(twin, css)


def _limited(face: str, codes: set[int]) -> str:
    return f"{face[:-1]};unicode-range:{ranges(codes)}}}"


def ranges(codes: set[int]) -> str:
    """Code points as CSS writes them.

    >>> ranges({65, 66, 67, 97})
    'U+41-43,U+61'
    """
    found: list[list[int]] = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return ",".join(f"U+{a:X}" + (f"-{b:X}" if b > a else "") for a, b in found)


def _small(path: Path, codes: list[int]) -> str:
    """Write the cut font beside the whole one and return its name."""
    stamp = sha256(path.read_bytes() + repr(codes).encode()).hexdigest()[:8]
    target = path.with_name(f"{path.stem}-{stamp}.woff2")
    if not target.exists():
        for old in path.parent.glob(f"{path.stem}-????????.woff2"):
            old.unlink()
        options = subset.Options(flavor="woff2", hinting=False, layout_features=["*"])
        font = subset.load_font(str(path), options)
        worker = subset.Subsetter(options)
        worker.populate(unicodes=codes)
        worker.subset(font)
        subset.save_font(font, str(target), options)
    return target.name
