"""What to show: terms to ranked, gated, rendered text. Pure, no input or output."""
