"""How formulas of the group `trained` are read, one module for each idea."""
