"""How much JavaScript of its own the built book sends: the host, and the module that each explorable carries."""

import gzip
from html.parser import HTMLParser
from pathlib import Path


class Modules(HTMLParser):
    """Collects the modules of the explorables in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notice the beginning of a module."""
        self._inside = tag == "script" and ("data-part", "module") in attrs
        if self._inside:
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        """Notice the end of a module."""
        self._inside = False

    def handle_data(self, data: str) -> None:
        """Keep what stands in a module."""
        if self._inside:
            self.found[-1] += data


def modules(html: str) -> list[str]:
    """The source of each explorable's module in a page.

    >>> modules('<script>1</script><script data-part="module">let a;</script><p>2</p>')
    ['let a;']
    """
    parser = Modules()
    parser.feed(html)
    return parser.found


def own_kilobytes(folder: Path, pages: list[str]) -> float:
    """The host and every module, each gzipped by itself, in thousands of bytes."""
    texts = [(folder / page).read_text("utf-8") for page in pages]
    host = (folder / "_static" / "host.js").read_text("utf-8")
    sources = {host, *(source for text in texts for source in modules(text))}
    return sum(len(gzip.compress(source.encode())) for source in sources) / 1000
