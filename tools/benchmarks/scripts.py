"""How much JavaScript of its own a built page can load: the host, and the modules that its explorables import."""

import gzip
import json
import re
from pathlib import Path

FIGURE = re.compile(r'<figure class="explorable" data-explorable="([\w/]+)"')
IMPORT = re.compile(r'from "(\.{1,2}/[\w./]+\.js)"')


def own_kilobytes(folder: Path, pages: list[str]) -> float:
    """The page that loads most: each file gzipped by itself, in thousands of bytes; weights are no scripts."""
    static = folder / "_static" / "explorables"
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
            waiting += [(file.parent / path).resolve() for path in imports(file)]
    return found | ({static / "host.js"} if found else set())


def imports(file: Path) -> list[str]:
    """What a module imports; the file registers the module's text as a string."""
    _, _, text = file.read_text("utf-8").partition(",")
    return IMPORT.findall(json.loads(text.strip().removesuffix(");")))


def gzipped(file: Path) -> int:
    """The bytes of a file on its way."""
    return len(gzip.compress(file.read_bytes()))
