"""Which pages a build warned of: found by listening to what Sphinx says, in reading, in resolving references, in writing."""

import logging
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.logging import NAMESPACE, get_node_location, is_suppressed_warning


class Warned(logging.Handler):
    """The places of all warnings and errors; a page's own or, where one has no place, every page's."""

    def __init__(self, app: Sphinx):
        super().__init__(logging.WARNING)
        self.app, self.places = app, []
        logging.getLogger(NAMESPACE).addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Take down where a warning points to."""
        kind, subtype = (getattr(record, name, None) for name in ("type", "subtype"))
        if not is_suppressed_warning(kind, subtype, self.app.config.suppress_warnings):
            self.places.append(getattr(record, "location", None))

    def pages(self) -> set[str]:
        """The pages that were warned of, and an end of listening."""
        logging.getLogger(NAMESPACE).removeHandler(self)
        found = set(map(self._page, self.places))
        return set(self.app.env.found_docs) if None in found else found

    def _page(self, place: nodes.Node | tuple | str | None) -> str | None:
        """The name of the page that a place lies on; None where nobody knows."""
        if isinstance(place, nodes.Node):
            place = get_node_location(place)
        if isinstance(place, tuple):
            place = place[0]
        env = self.app.env
        if place is None or place in env.found_docs:
            return place
        name = env.path2doc(Path(place.split(":")[0]).resolve())
        return name if name in env.found_docs else None
