"""The loop learns, goes on after an interruption with the same bits, and stops where it would lead nowhere."""

import json
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from transformer_math.trained.recipes import RECIPES, RecipeTask
from transformer_math.training import adam_start
from transformer_math.training._plain import plain
from transformer_math.training.command import (
    done_before,
    said,
    stopped,
    train_from_command_line,
    with_progress,
)
from transformer_math.training.loop import (
    Run,
    Settings,
    TrainingStopped,
    one_step,
    recorded,
    resume,
    stop_if_lost,
    train,
    write_checkpoint,
)
from transformer_math.trees import same

SETTINGS = Settings(seed=3, weight_decay=0.01)


@dataclass(frozen=True)
class Line:
    """Fit y = W x by squared error, on data with noise that is drawn in each step."""

    steps: int = 60
    every: int = 20
    spoil: int = 0
    rate: float = 0.1

    def initial(self, rng):
        return {"W": rng.normal(size=(3, 2)), "b": np.zeros(2, np.float32)}

    def batch(self, rng, step):
        x = rng.normal(size=(16, 3))
        noise = np.nan if step == self.spoil else 0.01 * rng.normal()
        return x, x @ np.arange(6.0).reshape(3, 2) + noise

    def loss_and_gradient(self, parameters, batch):
        x, y = batch
        error = x @ parameters["W"] + parameters["b"] - y
        gradient = 2 * error / error.size
        gradients = {"W": x.T @ gradient, "b": gradient.sum(axis=0).astype("f4")}
        return float(np.mean(error**2)), gradients

    def learning_rate(self, step):
        return self.rate

    def evaluate(self, parameters):
        return {"bias": float(parameters["b"].max())}


def timeless(run):
    """The run without the one thing that no seed decides."""
    history = [{**record, "seconds": 0.0} for record in run.history]
    return run.parameters, run.adam, history


def test_the_loss_falls(tmp_path):
    began, losses = process_time(), []
    history = train(
        Line(), tmp_path, SETTINGS, report=lambda run, loss: losses.append(loss)
    ).history
    assert [record["step"] for record in history] == [20, 40, 60]
    assert history[-1]["loss"] < 0.1 * history[0]["loss"]
    assert list(history[-1]) == ["step", "seconds", "loss", "bias"]
    seconds = [record["seconds"] for record in history]
    assert 0 < seconds[0] < seconds[1] < seconds[2] <= process_time() - began
    assert history[1]["loss"] == np.mean(losses[20:40])


def test_the_seconds_of_all_records_add_up():
    start = {"b": np.zeros(2)}
    once = recorded(Line(), Run(start, adam_start(start)), 0.5, 1.0)
    twice = recorded(Line(), once, 0.25, 2.0)
    thrice = recorded(Line(), twice, 0.125, 4.0)
    assert [r["seconds"] for r in thrice.history] == [1.0, 3.0, 7.0]
    assert [r["loss"] for r in thrice.history] == [0.5, 0.25, 0.125]


def test_what_a_training_begins_with_is_not_drawn_from_the_numbers_of_a_step(tmp_path):
    start = resume(Line(), tmp_path, SETTINGS).parameters
    assert same(start, Line().initial(np.random.default_rng([3, 0])))


def test_a_history_has_a_line_for_each_number(tmp_path):
    train(Line(), tmp_path, SETTINGS, steps=20)
    text = (tmp_path / "history.json").read_text("utf-8")
    assert text.splitlines()[:3] == ["[", "{", '"step": 20,']


@pytest.mark.parametrize("stopped", [20, 33, 40])
def test_an_interrupted_run_comes_to_the_same_bits(tmp_path, stopped):
    whole = train(Line(), tmp_path / "whole", SETTINGS)
    train(Line(), tmp_path / "parts", SETTINGS, steps=stopped)
    parts = train(Line(), tmp_path / "parts", SETTINGS)
    assert same(timeless(parts), timeless(whole))
    assert parts.parameters["b"].dtype == np.float32
    names = {path.name for path in (tmp_path / "parts").iterdir()}
    assert names == {"checkpoint.npz", "history.json", "task.json"}


def test_an_interruption_between_the_two_files_does_no_harm(tmp_path):
    whole = train(Line(), tmp_path / "whole", SETTINGS)
    train(Line(), tmp_path / "torn", SETTINGS, steps=40)
    checkpoint = (tmp_path / "torn" / "checkpoint.npz").read_bytes()
    train(Line(), tmp_path / "torn", SETTINGS)
    (tmp_path / "torn" / "checkpoint.npz").write_bytes(checkpoint)
    (tmp_path / "torn" / "checkpoint.partial").write_bytes(b"half")
    assert resume(Line(), tmp_path / "torn", SETTINGS).step == 40
    resumed = train(Line(), tmp_path / "torn", SETTINGS)
    assert same(timeless(resumed), timeless(whole))


