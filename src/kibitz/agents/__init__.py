"""The agents that come with Kibitz. A new one is a file in this folder and a line in this table."""

from __future__ import annotations

# name in spec strings -> 'module:factory'; strings, so that nothing is imported before it is used.
BUILTIN: dict[str, str] = {
    "human": "kibitz.agents.human:Human",
    "random": "kibitz.agents.random:RandomAgent",
    "rules": "kibitz.agents.rules:RulesAgent",
}
