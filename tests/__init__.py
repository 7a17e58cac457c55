"""The tests of engram."""
