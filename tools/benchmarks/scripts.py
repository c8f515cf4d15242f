"""How much JavaScript of its own a built page can load: the host, and the modules that its explorables import."""

import gzip
import json
import re
from pathlib import Path

FIGURE = re.compile(r'<figure class="explorable" data-explorable="([\w/]+)"')
IMPORT = re.compile(r'from ?"(\.{1,2}/[\w./]+\.js)"')


def own_kilobytes(folder: Path, pages: list[str]) -> float:
    """The page that loads most: each file gzipped by itself, in thousands of bytes; weights are no scripts."""
    static = (folder / "_static" / "explorables").resolve()
    loaded = (
        page_scripts(static, (folder / page).read_text("utf-8")) for page in pages
    )
    return max(sum(map(gzipped, files)) for files in loaded) / 1000


def page_scripts(static: Path, html: str) -> set[Path]:
    """The files that a page loads once each of its figures has come into sight."""
    found: set[Path] = set()
    waiting = [static / f"{idea}.js" for idea in FIGURE.findall(html)]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += [placed(static, file.parent / path) for path in imports(file)]
    return found | ({static / "host.js"} if found else set())


def placed(static: Path, path: Path) -> Path:
    """Where a module is on the site: those of the formulas, beside the explorables in the package, are in a folder of theirs."""
    path = path.resolve()
    inside = path.is_relative_to(static)
    return path if inside else static / path.relative_to(static.parent)


def imports(file: Path) -> list[str]:
    """What a module imports; the file registers the module's text as a string."""
    _, _, text = file.read_text("utf-8").partition(",")
    return IMPORT.findall(json.loads(text.strip().removesuffix(");")))


def gzipped(file: Path) -> int:
    """The bytes of a file on its way."""
    return len(gzip.compress(file.read_bytes()))
