"""Orders to an agent that hide in text: found on folded copies of it. Loaded only where a plain look suspects one."""
