"""Which pages refer to what another page has changed: a number, a title, an address, or that it is there at all.

Sphinx resolves a page's references when it writes the page, and does not write one again because of another's change.
"""

from collections.abc import Iterator

from dependencies import hash_of
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def note(app: Sphinx, doctree: nodes.document) -> None:
    """Note what a page refers to, while it is read."""
    found = {key(node["reftarget"]) for node in doctree.findall(pending_xref)}
    _noted(app.env)[app.env.docname] = sorted(found)


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget it, before the page is read again."""
    _noted(env).pop(docname, None)


def merge(app: Sphinx, env: BuildEnvironment, docnames: list[str], other) -> None:
    """Take over what another process noted."""
    _noted(env).update({name: _noted(other)[name] for name in docnames})


def _noted(env: BuildEnvironment) -> dict[str, list[str]]:
    if not hasattr(env, "references"):
        env.references = {}
    return env.references


def key(target: str) -> str:
    """A target's name, whether a label or the path of a page."""
    return target.rpartition("/")[2].removesuffix(".md").lstrip("#").lower()


def targets(env: BuildEnvironment) -> dict[str, str]:
    """For all that can be referred to, a hash of where it is and of what is shown for it."""
    found: dict[str, list] = {}
    for name, shown in sorted(_targets(env), key=repr):
        found.setdefault(key(name), []).append(shown)
    return {name: hash_of(repr(shown)) for name, shown in found.items()}


def _targets(env: BuildEnvironment) -> Iterator[tuple[str, tuple]]:
    numbers = {
        (page, anchor): number
        for page, kinds in env.toc_fignumbers.items()
        for anchors in kinds.values()
        for anchor, number in anchors.items()
    }
    std, math = env.get_domain("std"), env.get_domain("math")
    for labels in (std.anonlabels, std.labels):
        for name, place in labels.items():
            yield name, (*map(str, place), numbers.get(place[:2]))
    for label, place in math.equations.items():
        yield label, place
    for page, title in env.titles.items():
        yield page, (title.astext(),)


def moved(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that refer to something that is not what it was when they were written."""
    now, then = targets(env), app.fresh.targets
    app.fresh.targets = now
    changed = {n for n in now.keys() | then.keys() if now.get(n) != then.get(n)}
    return [page for page, own in _noted(env).items() if changed.intersection(own)]


def listen(app: Sphinx) -> None:
    """Note references as pages are read; have pages written again when all numbers are given."""
    app.connect("doctree-read", note)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-get-updated", moved, priority=900)
