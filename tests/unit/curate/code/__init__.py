"""Tests of `engram_hooks.curate.code`."""
