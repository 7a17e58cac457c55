"""A made-up repository with a history whose reasons, reverts and couplings are known."""
