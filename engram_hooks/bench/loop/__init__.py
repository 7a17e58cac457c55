"""A made-up project in which some notes are of use and some only look so, played through the hooks."""