def test_a_failed_write_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    run = train(Line(), tmp_path, SETTINGS, steps=20)
    before = (tmp_path / "checkpoint.npz").read_bytes()

    def torn(file, **arrays):
        file.write(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(np, "savez", torn)
    with pytest.raises(OSError, match="disk is full"):
        write_checkpoint(tmp_path, run, SETTINGS, Line())
    assert (tmp_path / "checkpoint.npz").read_bytes() == before


def test_the_seed_decides(tmp_path):
    one, again, other = (
        train(Line(), tmp_path / name, replace(SETTINGS, seed=seed))
        for name, seed in (("one", 3), ("again", 3), ("other", 4))
    )
    assert same(timeless(one), timeless(again))
    assert not same(one.parameters, other.parameters)


def test_a_checkpoint_of_other_settings_is_refused(tmp_path):
    train(Line(), tmp_path, SETTINGS, steps=20)
    with pytest.raises(ValueError, match=r"seed=3.*; wanted .*seed=4.* Fix: another"):
        train(Line(), tmp_path, replace(SETTINGS, seed=4))


@pytest.mark.parametrize("other", [{"rate": 0.2}, {"steps": 90}])
def test_a_checkpoint_of_another_task_is_refused(tmp_path, other):
    train(Line(), tmp_path, SETTINGS, steps=20)
    ((name, value),) = other.items()
    with pytest.raises(ValueError, match=f"with {name} = .*; wanted {value}. Fix: an"):
        train(replace(Line(), **other), tmp_path, SETTINGS)


@pytest.mark.parametrize("name", ["task.json", "history.json"])
@pytest.mark.parametrize(
    "damaged", ["", '[{"step": 1', "null", "[1]", '[{"step": "1"}]', "7"]
)
def test_a_damaged_checkpoint_is_refused(tmp_path, name, damaged):
    train(Line(), tmp_path, SETTINGS, steps=20)
    (tmp_path / name).write_text(damaged, "utf-8")
    with pytest.raises(ValueError, match=f"{name} is missing or damaged; .* Fix: "):
        resume(Line(), tmp_path, SETTINGS)


def test_a_checkpoint_with_another_history_is_refused(tmp_path):
    train(Line(), tmp_path, SETTINGS, steps=20)
    (tmp_path / "history.json").write_text("{}", "utf-8")
    with pytest.raises(ValueError, match="wanted a list of records"):
        resume(Line(), tmp_path, SETTINGS)
    (tmp_path / "history.json").unlink()
    with pytest.raises(ValueError, match="wanted a list of records"):
        resume(Line(), tmp_path, SETTINGS)


def test_half_a_checkpoint_is_refused(tmp_path):
    train(Line(), tmp_path, SETTINGS, steps=20)
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"checkpoint.npz is damaged"):
        resume(Line(), tmp_path, SETTINGS)


def test_a_task_is_told_without_addresses():
    told = plain(RecipeTask(next(iter(RECIPES.values())), 0.1))
    assert told["recipe"]["around"] == "post_norm_vjp" and told["peak"] == 0.1
    assert " at 0x" not in json.dumps(told)


def test_what_is_no_number_stops_and_says_where(tmp_path):
    with pytest.raises(
        TrainingStopped, match=r"step 27: the loss is nan; the gradient of \['W'\] hol"
    ):
        train(Line(spoil=27), tmp_path, SETTINGS)
    assert resume(Line(spoil=27), tmp_path, SETTINGS).step == 20


def test_a_gradient_that_is_no_number_stops_though_the_loss_is_one(tmp_path):
    class Torn(Line):
        def loss_and_gradient(self, parameters, batch):
            loss, gradients = super().loss_and_gradient(parameters, batch)
            return loss, gradients | {"b": np.float32([0, np.inf, np.nan])}

    with pytest.raises(TrainingStopped, match=r"step 1: .* of \['b'\] holds inf"):
        train(Torn(), tmp_path, SETTINGS)


