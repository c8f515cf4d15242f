"""`make mutants`: make small mistakes in the package, one by one, and see whether checks and tests notice.

Every survivor must be listed in `EQUIVALENT` of its idea, `tests/<group>/about_<idea>.py`, with the reason why it
changes nothing; another one fails the run. What the tests alone noticed in a function that has a check is told, too.
`--sample 40` tries as many, chosen by `--seed`; `--only rope` those of modules with that word in their path.
The input contracts hold no mathematics and would make the run half as long again: they are left out, unless
`--only contract` asks for them.
"""

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
for threads in ("OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[threads] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
OTHER_TESTS = ("contract", "test_trees.py")  # beside those of the groups


def main() -> int:
    """Run the mutants and print the figures; 1 where one survived that is not listed."""
    import pytest

    from mutation.session import GROUPS, Session

    session = Session(**vars(arguments()))
    tests = [
        *(ROOT / "tests" / name for name in (*GROUPS, *OTHER_TESTS)),
        *(ROOT / "src" / "transformer_math" / group for group in GROUPS),
    ]
    start = time.monotonic()
    pytest.main(
        [
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:warnings",
            f"--rootdir={ROOT}",
            *map(str, filter(os.path.exists, tests)),
        ],
        plugins=[session],
    )
    print(figures(session, time.monotonic() - start))
    return 1 if not session.sound or unlisted(session) else 0


def figures(session, seconds: float) -> str:
    """What came of it, in a few lines."""
    tried = [
        (mutant, outcome)
        for mutant, outcome in session.results
        if outcome != "impossible"
    ]
    killed = sum(outcome != "survived" for _, outcome in tried)
    near = [(mutant, o) for mutant, o in tried if has_check(session, mutant)]
    inside = [
        (mutant, o)
        for mutant, o in near
        if not mutant.of_input and not session.explained(mutant)
    ]
    alone, own = (sum(o == "checks" for _, o in some) for some in (near, inside))
    known = len(list(session.survivors())) - len(unlisted(session))
    impossible = len(session.results) - len(tried)
    return "\n".join(
        [
            f"{len(tried)} mutants in {seconds:.0f} s, {killed} killed: {share(killed, len(tried))}",
            f"in functions that have a check: {len(near)}, {alone} killed by the checks alone: {share(alone, len(near))}",
            f"there without conditions on the input and what is listed: {len(inside)}, {share(own, len(inside))}",
            f"not tried, since they cannot be put into a running function: {impossible}",
            f"listed as equivalent: {known}; without them {share(killed, len(tried) - known)} killed",
            *(f"TESTS ALONE {mutant.name}" for mutant, o in near if o == "tests"),
            *(f"NOT LISTED {mutant.name}" for mutant in unlisted(session)),
        ]
    )


def share(part: int, whole: int) -> str:
    """A share in per cent."""
    return f"{part / max(whole, 1):.1%}"


def has_check(session, mutant) -> bool:
    """Whether a mutant sits in a function that a check is made for."""
    return any(
        check.target.__module__.endswith(f".{mutant.path.stem}")
        and check.target.__name__ == mutant.function
        for check in session.checks
    )


def unlisted(session) -> list:
    """The survivors that nobody has explained."""
    return [mutant for mutant in session.survivors() if not session.explained(mutant)]


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="modules whose path holds this word")
    parser.add_argument("--sample", type=int, help="try only so many, chosen by chance")
    parser.add_argument("--seed", type=int, default=0, help="of that choice")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
