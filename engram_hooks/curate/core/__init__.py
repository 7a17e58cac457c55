"""The two blocks that every session begins with."""
