"""Things to play with: the block."""
