"""What makes an explorable one thing in two places: a live widget in Jupyter, a moving figure on the built page."""

import base64
import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anywidget
import numpy as np
import traitlets

from transformer_math import palette

_HERE = Path(__file__).parent
_IMPORT = re.compile(r'from "\./([\w.]+\.js)"')
_WITHOUT_SCRIPT = "A still picture of the state; where scripts run, it moves."


@cache
def module(name: str) -> str:
    """One self-contained ES module: `name`.js with each file that it imports put in its place as a data: URL."""
    source = (_HERE / name).with_suffix(".js").read_text(encoding="utf-8")
    return _IMPORT.sub(lambda found: f'from "{_data_url(found[1])}"', source)


def _data_url(file: str) -> str:
    """Percent signs or base64, whichever is shorter. What a URL or a string of JavaScript would swallow is encoded."""
    source = module(file.removesuffix(".js"))
    readable = "".join(chr(code) for code in range(32, 127) if chr(code) not in '%#"\\')
    percent = "data:text/javascript," + quote(source, safe=readable)
    packed = "data:text/javascript;base64," + base64.b64encode(source.encode()).decode()
    return min(percent, packed, key=len)


@cache
def stylesheet() -> str:
    """The palette as CSS variables, then explorable.css."""
    ramps = {"sequential": palette.SEQUENTIAL, "diverging": palette.DIVERGING}
    stops = {
        f"{name}-{i}": colour
        for name, ramp in ramps.items()
        for i, colour in enumerate(ramp)
    }
    variables = palette.ROLES | stops | {"sequential": ", ".join(palette.SEQUENTIAL)}
    lines = "".join(f"--xp-{name}:{value};" for name, value in variables.items())
    return f".xp, figure.explorable {{{lines}}}\n" + (
        _HERE / "explorable.css"
    ).read_text(encoding="utf-8")


class InvalidState(traitlets.TraitError, ValueError):
    """A value that a trait cannot take; traitlets takes back what was set together with it."""


def require(condition: bool | np.bool, message: str) -> None:
    """Raise `InvalidState(message)`, a `ValueError`, unless the condition holds."""
    if not condition:
        raise InvalidState(message)


class Explorable(anywidget.AnyWidget):
    """A widget whose state Python reads and sets, and which a page without Python can play as well.

    A subclass names its idea (`idea = "rope"`, `_esm = module(idea)`) and says what its traits are, how the state
    looks as a still picture (`still`) and in words (`description`). The traits of its own are its state.
    """

    idea: str
    _css = stylesheet()

    def still(self) -> str:
        """The current state as an SVG element, for where scripts are off."""
        raise NotImplementedError

    def description(self) -> str:
        """What the still picture shows, in words."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """What the module reads and writes: the traits that the subclass added."""
        own = set(type(self).class_trait_names(sync=True)) - set(
            Explorable.class_trait_names(sync=True)
        )
        return {
            name: getattr(self, name)
            for name in sorted(own)
            if not name.startswith("_")
        }  # _esm, _css: not state

    def html(self) -> str:
        """The figure for a built page: state, module and still picture; `host.js` brings it to life."""
        state = json.dumps(self.state(), ensure_ascii=False, separators=(",", ":"))
        return (
            f'<figure class="explorable" data-explorable="{self.idea}">\n<style>{stylesheet()}</style>\n'
            f'<div class="explorable-still"><div role="img" aria-label="{escape(self.description())}">{self.still()}</div>'
            f"<p>{_WITHOUT_SCRIPT}</p></div>\n"
            f'<script type="application/json" data-part="state">{_inside_script(state)}</script>\n'
            f'<script type="text/plain" data-part="module">{_inside_script(self._esm)}</script>\n</figure>'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/html"] = self.html()
        return bundle


def _inside_script(text: str) -> str:
    """Keep the text from ending the element that holds it: in a string, JSON and JavaScript read these escapes back."""
    return text.replace("</script", "<\\/script").replace("<!--", "\\u003c!--")
