"""The package passes every check, every check rejects its wrong versions, and page and registry name the same equations."""

import re
from dataclasses import replace
from inspect import signature

import pytest
from conftest import ROOT, kept_by_the_build
from evidence import find_proofs
from evidence_keys import Keys

from transformer_math.checks import (
    Check,
    all_checks,
    difference,
    equations,
    ideas,
    prove,
)
from transformer_math.checks.proof import run
from transformer_math.checks.registry import check as register

REGISTRY = all_checks()
PAGES = sorted((ROOT / "book").rglob("*.md"))
LABEL = re.compile(r"^:label: (eq-[\w-]+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def faults():
    """What is wrong with each check: as the build found it, where nothing has changed on which it depends, or found anew."""
    proofs = find_proofs(equations(), Keys(), kept_by_the_build("proofs")).values()
    return {one["name"]: one["fault"] for proof in proofs for one in proof["found"]}


@pytest.mark.parametrize("name", REGISTRY)
def test_the_package_passes_and_the_wrong_versions_do_not(name, faults):
    outcome = run(REGISTRY[name], REGISTRY[name].target)  # its signature holds, too
    assert outcome.exception is None
    assert outcome.error <= REGISTRY[name].tolerance
    assert faults[name] is None


@pytest.mark.parametrize("name", REGISTRY)
def test_the_smallest_case_is_a_fair_one_whatever_else_is_drawn(name):
    for cases in range(1, 9):
        check = replace(REGISTRY[name], cases=cases)
        assert check.error(check.target, cases - 1) <= check.tolerance


@pytest.mark.parametrize("name", REGISTRY)
def test_every_check_has_wrong_versions_with_messages_of_their_own(name):
    messages = [wrong.message for wrong in REGISTRY[name].wrong_versions]
    assert messages
    assert len(set(messages)) == len(messages)
    assert all(len(message.split()) >= 4 for message in messages)


@pytest.mark.parametrize("name", REGISTRY)
def test_the_function_names_its_equation(name):
    check = REGISTRY[name]
    named = re.search(r"Book: ([^.]+)\.", check.target.__doc__)
    assert named, f"{check.target.__name__} does not say where it stands in the book"
    assert check.equation in named[1].split(", ")


def test_every_numbered_equation_has_a_check_and_every_checked_one_a_number():
    numbered = [
        label for page in PAGES for label in LABEL.findall(page.read_text("utf-8"))
    ]
    assert sorted(numbered) == sorted(equations())


def test_every_idea_of_the_package_has_checks_of_its_own_name():
    loaded = {check.case.__module__ for check in REGISTRY.values()}
    targets = {
        check.target.__module__.removeprefix("transformer_math.")
        for check in REGISTRY.values()
    }
    assert loaded <= {f"transformer_math.checks.{idea}" for idea in ideas()} | {
        "transformer_math.checks.gradients"
    }
    assert targets == set(ideas())


@pytest.mark.parametrize("name", REGISTRY)
def test_every_wrong_version_has_a_name_of_its_own(name):
    names = [wrong.name for wrong in REGISTRY[name].wrong_versions]
    assert len(set(names)) == len(names) and "<lambda>" not in names, names


@pytest.mark.parametrize("name", REGISTRY)
def test_a_wrong_version_takes_what_its_function_takes(name):
    check = REGISTRY[name]
    wanted = [p.default is p.empty for p in signature(check.target).parameters.values()]
    for wrong in check.wrong_versions:
        got = [
            p.default is p.empty
            for p in signature(wrong.implementation).parameters.values()
        ]
        assert got == wanted or len(wanted) == 1, wrong.name


def test_a_wrong_version_that_only_raises_is_not_rejected_unless_declared():
    picky = Check(
        "picky",
        "eq-none",
        abs,
        "nothing",
        3,
        1e-10,
        lambda implementation, rng: implementation(1) - 1.0,
    )

    def broken(x):
        raise TypeError

    picky.rejects("It is broken, and nobody knows how.")(broken)
    assert [wrong.name for wrong in prove(picky).missed] == ["broken"]
    picky.wrong_versions.clear()
    picky.rejects("It is broken, and that is known.", raises=True)(broken)
    assert prove(picky).holds


def test_two_checks_cannot_share_a_name():
    name = next(iter(REGISTRY))

    def twin(implementation, rng):
        return 0.0

    twin.__name__ = name
    with pytest.raises(ValueError, match="two checks named"):
        register(abs, equation="eq-none", oracle="nothing")(twin)


def test_a_check_that_cannot_fail_does_not_hold():
    lenient = Check(
        "lenient", "eq-none", abs, "nothing", 3, 1e-10, lambda implementation, rng: 0.0
    )
    assert not prove(lenient).holds
    lenient.rejects("A wrong version that nobody notices.")(lambda x: -x)
    assert [wrong.message for wrong in prove(lenient).missed] == [
        "A wrong version that nobody notices."
    ]


def test_nan_and_wrong_shapes_are_errors():
    assert difference([1.0], [1.0, 1.0]) == float("inf")
    failing = Check(
        "nan",
        "eq-none",
        abs,
        "nothing",
        1,
        1e-10,
        lambda implementation, rng: float("nan"),
    )
    assert failing.error(abs, 0) == float("inf")
