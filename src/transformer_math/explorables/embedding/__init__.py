"""Explorables of the group `embedding`."""
