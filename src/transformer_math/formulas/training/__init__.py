"""How formulas of the group `training` are read, one module for each idea."""
