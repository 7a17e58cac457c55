"""Tests of `engram_hooks.curate.asking`."""
