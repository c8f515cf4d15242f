"""Explorables of the group `gradient`."""
