"""Tests of rules that hold for any input."""
