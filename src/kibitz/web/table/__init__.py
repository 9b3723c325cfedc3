"""One table: `deal` holds the secret state, `situation` follows from the entries, `task` lives it."""
