"""How memory is kept true."""
