"""Where tables, deals, moves and people are kept: `base` says what a store does, `sql` does it."""
