"""What is printed is what runs: the LaTeX of the book's formulas is read, evaluated, and compared with the functions."""
