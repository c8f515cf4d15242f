"""Pages that show what stands on other pages: a directive leaves a place there, and they are written in every build."""

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def places(env: BuildEnvironment, directive: str) -> set[str]:
    """The pages on which a directive left its place."""
    if not hasattr(env, "left_places"):
        env.left_places = {}
    return env.left_places.setdefault(directive, set())


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """A page is read again, or gone."""
    for directive in getattr(env, "left_places", ()):
        places(env, directive).discard(docname)


def merge(app: Sphinx, env: BuildEnvironment, docnames: set, other) -> None:
    """Take over where another process left its places."""
    for directive, pages in getattr(other, "left_places", {}).items():
        places(env, directive).update(pages)


def write_again(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """All of them, as far as they are still there."""
    pages = set().union(*getattr(env, "left_places", {}).values())
    return sorted(pages & env.all_docs.keys())


def setup(app: Sphinx) -> dict:
    """Follow the places through every build; `app.setup_extension` of one that leaves them does this once."""
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", write_again)
    return {"parallel_read_safe": True}
