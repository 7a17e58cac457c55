"""Sessions that try something, see it fail and give it up, played through the hooks of this process."""
