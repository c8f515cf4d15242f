"""The book's pages in reading order, from `_toc.yml`: which of them run, and which are chapters."""

from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def pages(root: Path = ROOT) -> list[Path]:
    """Every page that the table of contents names."""
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf-8"))
    return [root / f"{name}.md" for name in _files(toc)]


def _files(entry) -> Iterator[str]:
    if isinstance(entry, list):
        for part in entry:
            yield from _files(part)
    elif isinstance(entry, dict):
        yield from (entry[key] for key in ("root", "file") if key in entry)
        for key in ("parts", "chapters", "sections"):
            yield from _files(entry.get(key))


def notebooks(root: Path = ROOT) -> list[Path]:
    """The pages that have code to run: their front matter names a kernel."""
    return [page for page in pages(root) if "kernelspec:" in page.read_text("utf-8")]


def chapters(root: Path = ROOT) -> list[Path]:
    """The pages in the folder of a group: each teaches an idea, and keeps the chapters' contract."""
    return [page for page in pages(root) if page.parent.parent == root / "book"]


def page_id(page: Path, root: Path = ROOT) -> str:
    """A page's name in messages and in caches, the same wherever the book lies."""
    return page.relative_to(root).as_posix()
