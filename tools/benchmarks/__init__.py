"""What `make bench` measures: one module for each kind of measurement, each with a function `rows()`."""
