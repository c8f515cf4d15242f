"""Style sheets and scripts: put what changed among the built pages, with no chapter run and no page written anew.

Pages ask for `book.css?v=…`, where … is a checksum, so that no browser shows an old one. Sphinx writes it into the pages
that it writes; this brings all others up to date, and keeps their times, by which other extensions know them.
"""

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

from contents import ROOT
from light import is_light, lighten
from sphinx.application import Sphinx

OWN = "book/_static/"
EXPLORABLES = "src/transformer_math/explorables/"
_ASKED = re.compile(r'(?<=_static/)([\w./-]+\.(?:css|js))\?v=([0-9a-f]{8})(?=")')


def is_static(name: str) -> bool:
    """Whether a file of the repository is one that pages fetch as it stands."""
    return name.startswith(OWN) or _of_explorables(name)


def _of_explorables(name: str) -> bool:
    return name.startswith(EXPLORABLES) and name.endswith((".css", ".js"))


def place(names: Iterable[str], html: Path) -> None:
    """Copy changed files to where the pages look for them, remove those that are gone, and renew the checksums."""
    changed = set(names)
    if any(map(_of_explorables, changed)):
        from transformer_math.explorables.assets import write_assets

        write_assets(html / "_static")
    for name in sorted(name for name in changed if name.startswith(OWN)):
        put(name, html)
    if is_light(html):  # a rule may need what was left out of the one sheet
        lighten(html)
    renew_checksums(html)


def put(name: str, html: Path) -> None:
    """One file where the pages look for it, a script minified; or none where it is gone."""
    source, target = ROOT / name, html / "_static" / name.removeprefix(OWN)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not source.exists():
        target.unlink(missing_ok=True)
    elif source.suffix == ".js":
        from transformer_math.explorables.assets import minified

        target.write_text(minified(source.read_text("utf-8")), "utf-8")
    else:
        shutil.copy(source, target)


def renew_checksums(html: Path) -> None:
    """Let every page ask for the files as they are now."""
    sums: dict[str, str] = {}

    def renewed(found: re.Match) -> str:
        name, old = found.groups()
        if name not in sums:
            file = html / "_static" / name
            sums[name] = checksum(file) if file.exists() else old
        return f"{name}?v={sums[name]}"

    for page in html.rglob("*.html"):
        text, status = page.read_text("utf-8"), page.stat()
        now = _ASKED.sub(renewed, text)
        if now != text:
            page.write_text(now, "utf-8")
            os.utime(page, ns=(status.st_atime_ns, status.st_mtime_ns))


def checksum(file: Path) -> str:
    """The checksum that Sphinx gives to a file."""
    data = file.read_bytes().replace(b"\r", b"")
    return f"{crc32(data):08x}"


def finish(app: Sphinx, exception: Exception | None) -> None:
    """After a build, too: Sphinx copied the scripts as they are, and wrote new checksums into some pages alone."""
    if exception is None and app.builder.name == "html":
        for script in (ROOT / OWN).glob("*.js"):
            put(OWN + script.name, Path(app.outdir))
        renew_checksums(Path(app.outdir))


def setup(app: Sphinx) -> dict:
    """Come when the pages are written, before they are made light."""
    app.connect("build-finished", finish, priority=800)
    return {"parallel_read_safe": True}
