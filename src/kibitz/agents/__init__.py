"""The agents that come with Kibitz. A new one is a file in this folder and a line in this table.

Those of other packages come through `kibitz.adapters`."""

from __future__ import annotations

# name in spec strings -> 'module:factory'; strings, so that nothing is imported before it is used.
BUILTIN: dict[str, str] = {
    "cheat-mcs": "kibitz.agents.search:cheat_mcs",
    "cheat-minimax": "kibitz.agents.search:cheat_minimax",
    "cheat-uct": "kibitz.agents.search:cheat_uct",
    "colver": "kibitz.adapters.colver:Colver",
    "expectimax": "kibitz.agents.search:expectimax",
    "human": "kibitz.terminal.human:Human",
    "ismcts": "kibitz.agents.search:ismcts",
    "mcs": "kibitz.agents.search:mcs",
    "minimax": "kibitz.agents.search:minimax",
    "mo-ismcts": "kibitz.agents.search:mo_ismcts",
    "net": "kibitz.agents.network:NetAgent",
    "pimc": "kibitz.agents.search:pimc",
    "q": "kibitz.agents.q_table:QAgent",
    "qm": "kibitz.agents.q_table:QMAgent",
    "random": "kibitz.agents.random:RandomAgent",
    "rlcard-rules": "kibitz.adapters.rlcard:RlcardRules",
    "rules": "kibitz.agents.rules:RulesAgent",
    "solver-pimc": "kibitz.agents.search:solver_pimc",
    "uct": "kibitz.agents.search:uct",
    "value-mcts": "kibitz.agents.search:value_mcts",
}
