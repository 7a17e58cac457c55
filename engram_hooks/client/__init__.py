"""Wiring into the client: settings, launcher, status line."""
