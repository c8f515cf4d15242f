"""What the seals say is found again where something that it depends on changed, and nowhere else."""

import shutil

import evidence
import pytest
from conftest import ROOT
from dependencies import Package
from evidence import gather
from evidence_keys import Keys

from transformer_math.checks import all_checks, checks_for, equations
from transformer_math.formulas.book import Formula, displayed

LABELS = ("eq-softmax", "eq-attention", "eq-relu")
PRINTED = {one.label: one for one in displayed(ROOT, (ROOT / "book").rglob("*.md"))}
FORMULAS = tuple(PRINTED[label] for label in LABELS)


def test_the_labels_of_all_checks_stand_in_their_files_as_they_are():
    """A label that is put together while the check is loaded would not be found."""
    assert set(equations()) <= set(Package().labels("checks"))


def test_the_proof_of_an_equation_depends_on_all_checks_of_its_function():
    """An edge that one check leaves out may be visited by another, of the same function and of another equation."""
    package = Package()
    for check in all_checks().values():
        files = package.checks_of_label(check.equation)
        for other in checks_for(check.target):
            place = other.case.__module__.removeprefix("transformer_math.")
            assert package.folder / f"{place.replace('.', '/')}.py" in files, other.name


@pytest.fixture
def copy(tmp_path):
    unwanted = shutil.ignore_patterns("*.pyc.*", "*.egg-info")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=unwanted)
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    return tmp_path


def keys(root):
    """For each label, the keys of its proofs and of its verdict."""
    own, defined = Keys(root), {"names": {}, "printed": {}}
    return {
        label: (own.proof(label), own.verdict(PRINTED[label], defined, ()))
        for label in PRINTED
        if label
    }


@pytest.mark.parametrize(
    ("file", "proofs", "verdicts"),
    [
        ("formulas/reader.js", False, True),
        ("formulas/values.js", False, True),
        ("formulas/symbols.py", False, True),
        ("formulas/verdict.py", False, True),
        ("formulas/cases.py", False, True),
        ("checks/proof.py", True, True),
        ("checks/edges.py", True, True),
        ("checks/showing.py", True, False),
        ("explorables/kit.js", False, False),
        ("plots/heatmap.py", False, False),
    ],
)
def test_what_runs_them_all_makes_all_of_them_stale(copy, file, proofs, verdicts):
    before = keys(copy)
    path = copy / "src" / "transformer_math" / file
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    after = keys(copy)
    for label in before:
        assert (before[label][0] != after[label][0]) == proofs, label
        if verdicts:
            assert before[label][1] != after[label][1], label


def test_an_edit_in_a_check_makes_the_proofs_of_its_equations_stale(copy):
    before = keys(copy)
    path = copy / "src" / "transformer_math" / "checks" / "position" / "rope.py"
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    after = keys(copy)
    stale = {label for label in before if before[label][0] != after[label][0]}
    assert {"eq-rope", "eq-rotation"} <= stale
    assert not stale & {"eq-softmax", "eq-relu", "eq-sinusoidal", "eq-bpe-train"}


def test_a_reading_is_found_by_its_place_and_by_the_label_that_it_quotes(copy):
    room = copy / "src" / "transformer_math" / "formulas" / "nowhere"
    room.mkdir()
    reading = room / "made_up.py"
    reading.write_text('LABEL = "eq-relu"\n', "utf-8")
    beside = copy / "src" / "transformer_math" / "formulas" / "attention"
    beside.mkdir(exist_ok=True)
    placed = beside / "masks.py"
    placed.touch()
    package = Package(copy)
    assert reading in package.readings_of_label("eq-relu")
    assert reading not in package.readings_of_label("eq-softmax")
    checks = package.quoted_in("checks")
    label = next(
        name
        for name, files in checks.items()
        if any(file.match("checks/attention/masks.py") for file in files)
    )
    assert placed in package.readings_of_label(label)
    assert placed not in package.readings_of_label("eq-gelu")


@pytest.fixture
def ran(monkeypatch):
    """What is run, by the name of the work."""
    tasks = []
    usual = evidence.at_once

    def watched(work, waiting, *knowledge):
        for task in waiting:
            if isinstance(task, str):
                tasks.append((work.__name__, task))
            else:
                formula, works = task
                tasks.extend((one.__name__, formula.label) for one in works)
        return usual(work, waiting, *knowledge)

    monkeypatch.setattr(evidence, "at_once", watched)

    def since():
        found = set(tasks)
        tasks.clear()
        return found

    return since


def edited(label, **changes):
    fields = {"tex": PRINTED[label].tex, "page": PRINTED[label].page}
    new = Formula(**fields | {"line": PRINTED[label].line, "label": label} | changes)
    return tuple(new if one.label == label else one for one in FORMULAS)


def test_what_still_holds_is_kept_and_a_formula_is_run_again_with_those_that_call_it(
    ran, tmp_path
):
    first = gather(FORMULAS, LABELS, tmp_path)
    assert ran() == {(w, label) for w in ("_prove", "_judge") for label in LABELS}
    assert all(first.verdicts[label].runs for label in LABELS)
    assert not any(p.fault for proofs in first.proofs.values() for p in proofs)

    again = gather(FORMULAS, LABELS, tmp_path)
    assert ran() == set() and again == first

    moved = gather(edited("eq-relu", line=7), LABELS, tmp_path)
    assert ran() == set() and moved.verdicts["eq-relu"].formula.line == 7

    wrong = edited("eq-relu", tex=r"\operatorname{ReLU}(x) = \min(0, x)")
    refused = gather(wrong, LABELS, tmp_path)
    assert ran() == {("_judge", "eq-relu")}
    assert refused.verdicts["eq-relu"].problem

    tex = PRINTED["eq-softmax"].tex
    gather(edited("eq-softmax", tex=f"{tex} "), LABELS, tmp_path)
    assert ran() >= {("_judge", "eq-softmax"), ("_judge", "eq-attention")}


def test_what_was_cut_short_is_found_again(ran, tmp_path):
    relu = (PRINTED["eq-relu"],)
    gather(relu, ["eq-relu"], tmp_path)
    ran()
    memory = tmp_path / "evidence.json"
    memory.write_text(memory.read_text("utf-8")[:-9], "utf-8")
    gather(relu, ["eq-relu"], tmp_path)
    assert ran() == {("_prove", "eq-relu"), ("_judge", "eq-relu")}


def test_a_formula_beside_another_is_run_again_with_it():
    own = Keys()
    beside = Formula("x = x", "page", 1, values="as eq-relu")
    assert beside.beside == "eq-relu"
    key = {
        tex: own.verdict(beside, {"names": {}, "printed": {"eq-relu": [tex, "p"]}}, ())
        for tex in ("y = 1", "y = 2")
    }
    assert key["y = 1"] != key["y = 2"]
