"""Tests of the room `client`."""
