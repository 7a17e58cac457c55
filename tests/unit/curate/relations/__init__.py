"""Tests of `engram_hooks.curate.relations.deriving`."""
