"""How formulas of the group `modalities` are read, one module for each idea."""
