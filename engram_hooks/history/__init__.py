"""What is learnt from git."""
