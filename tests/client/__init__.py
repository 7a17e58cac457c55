"""Tests that need the client, or what was recorded from it."""
