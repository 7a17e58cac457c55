"""What consolidation does, one step a module."""
