"""Explorables of the group `modalities`."""
