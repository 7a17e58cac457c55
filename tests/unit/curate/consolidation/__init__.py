"""Tests of the steps of consolidation."""
