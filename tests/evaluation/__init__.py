"""Retrieval quality on tables of our own."""
