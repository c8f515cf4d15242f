"""What makes an explorable one thing in two places: a live widget in Jupyter, a moving figure on the built page."""

import json
from html import escape
from typing import Any

import anywidget
import traitlets

from transformer_math.explorables._scripts import stylesheet, whole_module
from transformer_math.explorables._traits import Weights, Whole

HEAVY = 10**6  # bytes of weights that a page fetches when a reader asks for them
_WITHOUT_SCRIPT = "A still picture of the state; where scripts run, it moves."


class Explorable(anywidget.AnyWidget):
    """A widget whose state Python reads and sets, and which a page without Python can play as well.

    A subclass stands in `explorables/<group>/<idea>.py`, beside its module `<idea>.js`. It says what its traits are,
    how the state looks as a still picture (`still`) and in words (`description`), and how much room the figure needs
    (`heights`). The traits of its own are its state; what they can take travels along, as `bounds`.
    """

    _css = stylesheet()
    bounds = traitlets.Dict(read_only=True).tag(sync=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "heights" in cls.__dict__ and "_esm" not in cls.__dict__:
            cls.idea = "/".join(cls.__module__.split(".")[-2:])  # "position/rope"
            cls._esm = whole_module(f"{cls.idea}.js")

    @traitlets.default("bounds")
    def _default_bounds(self) -> dict[str, dict]:
        found = {
            name: getattr(trait, "bounds", None)
            for name, trait in self.traits().items()
        }
        return {name: bounds for name, bounds in found.items() if bounds is not None}

    @traitlets.observe(traitlets.All)
    def _keep_inside(self, change: dict) -> None:
        """When a trait shrinks below which others must stay, they follow."""
        for name, trait in self.traits().items():
            if isinstance(trait, Whole) and change["name"] in trait.bounds.get(
                "below", []
            ):
                setattr(self, name, min(getattr(self, name), trait.highest(self)))

    def still(self) -> str:
        """The current state as an SVG element, for where scripts are off."""
        raise NotImplementedError

    def description(self) -> str:
        """What the still picture shows, in words."""
        raise NotImplementedError

    def field(self) -> str:
        """A line of text above the still picture, if the figure is to wait until somebody types in it."""
        return ""

    def offer(self) -> str:
        """A button over the still picture, if the figure is to wait with a model that weighs much; its weight in megabytes."""
        names = [n for n, trait in self.traits().items() if isinstance(trait, Weights)]
        heavy = [len(getattr(self, name)) for name in names]
        if self.field() or max(heavy, default=0) < HEAVY:
            return ""
        return f'<button type="button" class="explorable-offer" disabled>Fetch the model ({sum(heavy) / 1e6:.1f} MB)</button>'

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, as CSS lengths: in one column, and in two."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """What the module reads and writes: the traits that the subclass added, without weights."""
        own = set(type(self).class_trait_names(sync=True)) - set(
            Explorable.class_trait_names(sync=True)
        )
        return {
            name: getattr(self, name)
            for name in sorted(own)
            if not name.startswith("_")  # _esm, _css: not state
            and not isinstance(self.traits()[name], Weights)
        }

    def html(self) -> str:
        """The figure for a built page: state and still picture; `host.js` brings it to life."""
        content = self.state() | {"bounds": self.bounds}
        state = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        narrow, wide = self.heights()
        return (
            f'<figure class="explorable" data-explorable="{self.idea}" style="--xp-narrow:{narrow};--xp-wide:{wide}">'
            f'<div class="explorable-room">\n<div class="explorable-still">{self.field()}{self.offer()}'
            f'<div role="img" aria-label="{escape(self.description())}">{self.still()}</div>'
            f"<p>{_WITHOUT_SCRIPT}</p></div>\n</div>\n"
            f'<script type="application/json" data-part="state">{_inside_script(state)}</script>\n</figure>'
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is not None:
            bundle[0]["text/html"] = self.html()
        return bundle


def _inside_script(text: str) -> str:
    """Keep the text from ending the element that holds it: in a string, JSON and JavaScript read these escapes back."""
    return text.replace("</script", "<\\/script").replace("<!--", "\\u003c!--")
