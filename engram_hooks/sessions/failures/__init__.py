"""What the tools that check code print when it is not right, read into faults."""
