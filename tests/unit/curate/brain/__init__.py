"""Tests of the room `curate/brain`."""
