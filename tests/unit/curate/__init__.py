"""Tests of the room `curate`."""
