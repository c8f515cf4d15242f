"""All pages of a built folder: those that were written anew are made light, and one style sheet is made of what all use."""

import json
import re
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path

from processes import processes

from .fonts import cut, letters
from .markup import (
    BUNDLE,
    THEIRS,
    UNREAD,
    bind,
    hang,
    on_screen,
    one_sheet,
    slim,
)
from .repairs import repair
from .sounds import apart
from .styles import DYNAMIC, Used, bundle

MEMORY = "light.json"
SCRIPTS = (
    "scripts/pydata-sphinx-theme.js",
    "scripts/sphinx-book-theme.js",
    "copybutton.js",
    "doctools.js",
)


@dataclass
class Page:
    """What one page uses, kept from build to build."""

    stamp: list[int]
    names: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    ams: list[str] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns]


def is_light(folder: Path) -> bool:
    """Whether the pages of a built folder were made light before."""
    return (folder.parent / MEMORY).exists()


def lighten(folder: Path) -> None:
    """Make the pages of a built folder light; reads only those that changed since it did so last."""
    memory = folder.parent / MEMORY
    known = json.loads(memory.read_text()) if memory.exists() else {}
    last = {name: Page(**page) for name, page in known.get("pages", {}).items()}
    stamps = {name: _stamp(folder / name) for name in _names(folder)}
    new = [
        name for name in stamps if name not in last or last[name].stamp != stamps[name]
    ]
    made = dict(zip(new, _all_light(new, folder), strict=True))
    pages = {name: made.get(name) or last[name] for name in stamps}
    version = _write_sheet(folder, list(pages.values()), known.get("version", ""))
    for name, page in pages.items():
        _link(folder / name, page, version, known.get("version", ""))
    state = {"version": version, "pages": {n: vars(p) for n, p in pages.items()}}
    memory.write_text(json.dumps(state, ensure_ascii=False))


def _names(folder: Path) -> list[str]:
    """The pages of a built folder, as addresses in it."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
    return sorted(name for name in found if not name.startswith("_static/"))


def _all_light(names: list[str], folder: Path) -> list[Page]:
    """Make these pages light, as many at a time as there are processors."""
    if not names:
        return []
    with processes(len(names)) as pool:
        return [*pool.map(partial(_light, folder), names, chunksize=8)]


def _light(folder: Path, name: str) -> Page:
    path = folder / name
    html = on_screen(bind(hang(slim(path.read_text("utf-8")))))
    html, sheets = one_sheet(repair(html))
    html = apart(html, path, folder)
    path.write_text(html, "utf-8")
    used = Used()
    used.read(html)
    ams, others = letters(html)
    return Page([], *map(sorted, (used.names, used.tags, ams, others)), sheets)


def _link(path: Path, page: Page, version: str, last: str) -> None:
    """Let the page ask for this version of the sheet, so that no browser shows an old one."""
    if page.stamp and version == last:
        return
    html = path.read_text("utf-8")
    path.write_text(
        re.sub(rf'({re.escape(BUNDLE)}\?v=)\w*"', rf'\g<1>{version}"', html), "utf-8"
    )
    page.stamp = _stamp(path)


def _write_sheet(folder: Path, pages: list[Page], last: str) -> str:
    """Write the one sheet, unless nothing that it depends on has changed; return its version."""
    static = folder / "_static"
    sheets = list(dict.fromkeys(name for page in pages for name in page.sheets))
    used = Used(set(DYNAMIC), {"html", "body", "head", "mark", "dialog"})
    for page in pages:
        used.update(Used(set(page.names), set(page.tags)))
    if not sheets:
        return last
    for script in SCRIPTS:
        used.names.update(
            re.findall(r"[A-Za-z][\w-]+", (static / script).read_text("utf-8"))
        )
    ams, others = (
        {c for page in pages for c in part(page)} for part in (_ams, _others)
    )
    own = "".join(
        path.read_text("utf-8")
        for path in sorted(static.rglob("*.css"))
        if not THEIRS.match(path.relative_to(static).as_posix())
        and not UNREAD.search(path.as_posix())
        and path.name != BUNDLE
    )
    parts = [(static / name).read_bytes() for name in sheets]
    parts += [repr([sorted(x) for x in (used.names, used.tags, ams, others)]).encode()]
    parts += [
        own.encode(),
        *(p.read_bytes() for p in sorted(Path(__file__).parent.glob("*.py"))),
    ]
    version = sha256(b"\0".join(parts)).hexdigest()[:8]
    if version != last or not (static / BUNDLE).exists():
        katex = static / "katex" / "katex.min.css"
        slimmer = katex.with_name("katex.cut.css")  # stays for those who edit a formula
        slimmer.write_text(
            cut(katex.read_text("utf-8"), katex.parent / "fonts", ams, others)
        )
        files = [
            slimmer if static / name == katex else static / name for name in sheets
        ]
        (static / BUNDLE).write_text(bundle(files, used, static / BUNDLE, own), "utf-8")
    return version


def _ams(page: Page) -> list[str]:
    return page.ams


def _others(page: Page) -> list[str]:
    return page.letters
