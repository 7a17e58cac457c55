"""Tests of `engram_hooks.curate.changes`."""
