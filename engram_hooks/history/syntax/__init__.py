"""How source files fall into symbols."""
