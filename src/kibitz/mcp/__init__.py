"""Games for language models, by the Model Context Protocol: `table` has the games, `server` the tools."""
