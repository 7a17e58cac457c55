"""What records rest on in the code, and what becomes of them when it goes."""
