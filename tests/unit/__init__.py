"""Tests of single modules, in the tree of the package."""
