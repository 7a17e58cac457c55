"""Tests of `engram_hooks.curate.ground`."""
