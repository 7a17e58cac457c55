"""Meaning: text as vectors, and the nearest of them."""
