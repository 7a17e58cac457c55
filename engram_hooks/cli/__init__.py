"""What people type: one command group a file."""
