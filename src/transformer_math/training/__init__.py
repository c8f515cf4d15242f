"""How a model learns: what it is told, how far each step goes, and the loop around both."""

# Written by `make exports` from what the modules define.
from transformer_math.training.adagrad import adagrad_step
from transformer_math.training.adam import AdamState, adam_start, adam_step
from transformer_math.training.clipping import all_real, clip_by_norm, global_norm
from transformer_math.training.command import (
    done_before,
    said,
    stopped,
    train_from_command_line,
    with_progress,
)
from transformer_math.training.cost import training_flops
from transformer_math.training.dropout import dropout, dropout_mask
from transformer_math.training.experiment import interaction, main_effect
from transformer_math.training.fasttext import train_fasttext
from transformer_math.training.glove import GloVe, glove_start, train_glove
from transformer_math.training.loop import (
    DIVERGED,
    Run,
    Settings,
    Task,
    TrainingStopped,
    one_step,
    recorded,
    refuse_other_task,
    require_steps,
    resume,
    stop_if_lost,
    train,
    write_checkpoint,
)
from transformer_math.training.objective import (
    begin_and_end,
    bits_per_byte,
    cross_entropy,
    perplexity,
    shift,
)
from transformer_math.training.parallel import mean_of_parts
from transformer_math.training.schedule import cosine_schedule, inverse_root_schedule
from transformer_math.training.word2vec import Word2Vec, train_word2vec

__all__ = [
    "DIVERGED",
    "AdamState",
    "GloVe",
    "Run",
    "Settings",
    "Task",
    "TrainingStopped",
    "Word2Vec",
    "adagrad_step",
    "adam_start",
    "adam_step",
    "all_real",
    "begin_and_end",
    "bits_per_byte",
    "clip_by_norm",
    "cosine_schedule",
    "cross_entropy",
    "done_before",
    "dropout",
    "dropout_mask",
    "global_norm",
    "glove_start",
    "interaction",
    "inverse_root_schedule",
    "main_effect",
    "mean_of_parts",
    "one_step",
    "perplexity",
    "recorded",
    "refuse_other_task",
    "require_steps",
    "resume",
    "said",
    "shift",
    "stop_if_lost",
    "stopped",
    "train",
    "train_fasttext",
    "train_from_command_line",
    "train_glove",
    "train_word2vec",
    "training_flops",
    "with_progress",
    "write_checkpoint",
]
