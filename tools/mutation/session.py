"""One pytest session in which every mutant gets a process of its own, forked when all is loaded."""

import ast
import cProfile
import gc
import math
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import jaxtyping
import numpy as np
from _pytest.runner import runtestprotocol

from mutation.live import Impossible, apply, codes_of, forget, functions_of
from mutation.mutators import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "transformer_math"
GROUPS = sorted(  # those that have checks; of a trained model, training it is the test
    folder.name
    for folder in (PACKAGE / "checks").glob("[a-z]*/")
    if folder.name != "trained"
)
OUTCOMES = ("checks", "tests", "time-out", "survived", "impossible")
CASES = 8  # of a check are enough to see what it calls
SECONDS = 10  # of processor time for one check or test; an endless loop ends there
SLOW = 1.0  # a test that takes more seconds is asked about its own group alone


@dataclass
class Session:
    """A pytest plugin that runs mutants instead of tests."""

    only: str = ""
    sample: int | None = None
    seed: int = 0
    jobs: int = 2
    results: list[tuple[Mutant, str]] = field(default_factory=list)
    sound: bool = False  # until all has passed as it is
    calls: dict[str, set] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    equivalent: dict[str, dict] = field(default_factory=dict)

    def pytest_runtestloop(self, session) -> bool:
        """Run every mutant; true says that the tests have been run."""
        from transformer_math.checks import all_checks

        self.checks = list(all_checks().values())
        self.items = session.items
        self.live = functions_of(PACKAGE)
        self.original = {
            path: codes_of(ast.parse(path.read_text("utf-8")), path)
            for path in self.live
        }
        mutants = self.chosen()
        gc.freeze()  # so that collecting does not copy the parent's memory into every child
        self.sound = self.watched()
        if self.sound:
            self.run(mutants)
        self.equivalent = self.said()
        return True

    def said(self) -> dict[str, dict]:
        """What ideas say of mutants that change nothing; asked while the tests' modules can be imported."""
        from abouts import abouts

        return {
            idea: getattr(about, "EQUIVALENT", {}) for idea, about in abouts().items()
        }

    def explained(self, mutant: Mutant) -> bool:
        """Whether its idea says why a mutant changes nothing."""
        said = self.equivalent.get(mutant.idea, {})
        return mutant.mutation in said.get(mutant.function, {})

    def chosen(self) -> list[Mutant]:
        """All mutants of the modules in question, or a sample of them."""
        groups = [*GROUPS, *(["contract"] if self.only == "contract" else [])]
        modules = [
            PACKAGE / "trees.py",
            *(p for g in groups for p in sorted((PACKAGE / g).glob("[!_]*.py"))),
        ]
        found = [
            mutant
            for path in modules
            if self.only in str(path)
            for mutant in mutants_of(path)
        ]
        return (
            found
            if self.sample is None
            else Random(self.seed).sample(found, min(self.sample, len(found)))
        )

    def run(self, mutants: list[Mutant]) -> None:
        """Keep as many processes at work as there are jobs."""
        running: dict[int, tuple[Mutant, float]] = {}
        waiting = list(reversed(mutants))
        while waiting or running:
            while waiting and len(running) < self.jobs:
                mutant = waiting.pop()
                running[self.fork(lambda mutant=mutant: self.judged(mutant))] = (
                    mutant,
                    time.monotonic(),
                )
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid in running:
                mutant, _ = running.pop(pid)
                self.report(mutant, _outcome(status), len(mutants))
            elif pid == 0:
                self.stop_late_ones(running)
                time.sleep(0.005)

    def watched(self) -> bool:
        """Run everything once as it is, in a process that writes down what each check and test calls; true when all is well."""
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "calls"
            os.waitpid(self.fork(lambda: self.noted(notes)), 0)
            failed, self.calls, self.seconds = (
                pickle.loads(notes.read_bytes())
                if notes.exists()
                else ("one of them", {}, {})
            )
        if failed:
            print(f"Without any mutant {failed} fails: nothing can be measured.")
        return failed is None

    def noted(self, notes: Path) -> str:
        """Write down what each check and test calls, how long it takes, and the first that fails."""
        calls, seconds, failed = {}, {}, None
        for path in self.live:
            forget(path)  # who asks first shall compute, and so be seen to call
        few = [replace(c, cases=min(c.cases, CASES)) for c in self.checks]
        judges = [(check.name, fails, check) for check in few]
        judges += [(item.nodeid, self.item_fails, item) for item in self.items]
        for name, judge, thing in judges:
            start = time.process_time()
            fell, calls[name] = _calls(judge, thing)
            seconds[name] = time.process_time() - start
            if fell:
                failed = name
                break
        notes.write_bytes(pickle.dumps((failed, calls, seconds)))
        return "survived"

    def concerns(self, name: str, mutant: Mutant) -> bool:
        """Whether a check or test calls the function in which the mistake is; conditions in decorators have no name."""
        path = str(mutant.path)
        return any(
            file == path and (called + ".").startswith((mutant.function + ".", "<"))
            for file, called in self.calls[name]
        )

    def stop_late_ones(self, running: dict) -> None:
        """End a process that waits for something that never comes."""
        for pid, (_, since) in running.items():
            if time.monotonic() - since > 60 * SECONDS:
                os.kill(pid, signal.SIGKILL)

    def fork(self, task: Callable[[], str]) -> int:
        """Start a process that does a task, and ends with the number of its outcome."""
        sys.stdout.flush()
        if pid := os.fork():
            return pid
        _limit_memory()
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            os._exit(OUTCOMES.index(task()))
        finally:
            os._exit(
                OUTCOMES.index("impossible")
            )  # an error of this tool: nothing was tried

    def judged(self, mutant: Mutant) -> str:
        """Make the mistake and say who noticed: a check, else a test, else nobody."""
        try:
            apply(
                mutant,
                self.live.get(mutant.path, {}),
                self.original.get(mutant.path, []),
            )
        except Impossible:
            return "impossible"
        if any(map(_limited(fails, "checks"), self.ordered_checks(mutant))):
            return "checks"
        if any(map(_limited(self.item_fails, "tests"), self.ordered_items(mutant))):
            return "tests"
        return "survived"

    def ordered_checks(self, mutant: Mutant) -> list:
        """The checks that call the function: its own, those of its group, all the others; the quick ones first."""

        def order(check) -> tuple[int, float]:
            target = check.target
            near = _nearness(target.__module__, target.__name__, mutant)
            return -near, self.seconds[check.name]

        return sorted(
            (check for check in self.checks if self.concerns(check.name, mutant)),
            key=order,
        )

    def ordered_items(self, mutant: Mutant) -> list:
        """The tests that call the function: those of its module, those of its group, the other quick ones."""
        asked = []
        for item in self.items:
            near = _nearness(str(item.path), item.name, mutant)
            seconds = self.seconds[item.nodeid]
            if self.concerns(item.nodeid, mutant) and (near or seconds < SLOW):
                asked.append((-near, seconds, item))
        return [item for *_, item in sorted(asked, key=lambda entry: entry[:2])]

    def item_fails(self, item) -> bool:
        """Whether a test fails now."""
        reports = runtestprotocol(item, log=False, nextitem=None)
        return any(report.failed for report in reports)

    def report(self, mutant: Mutant, outcome: str, total: int) -> None:
        """Keep the outcome, and print those that survived as they come."""
        self.results.append((mutant, outcome))
        if outcome == "survived":
            print(
                f"[{len(self.results)}/{total}] {mutant.path.relative_to(ROOT)}:{mutant.line} {mutant.name}",
                flush=True,
            )

    def survivors(self) -> Iterator[Mutant]:
        """The mutants that nobody noticed."""
        return (mutant for mutant, outcome in self.results if outcome == "survived")


