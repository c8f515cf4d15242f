"""How the formulas of Kneser and Ney are read."""

from itertools import islice

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.trained.kneser_ney import kneser_ney, kneser_ney_discount


@calls_reading("eq-kneser-ney")
def tokens_one_by_one(calls):
    """The formula speaks of one token after one context."""
    for call in calls:
        a = arguments_of(kneser_ney, call)
        columns = (a["counts"], a["total"], a["kinds"], a["shorter"], call.output)
        for c, C, N, shorter, wanted in islice(zip(*columns), 4):
            given = {"c": c, "C": C, "N": N, "D": a["discount"], "P'": shorter}
            yield given, {"P": wanted}


@calls_reading("eq-kneser-ney-discount")
def seen_once_and_twice(calls):
    """n_1 and n_2 are counts of counts."""
    for call in calls:
        counts = arguments_of(kneser_ney_discount, call)["counts"]
        once, twice = (int((counts == number).sum()) for number in (1, 2))
        yield {"n_1": once, "n_2": twice}, {"D": call.output}
