"""How the formulas of codebooks are read: leading axes run together, and the choices a are those of the nearest codes."""

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.modalities import codebook
from transformer_math.modalities.codebook import nearest_codes


def chosen(Z, C):
    """The symbols that the formulas share: all vectors in one list."""
    Z = Z.reshape(-1, Z.shape[-1])
    return {"Z": Z, "C": C, "a": nearest_codes(Z, C), "n": len(Z), "k": len(C)}


def read(label, function, *names):
    """The cases of a formula that speaks of all vectors at once; `names` are what the function gives."""

    @calls_reading(label)
    def cases(made):
        for call in made:
            arguments = arguments_of(function, call)
            outputs = call.output if len(names) > 1 else (call.output,)
            own = {of[name]: value for name, value in arguments.items() if name in of}
            yield (
                chosen(arguments["Z"], arguments["C"]) | own,
                dict(zip(names, outputs)),
            )


of = {"decay": "gamma", "step": "t", "eps": "varepsilon", "N": "N", "M": "M"}
read("eq-codebook-loss", codebook.codebook_loss, "mathcal:L^code")
read("eq-commitment-loss", codebook.commitment_loss, "mathcal:L^commit")
read("eq-lloyd", codebook.lloyd_step, "C'")
read(
    "eq-moving-average-codebook",
    codebook.moving_average_codebook,
    *("C'", "N'", "M'"),
)


@calls_reading("eq-quantise")
def rows_by_choice(made):
    """One row of the codebook for each vector."""
    for call in made:
        known = chosen(*arguments_of(codebook.quantise, call).values())
        yield known, {"Q": call.output.reshape(known["Z"].shape)}


@calls_reading("eq-code-perplexity")
def all_ids(made):
    """The ids in one list."""
    for call in made:
        ids, k = arguments_of(codebook.code_perplexity, call).values()
        yield {"a": ids.ravel(), "n": ids.size, "k": k}, {"PP": call.output}
