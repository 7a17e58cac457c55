"""A year of work in fast motion: what a memory tells at its end, with and without consolidation."""
