"""What a repository's history says of its code, through the facade."""
