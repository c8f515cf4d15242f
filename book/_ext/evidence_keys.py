"""What the evidence depends on, as hashes: another hash now is a reason to find it again."""

from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path

from contents import ROOT
from dependencies import Package, hash_of
from memory import read_json, write_json

from transformer_math.formulas.book import Formula

OWN = ("evidence", "evidence_keys", "workers")  # the modules that find it


class Keys:
    """Hashes of what the evidence depends on."""

    def __init__(self, root: Path = ROOT):
        self.package = package = Package(root)
        formulas, checks = package.folder / "formulas", package.folder / "checks"
        pinned = {root / "requirements.txt"}
        own = hash_of("".join(Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in OWN))  # fmt: skip
        prove = package.closure({checks / "proof.py", checks / "showing.py"})
        self.proving = package.digest(own, prove | pinned)
        judge = package.closure({formulas / "verdict.py"})
        self.judging = package.digest(own, {*judge, *formulas.glob("*.*js"), *pinned})
        self.proof = cache(lambda label: package.digest(self.proving, package.checks_of_label(label)))  # fmt: skip
        self.cases = cache(lambda label: package.digest("", package.readings_of_label(label)))  # fmt: skip

    def definitions(self, formulas: Iterable[Formula]) -> str:
        """A hash of all that may decide which formula defines which name."""
        read = repr([(one.label, one.tex, one.page) for one in formulas if one.label])
        rooms = self.package.files("formulas") + self.package.files("checks")
        return self.package.digest(self.judging + read, rooms)

    def verdict(self, formula: Formula, defined: dict, asked: Iterable[str]) -> str:
        """A hash of all that decides what comes of a formula, which asked for these names."""
        calls = [
            (name, label, defined["printed"].get(label), self.cases(label))
            for name in asked
            for found in [*defined["names"].get(name, ())]
            for label in with_way_there(found)
        ]
        own = [
            (defined["printed"].get(label), self.cases(label))
            for label in with_way_there(formula.label or formula.beside)
        ]
        return hash_of(repr([self.judging, identity(formula), own, [*asked], calls]))


def with_way_there(label: str | None) -> list[str]:
    """A label, and that of the function through which its formula pulls back: it knows what that one defines."""
    return list(dict.fromkeys((label, label.removesuffix("-vjp")))) if label else []


def identity(formula: Formula) -> str:
    """A formula's name from build to build: the line where it stands may change."""
    fields = {name: part for name, part in asdict(formula).items() if name != "line"}
    return hash_of(repr(fields))


def definitions(formulas: tuple[Formula, ...], keys: Keys, folder: Path) -> dict:
    """Which formulas define which names for others, and what they print: kept, or found now."""
    memory, key = folder / "definitions.json", keys.definitions(formulas)
    kept = read_json(memory)
    if kept.get("key") != key:
        from transformer_math.formulas.verdict import open_engine

        with open_engine(formulas) as engine:
            names = engine.definitions()
        printed = {one.label: [one.tex, one.page] for one in formulas if one.label}
        kept = {"key": key, "names": names, "printed": printed}
        write_json(memory, kept)
    return kept
