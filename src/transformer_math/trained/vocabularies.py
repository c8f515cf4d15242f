"""The language model's task on a small scale, with five sizes of the vocabulary: what a larger one gives in bits.

Whatever its vocabulary, each reads as many bytes of text, in windows of as many bytes. `make train MODEL=vocabularies`
trains each size in few steps and in more with three seeds, and in more steps with twice the learning rate; an interrupted
run goes on.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.trained.committed import read_records, write_records
from transformer_math.trained.language_model import LanguageTask
from transformer_math.trained.language_texts import Texts, texts
from transformer_math.training.loop import Settings, train
from transformer_math.training.objective import bits_per_byte
from transformer_math.trees import leaves

NAME = "vocabularies"
SIZES, SEEDS, STEPS = (512, 1024, 2048, 4096, 8192), (1, 2, 3), (200, 800)
WINDOW, BATCH = 256, 8  # bytes in a window, windows in a step
D_MODEL, D_FF, N_LAYERS = 80, 320, 3
PEAK = LanguageTask.peak


def context(text: Texts) -> int:
    """The even number of tokens that make up a window of the validation chapters."""
    return 2 * round(WINDOW * len(text.validation) / text.validation_bytes / 2)


def task(vocab_size: int, steps: int, peak: float) -> LanguageTask:
    """The language model's task, smaller: without dropout, since so few steps do not overfit, and nothing to copy."""
    return LanguageTask(
        steps=steps,
        every=steps,
        batch_size=BATCH,
        context=context(texts(vocab_size)),
        peak=peak,
        warm_up=steps // 10,
        d_model=D_MODEL,
        d_ff=D_FF,
        n_layers=N_LAYERS,
        dropout=0.0,
        copying=((1.0, 0.0),),
        threads=1,
        vocab_size=vocab_size,
    )


def bytes_read(told: LanguageTask, settings: Settings) -> float:
    """How many bytes a step reads: the mean over every tenth, drawn again as the loop draws them."""
    lengths = np.array([len(token) for token in texts(told.vocab_size).bpe.tokens])
    steps = range(10, told.steps + 1, 10)
    drawn = (told.batch(np.random.default_rng([settings.seed, t]), t) for t in steps)
    return float(np.mean([lengths[batch.windows[:, 1:]].sum() for batch in drawn]))


def one_run(
    folder: Path, vocab_size: int, steps: int, peak: float, seed: int
) -> dict[str, Any]:
    """One training, and what it came to."""
    told, settings = task(vocab_size, steps, peak), Settings(seed=seed)
    text = texts(vocab_size)
    run = train(told, folder / f"{vocab_size}_{steps}_{peak:g}_{seed}", settings)
    loss = run.history[-1]["held_out"]
    return {
        "vocab_size": vocab_size,
        "steps": steps,
        "peak": peak,
        "seed": seed,
        "context": told.context,
        "bytes": bytes_read(told, settings),
        "parameters": sum(leaf.size for leaf in leaves(run.parameters).values()),
        "seconds": run.history[-1]["seconds"],
        "bits": bits_per_byte(loss, len(text.validation), text.validation_bytes),
    }


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Every number of steps with every seed and every size; then the more steps with twice the learning rate, one seed."""
    trainings = [*product(STEPS[::-1], [PEAK], SEEDS)]
    for steps, peak, seed in [*trainings, (STEPS[-1], 2 * PEAK, SEEDS[0])]:
        for vocab_size in SIZES:
            yield one_run(folder, vocab_size, steps, peak, seed)


@cache
def vocabulary_runs() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("vocabularies.json")


if __name__ == "__main__":
    write_records("vocabularies.json", records())
