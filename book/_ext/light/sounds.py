"""Sounds of a page: each becomes a file of its own, which a browser fetches when a reader plays it."""

import os
import re
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

INSIDE = re.compile(r'src="data:audio/wav;base64,([^"]+)"')


def apart(html: str, page: Path, folder: Path) -> str:
    """The page with addresses in the place of its sounds, which are written into the built folder."""

    def put(found: re.Match) -> str:
        data = b64decode(found[1])
        file = folder / "_static" / "sounds" / f"{sha256(data).hexdigest()[:12]}.wav"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return f'src="{Path(os.path.relpath(file, page.parent)).as_posix()}"'

    return INSIDE.sub(put, html)
