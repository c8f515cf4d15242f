"""What pyproject.toml cannot say: the wheel brings the formulas of the book, which the package runs where there are no pages."""

import importlib.util
import json
import sys
from dataclasses import asdict
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
READER = ROOT / "src" / "transformer_math" / "formulas" / "book.py"


class WithFormulas(build_py):
    """Build the package as ever, and write the printed formulas beside the code that reads them."""

    def run(self) -> None:
        """Build, then write."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib, *READER.relative_to(ROOT / "src").parts)
            formulas = [asdict(one) for one in _printed()]
            text = json.dumps(formulas, ensure_ascii=False)
            target.with_suffix(".json").write_text(text, "utf-8")


def _printed() -> list:
    """The reader of pages needs Python alone, so that a wheel is built without the package's own needs."""
    spec = importlib.util.spec_from_file_location("book", READER)
    sys.modules["book"] = reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    return reader.displayed(ROOT, (ROOT / "book").rglob("*.md"))


setup(cmdclass={"build_py": WithFormulas})
