"""Where tokens stand: what does not stand in the text, in this order, has no place."""

import pytest

from transformer_math.tokenization import spans_of_units


@pytest.mark.parametrize("units", [["be", "to"], ["or"], ["to", "to"]])
def test_units_of_another_text_have_no_place(units):
    with pytest.raises(ValueError, match=r"the unit '(?:to|or)' .* place \d.*Fix: \S"):
        spans_of_units(units, "to be")
