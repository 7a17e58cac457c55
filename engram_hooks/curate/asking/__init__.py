"""What a question asks for, and which records answer it."""