def fails(check) -> bool:
    """Whether the package's own function fails a check now, shapes not enforced, as when the book is built."""
    from transformer_math.checks import run

    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        with np.errstate(all="ignore"):
            return run(check, check.target).failed_case is not None
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)


def _calls(judge: Callable, thing) -> tuple[bool, set]:
    """What a check or test says, and the file and name of every function of the package that it called."""
    watch = cProfile.Profile(builtins=False)
    failed = watch.runcall(judge, thing)
    codes = (entry.code for entry in watch.getstats())
    seen = {(code.co_filename, code.co_qualname) for code in codes}
    return failed, {place for place in seen if place[0].startswith(str(PACKAGE))}


def _outcome(status: int) -> str:
    if os.WIFSIGNALED(status):
        return "time-out"
    return (
        OUTCOMES[os.WEXITSTATUS(status)]
        if os.WEXITSTATUS(status) < len(OUTCOMES)
        else "tests"
    )


def _nearness(place: str, name: str, mutant: Mutant) -> int:
    group, idea = mutant.path.parent.name, mutant.path.stem
    return 4 * (mutant.function in name) + 2 * (idea in place) + (group in place)


def _limited(judge: Callable, outcome: str) -> Callable:
    """The same check or test, with its own share of processor time; who ends an endless loop has noticed the mistake."""

    def judged(item) -> bool:
        used = math.ceil(time.process_time())
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        signal.signal(signal.SIGXCPU, lambda *_: os._exit(OUTCOMES.index(outcome)))
        resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, most))
        return judge(item)

    return judged


def _limit_memory() -> None:
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**31, used + 2**31))
