"""The files that the explorables of a built page share: host, style, modules and weights, each once per book."""

import base64
import json
from hashlib import sha256
from pathlib import Path

import minify
from traitlets import Bool, Float, Int, List, TraitType, Unicode

from transformer_math.explorables._base import Explorable
from transformer_math.explorables._scripts import (
    FORMULAS,
    HERE,
    source,
    stylesheet,
)
from transformer_math.explorables._traits import Weights

FOLDER = "explorables"  # in the folder of static files


def write_assets(static: Path) -> list[Path]:
    """Write every file below `static/explorables`; returns those that changed or were not there yet."""
    texts = scripts() | weights() | kinds()
    version = sha256("".join(texts.values()).encode()).hexdigest()[:10]
    texts["host.js"] = (
        f'globalThis.explorablesVersion="{version}";\n{minified(source("host.js"))}'
    )
    texts["explorable.css"] = stylesheet()
    return [
        static / FOLDER / name
        for name, text in texts.items()
        if _write(static / FOLDER / name, text)
    ]


def scripts() -> dict[str, str]:
    """Each module as a classic script that registers the module's text, minified: what a page from `file://` may load."""
    files = [path.relative_to(HERE).as_posix() for path in sorted(HERE.rglob("*.js"))]
    files += [f"formulas/{path.name}" for path in sorted(FORMULAS.glob("*.js"))]
    return {
        file: f"explorables.register({json.dumps(file)},{json.dumps(minified(source(file)), ensure_ascii=False)});\n"
        for file in files
        if file != "host.js"
    }


def minified(script: str) -> str:
    """A script without comments and spaces, its local names short."""
    return minify.string("application/javascript", script)


def weights() -> dict[str, str]:
    """The weights of all explorables as scripts that register them in base64."""
    found = {}
    for cls in Explorable.__subclasses__():
        for name, trait in cls.class_traits().items():
            if isinstance(trait, Weights):
                found[f"weights/{name}.js"] = weights_script(name, trait.make())
    return found


def kinds() -> dict[str, str]:
    """What an address may say of each explorable: its traits that can be set, and of which kind each is."""
    found = {cls.idea: settable(cls) for cls in Explorable.__subclasses__()}
    return {"kinds.js": f'explorables.register("kinds.js",{json.dumps(found)});\n'}


def settable(cls: type[Explorable]) -> dict[str, str]:
    """The kind of each trait that a reader may set, of one explorable."""
    own = {
        name: trait
        for name, trait in sorted(cls.class_traits(sync=True).items())
        if name not in Explorable.class_trait_names() and not name.startswith("_")
    }
    return {
        name: kind_of(trait)
        for name, trait in own.items()
        if not trait.read_only and not trait.metadata.get("in_python")
    }


def kind_of(trait: TraitType) -> str:
    """The word by which `address.js` knows how to read a trait."""
    return next(word for kind, word in KINDS.items() if isinstance(trait, kind))


KINDS = {Bool: "switch", Float: "number", Int: "number", Unicode: "text", List: "list"}


def weights_script(name: str, data: bytes) -> str:
    """One file of weights."""
    text = base64.b64encode(data).decode()
    return f'explorables.register("weights/{name}.js","{text}");\n'


def _write(path: Path, text: str) -> bool:
    if path.exists() and path.read_text("utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return True
