"""What each event of the client does."""