@dataclass(frozen=True)
class Odd(Line):
    """A task that answers with something else than the loop asks for."""

    loss: object = 0.5
    found: object = None

    def loss_and_gradient(self, parameters, batch):
        return self.loss, super().loss_and_gradient(parameters, batch)[1]

    def evaluate(self, parameters):
        return super().evaluate(parameters) if self.found is None else self.found


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"loss": None}, "the loss is None; wanted one number. Fix: "),
        ({"loss": np.ones(16)}, "the loss is an array of shape (16,); wanted one"),
        ({"found": 0.5}, "evaluate gave 0.5; wanted numbers by name. Fix: "),
        ({"found": {"bias": "high"}}, "bias is 'high'; wanted one number. Fix: "),
        ({"found": {"bias": np.nan}}, "bias is nan after step 20; wanted a finite"),
    ],
)
def test_a_task_that_answers_with_no_number_is_told_so(tmp_path, answers, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        train(Odd(**answers), tmp_path, SETTINGS, steps=20)


def test_a_diverging_loss_stops_and_says_where(tmp_path):
    class Climbing(Line):
        def learning_rate(self, step):
            return 0.1 if step <= 20 else 1e3

    with pytest.raises(
        TrainingStopped,
        match=r"step 22: .* times .* the largest gradient, .* of \['W'\]",
    ):
        train(Climbing(), tmp_path, SETTINGS)


@pytest.mark.parametrize(("loss", "stops"), [(3.0, False), (3.5, True)])
def test_a_loss_diverges_beyond_three_times_that_of_the_first_record(loss, stops):
    class Given(Line):
        def loss_and_gradient(self, parameters, batch):
            return loss, {"W": np.array([9.0, 0.0]), "b": np.array([1.0, 1.0])}

    parameters = {"W": np.zeros(2), "b": np.zeros(2)}
    run = Run(parameters, adam_start(parameters), ({"loss": 1.0}, {"loss": 2.0}))
    if not stops:
        assert one_step(Given(), run, SETTINGS)[1] == loss
        return
    with pytest.raises(TrainingStopped, match=r"the largest gradient, 9, .* \['W'\]"):
        one_step(Given(), run, SETTINGS)


@pytest.mark.parametrize("first", [-11.0, 0.0])
@pytest.mark.parametrize("loss", [-13.0, -1.0, 0.5])
def test_a_loss_that_began_at_0_or_below_is_not_compared(first, loss):
    gradients = {"b": np.array([1.0])}
    stop_if_lost(3, loss, gradients, ({"loss": first},))
    with pytest.raises(TrainingStopped, match="the loss is inf"):
        stop_if_lost(3, np.inf, gradients, ({"loss": first},))


@pytest.mark.parametrize(
    ("numbers", "steps", "words"),
    [
        ({"every": 0}, None, "task.every is 0; wanted a whole number of at least 1"),
        ({"every": 2.5}, None, "task.every is 2.5; wanted a whole number"),
        ({"steps": 1.5}, None, "task.steps is 1.5; wanted a whole number"),
        ({"steps": 6}, 9, "steps is 9; wanted at most 6, which the task has"),
        ({}, 1.5, "steps is 1.5; wanted a whole number of at least 0"),
        ({}, -1, "steps is -1; wanted a whole number of at least 0"),
    ],
)
def test_steps_that_there_are_not_are_refused(
    tmp_path, a_readers_notebook, numbers, steps, words
):
    with pytest.raises(ValueError, match=re.escape(words)):
        train(replace(Line(), **numbers), tmp_path, SETTINGS, steps)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", [None, 1.5, -1, 2**63, 2**70, "1", True])
def test_a_seed_that_no_generator_or_file_takes_is_refused(seed):
    with pytest.raises(ValueError, match=r"seed is .*; wanted a whole number from 0"):
        Settings(seed=seed)


def test_the_largest_seed_comes_back_from_a_checkpoint(tmp_path):
    settings = Settings(seed=2**63 - 1)
    run = train(Line(), tmp_path, settings, steps=20)
    assert same(resume(Line(), str(tmp_path), settings), run)


@pytest.mark.parametrize(
    "odd",
    [
        {"beta_1": 1.0},
        {"beta_2": -0.1},
        {"eps": 0.0},
        {"weight_decay": -1.0},
        {"largest_norm": 0.0},
    ],
)
def test_settings_that_the_optimiser_refuses_are_refused_at_once(odd):
    ((name, value),) = odd.items()
    with pytest.raises(ValueError, match=f"{name} is {value}; wanted"):
        Settings(**odd)


def test_every_setting_matters(tmp_path):
    usual = train(Line(), tmp_path / "usual", SETTINGS)
    others = {"beta_1": 0.5, "beta_2": 0.9, "eps": 0.1, "weight_decay": 0.5}
    for name, value in {**others, "largest_norm": 0.1}.items():
        changed = train(Line(), tmp_path / name, replace(SETTINGS, **{name: value}))
        assert not same(changed.parameters, usual.parameters), name


def test_progress_says_loss_and_evaluation(tmp_path, capsys):
    run = with_progress("line", Line(), tmp_path, SETTINGS, steps=60)
    first, *_, last = (record["bias"] for record in run.history)
    assert f"{first:.3f}" != f"{last:.3f}"
    assert said(run, 0.5) == f"loss 0.500, bias {last:.3f}"
    printed = capsys.readouterr().out
    assert "60/60 loss 0." in " ".join(printed.split())


def test_a_folder_can_be_copied_from_what_is_said_of_it():
    folder = Path("of-many_characters" * 6)
    assert str(folder) in done_before(60, 60, 60, folder)


def test_a_command_trains_as_far_as_it_is_told(tmp_path, monkeypatch, capsys):
    watched, finished = [], []

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["train", *arguments])
        train_from_command_line(
            "thin_line",
            Line(),
            SETTINGS,
            lambda run, folder: finished.append((run.step, folder)),
            lambda run, folder: watched.append((run.step, folder)),
        )

    monkeypatch.chdir(tmp_path)
    usual = Path(".cache/training/thin_line")
    command("--steps", "20")
    assert (watched[-1], finished) == ((20, usual), [])
    command()
    assert [step for step, _ in watched] == list(range(1, 61))
    command("--folder", "elsewhere")
    command("--folder", "one", "--steps", "1")
    assert watched[-1] == (1, Path("one"))
    assert finished == [(60, usual), (60, Path("elsewhere"))]
    capsys.readouterr()
    command()
    assert (
        f"All 60 steps were made before; to begin anew, delete {usual}."
        in capsys.readouterr().out
    )
    for asked, reached in (("20", 20), ("10", 20), ("20", 60)):
        folder = f"short_{reached}"
        command("--folder", folder, "--steps", str(reached))
        capsys.readouterr()
        command("--folder", folder, "--steps", asked)
        said_before = done_before(reached, int(asked), 60, Path(folder))
        assert capsys.readouterr().out.startswith(said_before + "\n")
    with pytest.raises(SystemExit):
        command("--help")
    helped = " ".join(capsys.readouterr().out.split())
    assert "Train the thin line; an interrupted training goes on." in helped
    assert "stop after so many, at most 60" in helped


