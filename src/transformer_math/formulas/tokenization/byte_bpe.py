"""How the formulas of byte-pair encoding of bytes are read."""

from transformer_math.formulas.reading import calls_reading
from transformer_math.formulas.texts import there_and_back
from transformer_math.formulas.tokenization import bpe
from transformer_math.tokenization.byte_bpe import decode_text

calls_reading("eq-bpe-train")(bpe.merge_after_merge)


@calls_reading("eq-lossless")
def back_to_the_text(calls):
    """The ids that a text became, and the text that they become."""
    for call in calls:
        if isinstance(call.arguments[0], str):
            own, bpe = call.arguments[:2]
            yield there_and_back(own, call.output, decode_text(call.output, bpe)), {}
