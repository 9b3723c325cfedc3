"""How strong the searches are: against random play, rules of thumb, other people's agents, and by thinking time.

The agents to be measured are constants at the top of each file. A stage of a run carries the specs of its agents in its
name, so that changing one plays its matches again and leaves the others as they are.
"""

from kibitz.experiments.strength import (
    adviser,
    belote,
    calibration,
    colver,
    doudizhu,
    iterations,
    judge,
    levels,
    nets,
    options,
    rlcard,
    rlcard_curve,
    uno,
)

__all__ = [
    "adviser",
    "belote",
    "calibration",
    "colver",
    "doudizhu",
    "iterations",
    "judge",
    "levels",
    "nets",
    "options",
    "rlcard",
    "rlcard_curve",
    "uno",
]
