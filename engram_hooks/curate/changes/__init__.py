"""What a new text is to the kept ones: the same, a change, or something else."""
