"""What is learnt from sessions."""
