"""Explorables of the group training."""
