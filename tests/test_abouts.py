"""What ideas say of themselves stands with the idea that it is about, under a name that some test reads."""

import pytest
from abouts import NAMES, abouts, listed, told
from conftest import ROOT

from mutation.mutators import mutants_of
from transformer_math.checks import checks_of

PACKAGE = ROOT / "src" / "transformer_math"
BY_FUNCTION = ("EXAMPLES", "ACCEPTED", "NO_TWIN", "COSTS", "OTHER_DEFAULTS", "UNASKED")
IN_LISTS = ("REFUSED", "RIGHT", "WRONG")


def idea_of(function):
    return function.__module__.removeprefix("transformer_math.").replace(".", "/")


@pytest.mark.parametrize("idea", abouts())
def test_it_speaks_of_its_own_idea_under_names_that_are_read(idea):
    about = abouts()[idea]
    values = vars(about).items()
    said = {
        name for name, x in values if name.isupper() and isinstance(x, (dict, list))
    }
    assert said and said <= NAMES.keys()
    spoken_of = [
        *(f for name in BY_FUNCTION for f in getattr(about, name, ())),
        *(entry[0] for name in IN_LISTS for entry in getattr(about, name, ())),
    ]
    assert {idea_of(f) for f in spoken_of} <= {idea}
    labels = [
        name for name in getattr(about, "EQUIVALENT_FORMULAS", ()) if "/" not in name
    ]
    targets = [check.target for label in labels for check in checks_of(label)]
    assert all(idea in map(idea_of, targets) for _ in targets)


def test_the_words_of_all_ideas_are_heard():
    for name in (*BY_FUNCTION, "EQUIVALENT_FORMULAS"):
        parts = [getattr(about, name, {}) for about in abouts().values()]
        assert len(told(name)) == sum(map(len, parts)) > 0, name
    assert len(listed("WRONG")) > 600 and len(listed("RIGHT")) > 200


@pytest.mark.parametrize(
    "idea", [k for k in abouts() if hasattr(abouts()[k], "EQUIVALENT")]
)
def test_an_equivalent_mutant_is_one_that_is_made(idea):
    said = abouts()[idea].EQUIVALENT
    mutants = mutants_of(PACKAGE / f"{idea}.py", said)
    made = {(mutant.function, mutant.mutation) for mutant in mutants}
    assert {(function, m) for function in said for m in said[function]} - made == set()
