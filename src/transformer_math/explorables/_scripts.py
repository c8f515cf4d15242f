"""The explorables' modules and style: whole for a widget, file by file for a built page."""

import base64
import re
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from transformer_math import palette

HERE = Path(__file__).parent
IMPORT = re.compile(r'from "(\.{1,2}/[\w./]+\.js)"')  # host.js looks for the same


FORMULAS = (
    HERE.parent / "formulas"
)  # its modules read and run formulas, on the page as in the build


@cache
def source(file: str) -> str:
    """What stands in a file, named from this folder: "position/rope.js"; in "formulas/" stand those of that package."""
    here = HERE.parent if file.startswith("formulas/") else HERE
    return (here / file).read_text("utf-8")


def imported(file: str, path: str) -> str:
    """The file that `path` means in another file.

    >>> imported("attention/formulas.js", "../position/formulas.js")
    'position/formulas.js'
    >>> imported("editing/book.js", "../../formulas/reader.js")  # above this folder, as a browser reads a path
    'formulas/reader.js'
    """
    parts: list[str] = []
    for part in (*PurePosixPath(file).parent.parts, *path.split("/")):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


@cache
def whole_module(file: str) -> str:
    """One self-contained ES module: the file with each one that it imports put in its place as a data: URL."""

    def put_in_place(found: re.Match) -> str:
        return f'from "{_data_url(whole_module(imported(file, found[1])))}"'

    return IMPORT.sub(put_in_place, source(file))


def _data_url(text: str) -> str:
    """Percent signs or base64, whichever is shorter. What a URL or a string of JavaScript would swallow is encoded."""
    readable = "".join(chr(code) for code in range(32, 127) if chr(code) not in '%#"\\')
    percent = "data:text/javascript," + quote(text, safe=readable)
    packed = "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()
    return min(percent, packed, key=len)


@cache
def stylesheet() -> str:
    """The palette as CSS variables, then explorable.css."""
    inks = {
        "plus": palette.PLUS,
        "minus": palette.MINUS,
        "dark-gain": palette.DARK_GAIN,
    }
    variables = palette.ROLES | inks
    lines = "".join(f"--xp-{name}:{value};" for name, value in variables.items())
    return f".xp, figure.explorable {{{lines}}}\n{source('explorable.css')}"
