"""Checks of the group `gradient`."""
