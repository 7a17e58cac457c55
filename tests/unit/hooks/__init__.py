"""Tests of the room `hooks`."""
