"""Where memory is kept: all SQL, one module per subject."""
