"""General game playing over the network: players, and managers of matches. docs/ggp.md tells how to use them."""
