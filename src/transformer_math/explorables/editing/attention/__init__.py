"""Formulas of the group `attention` that may be edited."""
