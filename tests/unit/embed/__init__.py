"""Tests of the room `embed`."""
