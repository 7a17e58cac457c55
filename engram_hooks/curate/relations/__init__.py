"""Things and how they stand to each other, derived from records."""
