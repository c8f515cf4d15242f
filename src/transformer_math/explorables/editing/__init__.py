"""A formula of the book in a field, to be changed and run."""
