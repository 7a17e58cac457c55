"""Tests of `engram_hooks.curate.core.blocks`."""
