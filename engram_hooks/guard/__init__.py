"""What may pass: secrets on the way in, injections on the way out."""
