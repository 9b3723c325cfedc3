"""What several commands share, and what is no command: bad input and exit codes, options, the training of Q-tables."""