@pytest.mark.parametrize("steps", ["0", "-3", "61", "many"])
def test_a_command_refuses_steps_that_there_are_not(
    tmp_path, monkeypatch, capsys, steps
):
    monkeypatch.setattr(
        sys, "argv", ["train", "--folder", str(tmp_path), "--steps", steps]
    )
    with pytest.raises(SystemExit):
        train_from_command_line("line", Line(), SETTINGS, lambda *_: None)
    told = " ".join(capsys.readouterr().err.split())
    wanted = "invalid int value" if steps == "many" else "wanted a number from 1 to 60"
    assert wanted in told and not list(tmp_path.iterdir())


@pytest.mark.parametrize("folder", ["runs", ".cache/training/language_model"])
def test_what_a_person_is_told_fits_eighty_columns(folder):
    told = [
        stopped(20_000, Path(folder)),
        done_before(20_000, 20_000, 20_000, Path(folder)),
        done_before(15_000, 10_000, 20_000, Path(folder)),
    ]
    for sentence in told:
        assert max(map(len, sentence.splitlines())) < 80 and folder in sentence


@pytest.mark.parametrize("step", [7, 27])
def test_whoever_stops_a_training_is_told_how_it_goes_on(tmp_path, monkeypatch, step):
    def at_that_step(run, folder):
        if run.step == step:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "argv", ["train", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        train_from_command_line("line", Line(), SETTINGS, lambda *_: None, at_that_step)
    kept = resume(Line(), tmp_path, SETTINGS).step
    assert kept == 20 * (step // 20) and ended.value.code == stopped(kept, tmp_path)


def test_the_progress_is_whole_in_eighty_columns(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    name = "as_long_as_all_names"  # and the numbers of steps, 20000/20000 say
    with_progress(name, Line(), tmp_path, SETTINGS, steps=60)
    line = capsys.readouterr().out.strip().splitlines()[-1]
    assert line.startswith(name) and len(line) <= 80 and "…" not in line
    assert re.search(r"60/60 loss [\d.]+, bias -?[\d.]+ 0:00:\d\d", line)
