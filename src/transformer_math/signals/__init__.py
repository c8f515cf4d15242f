"""Signals that are no text, as arrays: a module for each kind. None of them stands in git, all are pinned by hash."""
